import type { VfsMount } from "./_mounts.ts";

/** An access to a file: `write` is also to make, rename or remove it. */
export type VfsAccess = "read" | "write";

/** Options of `hostVfs()`. */
export interface HostVfsOptions {
  /** The folder that relative paths start from, absolute. */
  readonly root: string;
  /**
   * Folders to confine everything to, absolute. Absent: no confinement. The root itself is only
   * allowed if it is in one of them.
   */
  readonly allow?: readonly string[] | undefined;
  /** Name of the folders of `allow` in messages. Default "the allowed folders". */
  readonly allowed?: string | undefined;
  /** Folders to confine changes to, absolute. Absent: all readable ones. */
  readonly writable?: readonly string[] | undefined;
  /**
   * Files and folders that are refused, also below the allowed folders; absolute. They need not
   * exist. Links in them are followed anew at most once a second.
   */
  readonly hidden?: readonly string[] | undefined;
  /** Files and folders that are not refused although they are in a hidden folder; absolute. */
  readonly visible?: readonly string[] | undefined;
  /**
   * Folders of the host that are seen at other paths, so that paths mean the same as to a program
   * in a mount namespace; asked for at each operation, the most specific one counts. All other
   * options, and the paths in errors, are paths as they are seen.
   */
  readonly mounts?: (() => Promise<readonly VfsMount[]>) | undefined;
}

/** An operation beyond the boundary. */
export interface BeyondRequest {
  /** `hidden`: nobody may know of it. `outside`: it is beyond the allowed folders. */
  readonly reason: "hidden" | "outside";
  /** The reason in words, for messages. */
  readonly why: string;
  /** The access that was wanted. */
  readonly access: VfsAccess;
  /** The path as the caller gave it. */
  readonly given: string;
  /** The place that it leads to: absolute, without links. */
  readonly path: string;
}
