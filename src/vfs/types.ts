import type { VfsEntry, VfsInfo, VfsMode } from "../ports/mod.ts";
import type { ByteSink, ByteSource, Chunk, RandomAccess } from "../streams/mod.ts";

export type { VfsEntry, VfsInfo, VfsKind, VfsMode } from "../ports/mod.ts";

/** A regular file opened for reading. `return()` closes it, and so does reading to its end. */
export interface VfsFile extends ByteSource {
  /** The file's properties at the time of opening. */
  readonly info: VfsInfo;
  /** Random access until the file is closed. Reading the source to its end closes it. */
  readonly at: RandomAccess;
}

/**
 * New contents of a file. `close` replaces the file by them, atomically; `abort` leaves it
 * unchanged. Only the first of these calls has an effect. Without either, the contents are lost.
 */
export interface VfsOutput extends ByteSink {
  /** Leaves the file unchanged. */
  abort(reason?: unknown): Promise<void>;
}

/**
 * An open regular file, which stays usable when it is renamed or removed. It uses a descriptor of
 * the host until it is closed. Operations that its mode does not allow, and any after `close`, fail
 * with `EBADF`.
 */
export interface VfsHandle {
  /** The file's properties at the time of opening; with `w`, after it was emptied. */
  readonly info: VfsInfo;
  /** The mode in which it was opened. */
  readonly mode: VfsMode;
  /** Reads the file's current properties. */
  stat(): Promise<VfsInfo>;
  /**
   * Reads up to `into.length` bytes at the offset `at`. Resolves to the number of bytes; 0 at the
   * end.
   */
  read(at: number, into: Chunk): Promise<number>;
  /**
   * Writes the whole chunk at an offset, or at the end of the file; with mode `a` always at the
   * end. A gap before the offset is filled with zeros. A failed call may have written a part.
   */
  write(at: number | "end", chunk: Chunk): Promise<void>;
  /** Truncates the file to `size` bytes, or fills it up to that size with zeros. */
  truncate(size: number): Promise<void>;
  /** Closes the file. Idempotent. */
  close(): Promise<void>;
}

/** Options of {@linkcode Vfs.write}. */
export interface VfsWriteOptions {
  /** True to fail with `EEXIST` if the file exists at the time of `close`. */
  readonly exclusive?: boolean | undefined;
  /**
   * Permission bits of the file. By default an existing file keeps its own, and a new one gets the
   * usual ones.
   */
  readonly mode?: number | undefined;
  /**
   * True to have the new contents on the disk before they replace the file, if the host supports
   * it.
   */
  readonly sync?: boolean | undefined;
}

/** Options of {@linkcode Vfs.mkdir}. */
export interface VfsMkdirOptions {
  /** True to create missing folders above it, too; an existing folder is not an error then. */
  readonly parents?: boolean | undefined;
  /** Permission bits of a folder that is created; the usual ones by default. */
  readonly mode?: number | undefined;
}

/**
 * Files as an agent sees them: the host's, a confined part of them, or files in memory.
 *
 * Paths are written with `/`. Relative ones start at {@linkcode Vfs.root}; `..` and links work as
 * in POSIX. Operations follow links unless stated otherwise. Every failure is a `VfsError`, except
 * an abort, which rejects with the signal's reason.
 */
export interface Vfs {
  /** The folder that relative paths start from, absolute. */
  readonly root: string;
  /** Reads the properties of a file or folder. */
  stat(path: string): Promise<VfsInfo>;
  /** Reads the properties of a file, folder or link, without following a link at the path's end. */
  lstat(path: string): Promise<VfsInfo>;
  /** Opens a regular file for reading; `EISDIR` for a folder, `EINVAL` for anything else. */
  read(path: string): Promise<VfsFile>;
  /**
   * Starts writing new contents of a file, which need not exist; its folder must. The file keeps
   * its mode. If the path is a link, its target is written and the link stays.
   */
  write(path: string, options?: VfsWriteOptions): Promise<VfsOutput>;
  /**
   * Opens a regular file for reading or writing in place, at any offset. Mode `w` also empties it.
   * Unlike with `write`, all open handles of the file see each change at once. If the path is a
   * link, its target is opened or created.
   */
  open(path: string, mode: VfsMode): Promise<VfsHandle>;
  /** Creates a folder. */
  mkdir(path: string, options?: VfsMkdirOptions): Promise<void>;
  /** Lists the entries of a folder, in no particular order. */
  list(path: string): AsyncIterable<VfsEntry>;
  /**
   * Removes a file, a link (not its target) or an empty folder; with `recursive`, also a folder
   * with all its contents.
   */
  remove(path: string, options?: { readonly recursive?: boolean | undefined }): Promise<void>;
  /** Renames a file, link or folder. Replaces an existing file or empty folder of the new name. */
  rename(from: string, to: string): Promise<void>;
  /** Reads the target of a link as it is stored; `EINVAL` if the path is not a link. */
  readlink(path: string): Promise<string>;
  /** Resolves a path: absolute, without links, `.` and `..`. */
  realpath(path: string): Promise<string>;
}
