import type { VfsEntry, VfsInfo, VfsMode } from "../ports/mod.ts";
import type { ByteSink, ByteSource, Chunk, RandomAccess } from "../streams/mod.ts";

export type { VfsEntry, VfsInfo, VfsKind, VfsMode } from "../ports/mod.ts";

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

/**
 * An open regular file, which stays usable when its name is renamed or removed. Close it: until then
 * it takes a descriptor of the host. Reading where the mode only writes, writing where it only
 * reads, and anything after `close` fail with `EBADF`.
 */
export interface VfsHandle {
  /** Facts about the file when it was opened; with `w`, after it was emptied. */
  readonly info: VfsInfo;
  /** How it was opened. */
  readonly mode: VfsMode;
  /** Facts about the file now. */
  stat(): Promise<VfsInfo>;
  /** Reads up to `into.length` bytes from the offset `at`; 0 at the end of the file. */
  read(at: number, into: Chunk): Promise<number>;
  /**
   * Writes the whole chunk at an offset, or at the end of the file; with mode `a` always at the end.
   * A gap before the offset is filled with zeros. If it fails, a part may have been written.
   */
  write(at: number | "end", chunk: Chunk): Promise<void>;
  /** Cuts the file to `size` bytes, or fills it up to them with zeros. */
  truncate(size: number): Promise<void>;
  /** Closes it; more than once is no error. */
  close(): Promise<void>;
}

/** Options of {@linkcode Vfs.write}. */
export interface VfsWriteOptions {
  /** Fail with `EEXIST` if the file exists when the new contents take its place. */
  readonly exclusive?: boolean | undefined;
  /** The permission bits that the file gets; else it keeps its own, or has the usual ones. */
  readonly mode?: number | undefined;
  /** Have the new contents on the disk before they take their place, where the host can do that. */
  readonly sync?: boolean | undefined;
}

/** Options of {@linkcode Vfs.mkdir}. */
export interface VfsMkdirOptions {
  /** Also make missing folders above it; folders that exist are then no error. */
  readonly parents?: boolean | undefined;
  /** The permission bits that a folder which is made gets; else the usual ones. */
  readonly mode?: number | undefined;
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
   * Opens a regular file to be read or written in place, at any offset. The mode `w` also empties
   * it. Unlike with `write`, all who have the file open see at once what is written. If the path is
   * a link, the file that it leads to is opened, or made.
   */
  open(path: string, mode: VfsMode): Promise<VfsHandle>;
  /** Makes a folder. */
  mkdir(path: string, options?: VfsMkdirOptions): Promise<void>;
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
