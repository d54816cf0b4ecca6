import { FileError, fileError, PermissionError } from "./errors.ts";
import { onEndAtOnce } from "./signals.ts";

/** A byte connection in both directions between two programs on one machine. */
export interface LocalConnection {
  /** Bytes from the other end, with back-pressure. Also ends if the other program has died. */
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  /**
   * Resolves when the system has taken all bytes, which may be never if the other end does not
   * read. Rejects when the other end or this connection is closed.
   */
  write(bytes: Uint8Array): Promise<void>;
  /** Closes both directions. */
  close(): void;
}

/** A Unix socket that accepts connections. Disposing removes it; connections stay. */
export interface LocalSocket extends AsyncDisposable {
  /** Its path. */
  readonly path: string;
}

/** Most bytes in the path of a socket: with the NUL 108 on Linux, 104 on other systems. */
const LONGEST = 103;
/** Suffix of a new socket's name until it is ready. */
const NEW = ".new";
/** Age in milliseconds at which such a name counts as left by a killed program. */
const OLD = 60_000;

/**
 * Listens on a Unix socket (mode 0600) in a folder that only this user may enter; a missing folder
 * is created. The socket gets its name once it accepts connections. Its file is removed when it is
 * disposed of or a signal ends this process; {@linkcode localSockets} removes those of killed
 * programs.
 *
 * @throws {FileError} The path is too long, or the folder is not private; `FileError.path` is the
 * one at fault.
 * @throws {PermissionError} `--allow-net` (for sockets), `--allow-read` or `--allow-write` of the
 * folder is missing. There is no permission prompt.
 */
export async function listenLocal(
  folder: string,
  name: string,
  accept: (connection: LocalConnection) => void,
): Promise<LocalSocket> {
  const path = `${folder}/${name}`;
  const fresh = path + NEW;
  const action = `listen on ${path}`;
  if (new TextEncoder().encode(fresh).length > LONGEST) {
    throw new FileError(action, path, `a socket's path has at most ${LONGEST} bytes`);
  }
  requireSocket(action, fresh);
  await privateFolder(folder);
  let listener: Deno.UnixListener;
  try {
    listener = Deno.listen({ transport: "unix", path: fresh });
  } catch (error) {
    throw fileError(action, path, error);
  }
  const remove = onEndAtOnce(() => Deno.removeSync(path));
  try {
    await Deno.chmod(fresh, 0o600);
    if ((await Deno.lstat(fresh)).uid !== (await Deno.lstat(folder)).uid) {
      throw new FileError(action, folder, "the folder belongs to another user");
    }
    await Deno.rename(fresh, path);
  } catch (error) {
    remove();
    listener.close();
    await Deno.remove(fresh).catch(() => {});
    throw fileError(action, path, error);
  }
  const accepting = (async () => {
    for await (const connection of listener) accept(connectionOf(connection));
  })().catch(() => {});
  return {
    path,
    async [Symbol.asyncDispose]() {
      remove();
      listener.close();
      await Deno.remove(path).catch(() => {});
      await accepting;
    },
  };
}

/**
 * Connects to a socket of {@linkcode listenLocal}; `undefined` if no program listens there any
 * more.
 *
 * @throws {FileError} It belongs to another user than its folder, and might be a trap.
 * @throws {PermissionError} As for listening.
 */
export async function connectLocal(path: string): Promise<LocalConnection | undefined> {
  const action = `connect to ${path}`;
  requireSocket(action, path);
  try {
    const folder = await Deno.lstat(path.slice(0, path.lastIndexOf("/")));
    if ((await Deno.lstat(path)).uid !== folder.uid) {
      throw new FileError(action, path, "it belongs to another user than its folder");
    }
    return connectionOf(await Deno.connect({ transport: "unix", path }));
  } catch (error) {
    if (
      error instanceof Deno.errors.NotFound || error instanceof Deno.errors.ConnectionRefused ||
      error instanceof Deno.errors.ConnectionReset
    ) return undefined;
    throw fileError(action, path, error);
  }
}

/**
 * Sorted paths of the sockets in a folder of {@linkcode listenLocal}; empty if there is no such
 * folder. Sockets on which no program listens any more are removed.
 *
 * @throws {FileError} Other users may enter the folder, or it belongs to another user.
 * @throws {PermissionError} As for listening.
 */
export async function localSockets(folder: string): Promise<string[]> {
  const paths: string[] = [];
  try {
    if (!await isPrivate(folder)) return [];
    for await (const { name, isFile } of Deno.readDir(folder)) {
      const path = `${folder}/${name}`;
      if (isFile) continue;
      if (!name.endsWith(NEW)) paths.push(path);
      else if (Date.now() - ((await Deno.lstat(path)).mtime?.getTime() ?? 0) > OLD) {
        await Deno.remove(path);
      }
    }
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw fileError(`read ${folder}`, folder, error);
  }
  const live: string[] = [];
  for (const path of paths.sort()) {
    const connection = await connectLocal(path);
    if (connection === undefined) await Deno.remove(path).catch(() => {});
    else {
      connection.close();
      live.push(path);
    }
  }
  return live;
}

/**
 * Creates a folder that only this user may enter, with its parents, or checks that the existing
 * folder is private.
 */
export async function privateFolder(path: string): Promise<void> {
  try {
    await Deno.mkdir(path, { recursive: true, mode: 0o700 });
    await isPrivate(path);
  } catch (error) {
    throw fileError(`make ${path}`, path, error);
  }
}

/** True if the folder is private. Throws if it is missing, a link, or open to other users. */
async function isPrivate(path: string): Promise<boolean> {
  const info = await Deno.lstat(path);
  const refuse = (why: string) => new FileError(`use ${path}`, path, why);
  if (!info.isDirectory) throw refuse("it is not a folder");
  if ((info.mode ?? 0) % 0o100 !== 0) {
    throw refuse("other users may enter it; chmod 700 it, or remove it");
  }
  const { state } = Deno.permissions.querySync({ name: "sys", kind: "uid" });
  const own = state === "granted" ? Deno.uid() : null;
  if (own !== null && info.uid !== null && own !== info.uid) {
    throw refuse("it belongs to another user");
  }
  return true;
}

/**
 * Requires the whole `--allow-net`, because a flag for the path of one socket is of little use: a
 * folder has many, with different names.
 */
function requireSocket(action: string, path: string): void {
  const { state } = Deno.permissions.querySync({ name: "net", host: `unix:${path}` });
  if (state !== "granted") throw new PermissionError(action, "--allow-net");
}

function connectionOf(connection: Deno.UnixConn): LocalConnection {
  let open = true;
  return {
    readable: connection.readable,
    async write(bytes) {
      for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
    },
    close() {
      if (!open) return;
      open = false;
      try {
        connection.close();
      } catch {
        // The end of `readable` has closed it.
      }
    },
  };
}
