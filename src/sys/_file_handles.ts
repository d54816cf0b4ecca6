import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { HostInfo, HostReader, HostWriter } from "./host_fs.ts";
import { onEndAtOnce } from "./signals.ts";

/** Windows knows neither flag. */
const NO_FOLLOW = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens for reading, neither following a link at the end nor waiting for a FIFO's writer. */
export async function openReader(path: string): Promise<HostReader> {
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

/**
 * Makes a new file with a temporary name; with `like`, of that file's mode and owner. All happens in
 * the folder that is there at the beginning, whatever takes its place meanwhile (Linux, with
 * `--allow-all`).
 */
export async function createWriter(folder: string, like: string | undefined): Promise<HostWriter> {
  const pinned = await pin(folder);
  /** A path in the folder, so that it leads to nothing else. */
  const held = (path: string) => pinned === undefined ? path : pinned.held(path);
  let forget = () => {};
  try {
    const old = like === undefined ? undefined : await Deno.stat(held(like));
    // Renaming would also replace a file that its owner made read-only, so check the right to write
    // it first.
    if (like !== undefined) (await Deno.open(held(like), { write: true })).close();
    const base = folder.endsWith("/") ? folder : `${folder}/`;
    const temporary = `${base}.llmcmd-${crypto.randomUUID().slice(0, 13)}.tmp`;
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW;
    const file = await open(held(temporary), flags, (old?.mode ?? 0o666) & 0o777);
    forget = onEndAtOnce(() => Deno.removeSync(held(temporary)));
    let ended = false;
    /** Closes the file and does the last thing with it. */
    const end = async (action: () => Promise<void>) => {
      ended = true;
      forget();
      try {
        await file.close();
        await action();
      } finally {
        await pinned?.close();
      }
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
      commit: (path, { exclusive }) =>
        end(async () => {
          try {
            if (old !== undefined) await copyMode(held(temporary), old);
            if (exclusive) await linkInto(held(temporary), held(path));
            else await Deno.rename(held(temporary), held(path));
          } catch (error) {
            await Deno.remove(held(temporary)).catch(() => {});
            throw error;
          }
        }),
      async discard() {
        if (!ended) await end(() => Deno.remove(held(temporary)));
      },
    };
  } catch (error) {
    forget();
    await pinned?.close();
    throw error;
  }
}

/** Makes one folder, in the folder that is above it at the beginning. */
export async function makeFolder(path: string): Promise<void> {
  const folder = path.slice(0, path.replace(/\/+$/, "").lastIndexOf("/")) || "/";
  const pinned = await pin(folder);
  try {
    await Deno.mkdir(pinned === undefined ? path : pinned.held(path));
  } finally {
    await pinned?.close();
  }
}

/** An open folder. */
interface PinnedFolder {
  /** The same path by the folder that is open; another one as it is. */
  held(path: string): string;
  close(): Promise<void>;
}

/**
 * Opens a folder, whose path must have no links, so that what is done in it happens there;
 * `undefined` where the system or the permissions don't allow that.
 */
async function pin(folder: string): Promise<PinnedFolder | undefined> {
  if (Deno.build.os !== "linux") return undefined;
  let handle: FileHandle;
  try {
    handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | NO_FOLLOW);
  } catch (error) {
    // To write in a folder takes no permission to read it. All else is wrong anyway.
    if (isCode(error, "EACCES") || error instanceof Deno.errors.NotCapable) return undefined;
    throw error;
  }
  const path = realName(handle);
  if (path !== folder) {
    await handle.close();
    if (path === undefined) return undefined;
    throw Object.assign(new Error(`${folder} was replaced meanwhile`), { code: "EACCES" });
  }
  const base = folder === "/" ? "/" : `${folder}/`;
  return {
    held(path) {
      const name = path.startsWith(base) ? path.slice(base.length) : "";
      return name === "" || name.includes("/") ? path : `/proc/self/fd/${handle.fd}/${name}`;
    },
    close: () => handle.close(),
  };
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** Renaming would replace a file that was created meanwhile; making a hard link fails then. */
async function linkInto(temporary: string, path: string): Promise<void> {
  await Deno.link(temporary, path);
  await Deno.remove(temporary);
}

async function copyMode(path: string, old: Deno.FileInfo): Promise<void> {
  if (old.mode === null) return;
  const own = await Deno.stat(path);
  if (own.uid !== old.uid || own.gid !== old.gid) {
    // Only root may change a file's owner; for all others the new file belongs to this user.
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
    links: stats.nlink,
  };
}

/** The path of the open file as the kernel knows it. Needs all permissions, and /proc. */
function realName(file: FileHandle): string | undefined {
  if (Deno.build.os !== "linux") return undefined;
  try {
    return Deno.readLinkSync(`/proc/self/fd/${file.fd}`);
  } catch {
    return undefined;
  }
}
