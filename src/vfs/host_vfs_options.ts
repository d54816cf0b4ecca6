import type { VfsMount } from "./_mounts.ts";

/** Kind of access: `write` includes creating, renaming and removing. */
export type VfsAccess = "read" | "write";

/** Options of `hostVfs()`. */
export interface HostVfsOptions {
  /** The folder that relative paths start from, absolute. */
  readonly root: string;
  /**
   * Absolute paths of the folders that are accessible. If absent, everything is. The root itself is
   * accessible only if it is in one of them.
   */
  readonly allow?: readonly string[] | undefined;
  /** Name of the folders of `allow` in messages. Default "the allowed folders". */
  readonly allowed?: string | undefined;
  /** Absolute paths of the folders that may be changed. If absent, all accessible ones. */
  readonly writable?: readonly string[] | undefined;
  /**
   * Absolute paths of files and folders that are refused, even below the allowed folders. They need
   * not exist. Links in them are resolved again at most once a second.
   */
  readonly hidden?: readonly string[] | undefined;
  /**
   * Absolute paths of files and folders that are accessible although a hidden folder contains them.
   */
  readonly visible?: readonly string[] | undefined;
  /**
   * Folders of the host that are visible at other paths, so that paths mean the same as to a
   * program in a mount namespace. Called at each operation; the longest matching path counts. All
   * other options, and the paths in errors, are visible paths.
   */
  readonly mounts?: (() => Promise<readonly VfsMount[]>) | undefined;
}

/** A request for an access beyond the boundary. */
export interface BeyondRequest {
  /** `hidden`: the file must stay secret. `outside`: it is not in the allowed folders. */
  readonly reason: "hidden" | "outside";
  /** The reason in words, for messages. */
  readonly why: string;
  /** The requested access. */
  readonly access: VfsAccess;
  /** The path as the caller gave it. */
  readonly given: string;
  /** The place that it leads to: absolute, without links. */
  readonly path: string;
}
