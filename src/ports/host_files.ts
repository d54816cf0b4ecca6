import type { Chunk } from "../streams/mod.ts";

/** The kind of a path. `other` is a FIFO, a socket or a device. */
export type VfsKind = "file" | "folder" | "link" | "other";

/** Facts about a file or folder. Facts that the host does not know are absent. */
export interface VfsInfo {
  /** Its kind. */
  readonly kind: VfsKind;
  /** Size of a file in bytes; for anything else the number that the host reports. */
  readonly size: number;
  /** Last change of its contents, in milliseconds since the epoch. */
  readonly modified?: number | undefined;
  /** The permission bits, such as `0o644`. */
  readonly mode?: number | undefined;
  /** Identity of the file: equal for two paths that lead to the same one. */
  readonly id?: string | undefined;
  /** Number of names (hard links) that it has. */
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
 * A way to open a file: `r` reads one that exists; `w` writes, `a` writes at the end only, `rw` reads
 * and writes, and all three make the file if it is missing.
 */
export type VfsMode = "r" | "w" | "a" | "rw";

/** An open file of the host. */
export interface HostFile {
  /** Facts about the file when it was opened. */
  readonly info: VfsInfo;
  /** The path of the open file as the system knows it (Linux, with `--allow-all`). */
  readonly path: string | undefined;
  /** Facts about the file now. */
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
  /** Facts about the new file. */
  readonly info: VfsInfo;
  /** The path of the new file as the system knows it (Linux, with `--allow-all`). */
  readonly path: string | undefined;
  /** Writes the whole chunk at the end. */
  write(chunk: Chunk): Promise<void>;
  /**
   * Closes it and renames it to `path`. `exclusive`: only if nothing is there. `sync`: after its
   * contents are on the disk.
   */
  commit(path: string, options: { exclusive: boolean; sync?: boolean }): Promise<void>;
  /** Closes and removes it, unless it was put in place. */
  discard(): Promise<void>;
}

/** A file or folder that is held open. Work below `path` happens there even if it is moved. */
export interface HeldFolder {
  /** A path such as `/proc/self/fd/9` that leads to the folder until `close()`. */
  readonly path: string;
  /** Closes it. */
  close(): void;
}

/**
 * The host's files. Paths are absolute; errors have the POSIX `code` or, where a permission of the
 * runtime is missing, the `flag` that grants it.
 */
export interface HostFs {
  /** Follows links. */
  stat(path: string): Promise<VfsInfo>;
  /** Does not follow a link at the end. */
  lstat(path: string): Promise<VfsInfo>;
  /**
   * Opens a file without truncating it, and without waiting for the other end of a FIFO. Fails with
   * `ELOOP` if the path ends in a link.
   */
  open(path: string, mode: VfsMode): Promise<HostFile>;
  /**
   * Holds the file or folder at a path without links, so that no other can take its place. Fails
   * with `EACCES` if a link was put into the path meanwhile. `undefined` if the system or a missing
   * permission does not allow it.
   */
  hold(path: string): Promise<HeldFolder | undefined>;
  /**
   * Makes a new file with a temporary name in a folder, whose path has no links. `like`: a writable
   * file whose mode and owner the new file gets. `mode`: its mode.
   */
  create(folder: string, like: string | undefined, mode?: number): Promise<HostOutput>;
  /** Makes one folder, with `mode` if given. The path of its parent has no links. */
  mkdir(path: string, mode?: number): Promise<void>;
  /** The names in a folder. */
  list(path: string): AsyncIterable<VfsEntry>;
  /** Removes a file, a link or a folder. */
  remove(path: string, options: { recursive: boolean }): Promise<void>;
  /** Renames, replacing a file or an empty folder. */
  rename(from: string, to: string): Promise<void>;
  /** The target of a link. */
  readlink(path: string): Promise<string>;
  /** The path without links, `.` and `..`. */
  realpath(path: string): Promise<string>;
}
