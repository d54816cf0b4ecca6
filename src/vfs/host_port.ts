import type { Chunk } from "../streams/mod.ts";
import type { VfsEntry, VfsInfo, VfsMode } from "./types.ts";

/** An open file of the host. */
export interface HostFile {
  /** What was opened. */
  readonly info: VfsInfo;
  /** The path of the open file as the system knows it, where it tells. */
  readonly path: string | undefined;
  /** What it is now. */
  stat(): Promise<VfsInfo>;
  /** Reads up to `into.length` bytes from `offset`; 0 at the end. */
  read(offset: number, into: Chunk): Promise<number>;
  /** Writes the whole chunk at `offset`, or at the end. */
  write(offset: number | "end", chunk: Chunk): Promise<void>;
  /** Sets its size. */
  truncate(size: number): Promise<void>;
  /** Closes it. */
  close(): Promise<void>;
}

/** A new file of the host that has a temporary name until it is put in place. */
export interface HostOutput {
  /** Its temporary path at the time it was created. */
  readonly temporary: string;
  /** What was made. */
  readonly info: VfsInfo;
  /** The path of the new file as the system knows it, where it tells. */
  readonly path: string | undefined;
  /** Writes the whole chunk at the end. */
  write(chunk: Chunk): Promise<void>;
  /**
   * Closes it and renames it to `path`; with `exclusive` only if nothing is there, with `sync` when
   * it is on the disk.
   */
  commit(path: string, options: { exclusive: boolean; sync?: boolean }): Promise<void>;
  /** Closes and removes it. */
  discard(): Promise<void>;
}

/** A file or folder that is held: what is done below `path` happens there, wherever it is moved. */
export interface HeldFolder {
  /** A path that leads to it as long as it is held. */
  readonly path: string;
  /** Lets it go. */
  close(): void;
}

/**
 * The host's files, as `hostVfs()` needs them: absolute paths, and errors that have the POSIX
 * `code` (or, where a permission of the runtime is missing, the `flag` that grants it).
 */
export interface HostFs {
  /** Follows links. */
  stat(path: string): Promise<VfsInfo>;
  /** Does not follow a link at the end. */
  lstat(path: string): Promise<VfsInfo>;
  /**
   * Opens a file, and makes one where the mode says so, but never empties it; `ELOOP` for a link at
   * the end of the path. Never waits for the other end of a FIFO.
   */
  open(path: string, mode: VfsMode): Promise<HostFile>;
  /**
   * Holds what is at a path without links, so that nobody can put something else in its place;
   * `EACCES` if there is a link in it by now. `undefined` where the system or a missing permission
   * does not allow it.
   */
  hold(path: string): Promise<HeldFolder | undefined>;
  /**
   * Makes a new file with a temporary name in a folder, whose path has no links. With `like` it gets mode and owner of that
   * file, which must be one that may be written; with `mode` that mode.
   */
  create(folder: string, like: string | undefined, mode?: number): Promise<HostOutput>;
  /** Makes one folder, with `mode` of that mode; the path of the one above has no links. */
  mkdir(path: string, mode?: number): Promise<void>;
  /** The names in a folder. */
  list(path: string): AsyncIterable<VfsEntry>;
  /** Removes a file, a link or a folder. */
  remove(path: string, options: { recursive: boolean }): Promise<void>;
  /** Renames, replacing a file or an empty folder. */
  rename(from: string, to: string): Promise<void>;
  /** Where a link leads. */
  readlink(path: string): Promise<string>;
  /** The path without links, `.` and `..`. */
  realpath(path: string): Promise<string>;
}
