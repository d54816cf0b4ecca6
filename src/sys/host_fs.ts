import type { Chunk } from "../streams/mod.ts";
import { permissionError } from "./errors.ts";

/** What a path leads to; `other` is a FIFO, a socket or a device. */
export type HostKind = "file" | "folder" | "link" | "other";

/** Facts about a file or folder. */
export interface HostInfo {
  /** What it is. */
  readonly kind: HostKind;
  /** Its size in bytes. */
  readonly size: number;
  /** Milliseconds since the epoch when it last changed. */
  readonly modified: number | undefined;
  /** Permission bits. */
  readonly mode: number | undefined;
  /** Device and inode number of the file. */
  readonly id: string | undefined;
  /** How many names (hard links) it has. */
  readonly links: number | undefined;
}

/** How a file is opened: `w`, `a` and `rw` make it if it is missing; none empties it. */
export type HostMode = "r" | "w" | "a" | "rw";

/** What is held open by `HostFiles.hold()`. */
export interface HostHold {
  /** A path that leads to it as long as it is held. */
  readonly path: string;
  /** Lets it go. */
  close(): void;
}

/** An open file. */
export interface HostReader {
  /** What was opened. */
  readonly info: HostInfo;
  /** Where it is, if the system says so (Linux, with `--allow-all`). */
  readonly path: string | undefined;
  /** What it is now. */
  stat(): Promise<HostInfo>;
  /** Reads up to `into.length` bytes from `offset`; 0 at the end. */
  read(offset: number, into: Chunk): Promise<number>;
  /** Writes the whole chunk at `offset`, or at the end. */
  write(offset: number | "end", chunk: Chunk): Promise<void>;
  /** Sets its size. */
  truncate(size: number): Promise<void>;
  /** Closes it. */
  close(): Promise<void>;
}

/** A new file with a temporary name. */
export interface HostWriter {
  /** Its temporary path. */
  readonly temporary: string;
  /** What was made. */
  readonly info: HostInfo;
  /** Where it is, if the system says so (Linux, with `--allow-all`). */
  readonly path: string | undefined;
  /** Writes the whole chunk at the end. */
  write(chunk: Chunk): Promise<void>;
  /** Closes it and renames it to `path`; with `exclusive` only if nothing is there. */
  commit(path: string, options: { exclusive: boolean; sync?: boolean }): Promise<void>;
  /** Closes and removes it, if it was not put in place. */
  discard(): Promise<void>;
}

/** The host's files: the port that `vfs` needs. Paths are absolute. */
export interface HostFiles {
  /** Follows links. */
  stat(path: string): Promise<HostInfo>;
  /** Does not follow a link at the end. */
  lstat(path: string): Promise<HostInfo>;
  /** Opens, neither following a link at the end nor waiting for a FIFO's other end. */
  open(path: string, mode: HostMode): Promise<HostReader>;
  /**
   * Holds what is at a path without links, so that what is done below the path that comes back is
   * done there, whatever is renamed meanwhile. Only on Linux, with `--allow-all`; else `undefined`.
   */
  hold(path: string): Promise<HostHold | undefined>;
  /**
   * Makes a new file with a temporary name in a folder, whose path has no links; with `like`, of
   * that file's mode and owner; with `mode`, of that mode.
   */
  create(folder: string, like: string | undefined, mode?: number): Promise<HostWriter>;
  /** Makes one folder, with `mode` of that mode; the path of the one above has no links. */
  mkdir(path: string, mode?: number): Promise<void>;
  /** The names in a folder. */
  list(path: string): AsyncIterable<{ name: string; kind: HostKind }>;
  /** Removes a file, a link or a folder. */
  remove(path: string, options: { recursive: boolean }): Promise<void>;
  /** Renames, replacing a file or an empty folder. */
  rename(from: string, to: string): Promise<void>;
  /** Where a link leads. */
  readlink(path: string): Promise<string>;
  /** The path without links, `.` and `..`. */
  realpath(path: string): Promise<string>;
}

/**
 * The host's files. Errors are the system's own, with their POSIX `code`; where a permission is
 * missing they are a `PermissionError`.
 *
 * Open files use `node:fs`, which takes 18 ms and 12 MB to load, so it is loaded when the first
 * file is opened.
 *
 * @example
 * ```ts
 * import { hostFs } from "@llmcmd/llmcmd/sys";
 *
 * const { kind } = await hostFs().stat("/");
 * if (kind !== "folder") throw new Error(kind);
 * ```
 */
export function hostFs(): HostFiles {
  const handles = () => import("./_file_handles.ts");
  return {
    stat: (path) => guarded(path, async () => infoOf(await Deno.stat(path))),
    lstat: (path) => guarded(path, async () => infoOf(await Deno.lstat(path))),
    open: (path, mode) => guarded(path, async () => (await handles()).openFile(path, mode)),
    hold: (path) => guarded(path, async () => (await handles()).hold(path)),
    create: (folder, like, mode) =>
      guarded(folder, async () => (await handles()).createWriter(folder, like, mode)),
    mkdir: (path, mode) => guarded(path, async () => (await handles()).makeFolder(path, mode)),
    list: (path) => list(path),
    remove: (path, options) => guarded(path, () => Deno.remove(path, options)),
    rename: (from, to) => guarded(from, () => Deno.rename(from, to)),
    readlink: (path) => guarded(path, () => Deno.readLink(path)),
    realpath: (path) => guarded(path, () => Deno.realPath(path)),
  };
}

async function guarded<Result>(path: string, action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    throw error instanceof Deno.errors.NotCapable ? permissionError(`use ${path}`, error) : error;
  }
}

function infoOf(info: Deno.FileInfo): HostInfo {
  return {
    kind: kindOf(info),
    size: info.size,
    modified: info.mtime?.getTime(),
    mode: info.mode === null ? undefined : info.mode & 0o7777,
    id: info.ino === null ? undefined : `${info.dev}:${info.ino}`,
    links: info.nlink ?? undefined,
  };
}

function kindOf(entry: { isFile: boolean; isDirectory: boolean; isSymlink: boolean }): HostKind {
  if (entry.isSymlink) return "link";
  if (entry.isDirectory) return "folder";
  return entry.isFile ? "file" : "other";
}

async function* list(path: string): AsyncGenerator<{ name: string; kind: HostKind }, void, void> {
  try {
    for await (const entry of Deno.readDir(path)) {
      yield { name: entry.name, kind: kindOf(entry) };
    }
  } catch (error) {
    throw error instanceof Deno.errors.NotCapable ? permissionError(`list ${path}`, error) : error;
  }
}
