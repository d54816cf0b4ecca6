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

/** Makes a new file with a temporary name; with `like`, of that file's mode and owner. */
export async function createWriter(folder: string, like: string | undefined): Promise<HostWriter> {
  const old = like === undefined ? undefined : await Deno.stat(like);
  // Renaming would also replace a file that its owner made read-only, so check the right to write
  // it first.
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
