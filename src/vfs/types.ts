import type { ByteSink, ByteSource, RandomAccess } from "../streams/mod.ts";

/** What a path leads to. `other` is a FIFO, a socket or a device. */
export type VfsKind = "file" | "folder" | "link" | "other";

/** Facts about a file or folder. */
export interface VfsInfo {
  /** What it is. */
  readonly kind: VfsKind;
  /** Size of a file in bytes; for anything else whatever the host reports. */
  readonly size: number;
  /** When its contents last changed, in milliseconds since the epoch, where the host knows it. */
  readonly modified?: number | undefined;
  /** The permission bits, such as `0o644`, where the host has them. */
  readonly mode?: number | undefined;
  /**
   * Identifies the file: equal for two paths that lead to the same one. Where the host knows it.
   */
  readonly id?: string | undefined;
  /** How many names (hard links) it has, where the host knows it. */
  readonly links?: number | undefined;
}

/** A name in a folder. */
export interface VfsEntry {
  /** The name, without the folder. */
  readonly name: string;
  /** Its kind; links are not followed. */
  readonly kind: VfsKind;
}

/**
 * A regular file opened for reading. Close it with `return()`; reading it to the end closes it too.
 */
export interface VfsFile extends ByteSource {
  /** Facts about the file at the time it was opened. */
  readonly info: VfsInfo;
  /** Random access, until the file is closed. The end of reading it as a source closes it. */
  readonly at: RandomAccess;
}

/**
 * New contents of a file. `close` replaces the file by them, atomically; `abort` leaves the file as
 * it was. Only the first of these calls has an effect. Without either, the contents are lost.
 */
export interface VfsOutput extends ByteSink {
  /** Leaves the file as it was. */
  abort(reason?: unknown): Promise<void>;
}

/** Options of {@linkcode Vfs.write}. */
export interface VfsWriteOptions {
  /** Fail with `EEXIST` if the file exists when the new contents take its place. */
  readonly exclusive?: boolean | undefined;
}

/**
 * Files as an agent sees them: the host's, a confined part of them, or files in memory.
 *
 * Paths are written with `/`. Relative ones start from {@linkcode Vfs.root}, and `..` and links
 * have the meaning that POSIX gives them. Operations follow links unless they say otherwise. Every
 * failure is a `VfsError`, except an abort, which rejects with the signal's reason.
 */
export interface Vfs {
  /** The folder that relative paths start from, absolute. */
  readonly root: string;
  /** Facts about a file or folder. */
  stat(path: string): Promise<VfsInfo>;
  /** Facts about a file, folder or link; a link at the end of the path is not followed. */
  lstat(path: string): Promise<VfsInfo>;
  /** Opens a regular file for reading; `EISDIR` for a folder, `EINVAL` for anything else. */
  read(path: string): Promise<VfsFile>;
  /**
   * Begins new contents for a file, which need not exist; its folder must. The file keeps its mode;
   * if the path is a link, the file that it leads to is written and the link stays.
   */
  write(path: string, options?: VfsWriteOptions): Promise<VfsOutput>;
  /**
   * Makes a folder. With `parents` also missing folders above it, and folders that exist are no
   * error.
   */
  mkdir(path: string, options?: { readonly parents?: boolean | undefined }): Promise<void>;
  /** The names in a folder, in no particular order. */
  list(path: string): AsyncIterable<VfsEntry>;
  /**
   * Removes a file, a link (not what it leads to) or an empty folder. With `recursive` also a
   * folder with all that is in it.
   */
  remove(path: string, options?: { readonly recursive?: boolean | undefined }): Promise<void>;
  /** Renames a file, link or folder; an existing file or empty folder of that name is replaced. */
  rename(from: string, to: string): Promise<void>;
  /** The target of a link as it is stored; `EINVAL` if the path is no link. */
  readlink(path: string): Promise<string>;
  /** The absolute path without links, `.` and `..`. */
  realpath(path: string): Promise<string>;
}
