import type { ByteSink, ByteSource, RandomAccess } from "../streams/mod.ts";

/** What stands at a path. `other` is a FIFO, a socket or a device. */
export type VfsKind = "file" | "folder" | "link" | "other";

/** What is known of a file or folder. */
export interface VfsInfo {
  /** What it is. */
  readonly kind: VfsKind;
  /** Bytes of a file; of anything else whatever the host says. */
  readonly size: number;
  /** Milliseconds since the epoch when its contents last changed, where the host tells. */
  readonly modified?: number | undefined;
  /** The permission bits, such as `0o644`, where the host has them. */
  readonly mode?: number | undefined;
  /** The same for two paths that lead to the same file, where the host tells. */
  readonly id?: string | undefined;
}

/** A name in a folder. */
export interface VfsEntry {
  /** The name, without the folder. */
  readonly name: string;
  /** What it is; links are not followed. */
  readonly kind: VfsKind;
}

/** A regular file opened for reading. Close it with `return()`; its end does it too. */
export interface VfsFile extends ByteSource {
  /** The file when it was opened. */
  readonly info: VfsInfo;
  /** Random access, until the file is closed. The end of reading it as a source closes it. */
  readonly at: RandomAccess;
}

/**
 * New contents of a file. `close` puts them in the file's place, all at once; `abort` leaves the
 * file as it was. The first of the two counts. Without either they are lost.
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
 * Files as an agent sees them: the host's, a confined part of them, memory, or a view that another
 * process serves.
 *
 * Paths are written with `/`; relative ones start from {@linkcode Vfs.root}, and `..` and links
 * mean what they mean to POSIX. Operations follow links unless they say otherwise. Every failure is
 * a `VfsError`, but for the reason of a signal.
 */
export interface Vfs {
  /** The folder that relative paths start from, absolute. */
  readonly root: string;
  /** Tells of a file or folder. */
  stat(path: string): Promise<VfsInfo>;
  /** Tells of a file, folder or link; a link at the end of the path is not followed. */
  lstat(path: string): Promise<VfsInfo>;
  /** Opens a regular file for reading; `EISDIR` for a folder, `EINVAL` for anything else. */
  read(path: string): Promise<VfsFile>;
  /**
   * Opens new contents for a file that exists or not; its folder must exist. The file keeps its
   * mode; if the path is a link, the file that it leads to is written and the link stays.
   */
  write(path: string, options?: VfsWriteOptions): Promise<VfsOutput>;
  /** Makes a folder. With `parents` also those above it, and none is no error if it exists. */
  mkdir(path: string, options?: { readonly parents?: boolean | undefined }): Promise<void>;
  /** The names in a folder, in no particular order. */
  list(path: string): AsyncIterable<VfsEntry>;
  /**
   * Removes a file, a link (not what it leads to) or an empty folder. With `recursive` also a
   * folder with all that is in it.
   */
  remove(path: string, options?: { readonly recursive?: boolean | undefined }): Promise<void>;
  /** Gives a file, link or folder another name; takes the place of a file or an empty folder. */
  rename(from: string, to: string): Promise<void>;
  /** Where a link leads, as it is written; `EINVAL` if it is none. */
  readlink(path: string): Promise<string>;
  /** The absolute path without links, `.` and `..`. */
  realpath(path: string): Promise<string>;
}
