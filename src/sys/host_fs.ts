import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { Chunk } from "../streams/mod.ts";
import { permissionError } from "./errors.ts";
import { onEndAtOnce } from "./signals.ts";

/** What stands at a path; `other` is a FIFO, a socket or a device. */
export type HostKind = "file" | "folder" | "link" | "other";

/** What the system tells of a file or folder. */
export interface HostInfo {
  /** What it is. */
  readonly kind: HostKind;
  /** Its size in bytes. */
  readonly size: number;
  /** Milliseconds since the epoch when it last changed. */
  readonly modified: number | undefined;
  /** Permission bits. */
  readonly mode: number | undefined;
  /** Device and number of the file. */
  readonly id: string | undefined;
}

/** A file that is open for reading. */
export interface HostReader {
  /** What was opened. */
  readonly info: HostInfo;
  /** Where it is, if the system says so (Linux, with `--allow-all`). */
  readonly path: string | undefined;
  /** Reads up to `into.length` bytes from `offset`; 0 at the end. */
  read(offset: number, into: Chunk): Promise<number>;
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
  /** Closes it and puts it in the place of `path`; with `exclusive` only where there is nothing. */
  commit(path: string, options: { exclusive: boolean }): Promise<void>;
  /** Closes and removes it, if it was not put in place. */
  discard(): Promise<void>;
}

/** The host's files: the port that `vfs` needs. Paths are absolute. */
export interface HostFiles {
  /** Follows links. */
  stat(path: string): Promise<HostInfo>;
  /** Does not follow a link at the end. */
  lstat(path: string): Promise<HostInfo>;
  /** Opens for reading, neither following a link at the end nor waiting for a FIFO's writer. */
  open(path: string): Promise<HostReader>;
  /** Makes a new file with a temporary name; with `like`, of that file's mode and owner. */
  create(folder: string, like: string | undefined): Promise<HostWriter>;
  /** Makes one folder. */
  mkdir(path: string): Promise<void>;
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
 * @example
 * ```ts
 * import { hostFs } from "@llmcmd/llmcmd/sys";
 *
 * const { kind } = await hostFs().stat("/");
 * if (kind !== "folder") throw new Error(kind);
 * ```
 */
export function hostFs(): HostFiles {
  return {
    stat: (path) => guarded(path, async () => infoOf(await Deno.stat(path))),
    lstat: (path) => guarded(path, async () => infoOf(await Deno.lstat(path))),
    open: (path) => guarded(path, () => openReader(path)),
    create: (folder, like) => guarded(folder, () => createWriter(folder, like)),
    mkdir: (path) => guarded(path, () => Deno.mkdir(path)),
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

/** Windows knows neither flag. */
const NO_FOLLOW = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

async function openReader(path: string): Promise<HostReader> {
  const file = await open(path, constants.O_RDONLY | NO_FOLLOW);
  return {
    info: await handleInfo(file),
    path: realName(file),
    async read(offset, into) {
      if (into.length === 0) return 0;
      return (await file.read(into, 0, into.length, offset)).bytesRead;
    },
    close: () => file.close(),
  };
}

async function createWriter(folder: string, like: string | undefined): Promise<HostWriter> {
  const old = like === undefined ? undefined : await Deno.stat(like);
  // Renaming would replace a file that its owner made read-only: ask for the right to write it.
  if (like !== undefined) (await Deno.open(like, { write: true })).close();
  const base = folder.endsWith("/") ? folder : `${folder}/`;
  const temporary = `${base}.llmcmd-${crypto.randomUUID().slice(0, 13)}.tmp`;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW;
  const file = await open(temporary, flags, (old?.mode ?? 0o666) & 0o777);
  const forget = onEndAtOnce(() => Deno.removeSync(temporary));
  let ended = false;
  const end = async () => {
    ended = true;
    forget();
    await file.close();
  };
  return {
    temporary,
    info: await handleInfo(file),
    path: realName(file),
    async write(chunk) {
      let rest = chunk;
      while (rest.length > 0) {
        const { bytesWritten } = await file.write(rest, 0, rest.length);
        rest = rest.subarray(bytesWritten);
      }
    },
    async commit(path, { exclusive }) {
      await end();
      try {
        if (old !== undefined) await copyMode(temporary, old);
        if (exclusive) await linkInto(temporary, path);
        else await Deno.rename(temporary, path);
      } catch (error) {
        await Deno.remove(temporary).catch(() => {});
        throw error;
      }
    },
    async discard() {
      if (ended) return;
      await end();
      await Deno.remove(temporary);
    },
  };
}

/** Renaming would replace what came to be there meanwhile; a hard link doesn't. */
async function linkInto(temporary: string, path: string): Promise<void> {
  await Deno.link(temporary, path);
  await Deno.remove(temporary);
}

async function copyMode(path: string, old: Deno.FileInfo): Promise<void> {
  if (old.mode === null) return;
  const own = await Deno.stat(path);
  if (own.uid !== old.uid || own.gid !== old.gid) {
    // Only root may give a file away; for everybody else the new file is the writer's.
    await Deno.chown(path, old.uid, old.gid).catch(() => {});
  }
  await Deno.chmod(path, old.mode & 0o7777);
}

async function handleInfo(file: FileHandle): Promise<HostInfo> {
  const stats = await file.stat();
  return {
    kind: stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "other",
    size: stats.size,
    modified: stats.mtimeMs,
    mode: stats.mode & 0o7777,
    id: `${stats.dev}:${stats.ino}`,
  };
}

/** Where the kernel says that the open file is. Needs all permissions, and /proc. */
function realName(file: FileHandle): string | undefined {
  if (Deno.build.os !== "linux") return undefined;
  try {
    return Deno.readLinkSync(`/proc/self/fd/${file.fd}`);
  } catch {
    return undefined;
  }
}
