import { closeSync, constants, openSync, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { HeldFolder, HostFile, HostOutput, VfsInfo, VfsMode } from "../ports/mod.ts";
import { onEndAtOnce } from "./signals.ts";

/** Windows has neither flag. */
const NO_FOLLOW = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Linux's flag for opening a path without reading or writing it; Node has no name for it. */
const O_PATH = 0o10000000;

const FLAGS: Readonly<Record<VfsMode, number>> = {
  r: constants.O_RDONLY,
  w: constants.O_WRONLY | constants.O_CREAT,
  a: constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND,
  rw: constants.O_RDWR | constants.O_CREAT,
};

/** Opens a file, without following a link at the end or waiting for the other end of a FIFO. */
export async function openFile(path: string, mode: VfsMode): Promise<HostFile> {
  const file = await open(path, FLAGS[mode] | NO_FOLLOW, 0o666);
  try {
    return {
      info: await handleInfo(file),
      path: realName(file.fd),
      stat: () => handleInfo(file),
      async read(offset, into) {
        if (into.length === 0) return 0;
        return (await file.read(into, 0, into.length, offset)).bytesRead;
      },
      async write(offset, chunk) {
        let at = mode === "a" ? undefined : offset === "end" ? (await file.stat()).size : offset;
        let rest = chunk;
        while (rest.length > 0) {
          const { bytesWritten } = await file.write(rest, 0, rest.length, at);
          rest = rest.subarray(bytesWritten);
          if (at !== undefined) at += bytesWritten;
        }
      },
      truncate: (size) => file.truncate(size),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Holds the file or folder at a path; see `HostFs.hold()`.
 *
 * @throws {Error} With the code `EACCES`: a link was put into the path meanwhile and leads
 * elsewhere.
 */
export function hold(path: string): HeldFolder | undefined {
  if (Deno.build.os !== "linux") return undefined;
  let fd: number;
  try {
    fd = openSync(path, O_PATH);
  } catch (error) {
    // Without the runtime's permission it cannot be held. Any other error would also fail the work.
    if (error instanceof Deno.errors.NotCapable) return undefined;
    throw error;
  }
  const real = realName(fd);
  if (real === undefined) {
    closeSync(fd);
    return undefined;
  }
  if (real !== path) {
    closeSync(fd);
    throw Object.assign(new Error(`${path} was replaced meanwhile`), { code: "EACCES" });
  }
  return { path: `/proc/self/fd/${fd}`, close: () => closeSync(fd) };
}

/**
 * Makes a new file with a temporary name; see `HostFs.create()`. The folder is opened first, so all
 * work happens there even if another takes its place (Linux, with `--allow-all`).
 */
export async function createWriter(
  folder: string,
  like: string | undefined,
  mode?: number,
): Promise<HostOutput> {
  const pinned = pin(folder);
  /** The path by way of the open folder, so that it leads nowhere else. */
  const held = (path: string) => pinned === undefined ? path : pinned.held(path);
  let forget = () => {};
  try {
    // Synchronous, like opening the folder: an apply makes thousands of files, and each wait
    // counts.
    const old = like === undefined ? undefined : Deno.statSync(held(like));
    // Renaming would also replace a file that its owner made read-only, so check for the right to
    // write it first.
    if (like !== undefined) closeSync(openSync(held(like), constants.O_WRONLY | NO_FOLLOW));
    const base = folder.endsWith("/") ? folder : `${folder}/`;
    const temporary = `${base}.llmcmd-${crypto.randomUUID().slice(0, 13)}.tmp`;
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW;
    const file = await open(held(temporary), flags, (old?.mode ?? 0o666) & 0o777);
    forget = onEndAtOnce(() => Deno.removeSync(held(temporary)));
    const made = await file.stat();
    let ended = false;
    /** Closes the file, then runs the last action with it. */
    const end = async (action: () => Promise<void>) => {
      ended = true;
      forget();
      try {
        await file.close();
        await action();
      } finally {
        pinned?.close();
      }
    };
    return {
      temporary,
      info: infoOf(made),
      path: realName(file.fd),
      async write(chunk) {
        let rest = chunk;
        while (rest.length > 0) {
          const { bytesWritten } = await file.write(rest, 0, rest.length);
          rest = rest.subarray(bytesWritten);
        }
      },
      commit: async (path, { exclusive, sync = false }) => {
        if (sync) await file.sync();
        await end(async () => {
          try {
            if (old !== undefined) await copyMode(held(temporary), made, old);
            if (mode !== undefined) await Deno.chmod(held(temporary), mode);
            if (exclusive) await linkInto(held(temporary), held(path));
            else await Deno.rename(held(temporary), held(path));
          } catch (error) {
            await Deno.remove(held(temporary)).catch(() => {});
            throw error;
          }
        });
      },
      async discard() {
        if (!ended) await end(() => Deno.remove(held(temporary)));
      },
    };
  } catch (error) {
    forget();
    pinned?.close();
    throw error;
  }
}

/**
 * Makes one folder; see `HostFs.mkdir()`. Its parent is opened first, so it is made there even if
 * another takes the parent's place.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const folder = path.slice(0, path.replace(/\/+$/, "").lastIndexOf("/")) || "/";
  const pinned = pin(folder);
  try {
    const place = pinned === undefined ? path : pinned.held(path);
    await Deno.mkdir(place, mode === undefined ? {} : { mode });
    // The umask may have removed some of its bits.
    if (mode !== undefined) await setFolderMode(place, mode, pinned !== undefined);
  } finally {
    pinned?.close();
  }
}

/** Sets the mode of a folder. Where folders can be held, a link in its place is not followed. */
async function setFolderMode(path: string, mode: number, holds: boolean): Promise<void> {
  if (!holds) return await Deno.chmod(path, mode);
  const fd = openSync(path, O_PATH | constants.O_NOFOLLOW | constants.O_DIRECTORY);
  try {
    await Deno.chmod(`/proc/self/fd/${fd}`, mode);
  } finally {
    closeSync(fd);
  }
}

/** An open folder. */
interface PinnedFolder {
  /** A path directly in the folder, by way of the open folder; any other path unchanged. */
  held(path: string): string;
  close(): void;
}

/**
 * Opens a folder, whose path must have no links, so that work in it happens there; `undefined` if
 * the system or the permissions don't allow that.
 */
function pin(folder: string): PinnedFolder | undefined {
  const handle = hold(folder);
  if (handle === undefined) return undefined;
  const base = folder === "/" ? "/" : `${folder}/`;
  return {
    held(path) {
      const name = path.startsWith(base) ? path.slice(base.length) : "";
      return name === "" || name.includes("/") ? path : `${handle.path}/${name}`;
    },
    close: () => handle.close(),
  };
}

/** A hard link fails if a file was created meanwhile; renaming would replace that file. */
async function linkInto(temporary: string, path: string): Promise<void> {
  await Deno.link(temporary, path);
  await Deno.remove(temporary);
}

async function copyMode(path: string, made: Stats, old: Deno.FileInfo): Promise<void> {
  if (old.mode === null) return;
  const mode = old.mode & 0o7777;
  if (made.uid !== old.uid || made.gid !== old.gid) {
    // Only root may change a file's owner; for all others the new file belongs to this user.
    await Deno.chown(path, old.uid, old.gid).catch(() => {});
  } else if ((made.mode & 0o7777) === mode) return;
  await Deno.chmod(path, mode);
}

async function handleInfo(file: FileHandle): Promise<VfsInfo> {
  return infoOf(await file.stat());
}

function infoOf(stats: Stats): VfsInfo {
  return {
    kind: stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "other",
    size: stats.size,
    modified: stats.mtimeMs,
    mode: stats.mode & 0o7777,
    id: `${stats.dev}:${stats.ino}`,
    links: stats.nlink,
  };
}

/** The path of the open file as the kernel knows it. Needs all permissions, and /proc. */
function realName(fd: number): string | undefined {
  if (Deno.build.os !== "linux") return undefined;
  try {
    return Deno.readLinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}
