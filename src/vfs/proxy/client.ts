import type { Chunk } from "../../streams/mod.ts";
import { VfsError } from "../errors.ts";
import type {
  Vfs,
  VfsEntry,
  VfsFile,
  VfsHandle,
  VfsInfo,
  VfsKind,
  VfsMkdirOptions,
  VfsMode,
  VfsOutput,
  VfsWriteOptions,
} from "../types.ts";
import { vfsFile } from "../_vfs_file.ts";
import { vfsHandle } from "../_vfs_handle.ts";
import { ProxyError, toVfsError } from "./errors.ts";
import {
  CHUNK,
  type Duplex,
  type Extension,
  EXTENSIONS,
  isExtension,
  isParams,
  MOST_CHUNK,
  type Params,
} from "./protocol.ts";
import { RemoteFile } from "./_remote_file.ts";
import { noteRemote, remoteOf } from "./_remote_handles.ts";
import { RequestChannel } from "./_request_channel.ts";

/** Options of {@linkcode connect}. */
export interface ConnectOptions {
  /** Extensions to request; all by default. With an empty list, no `hello` is sent. */
  readonly extensions?: readonly Extension[] | undefined;
  /** Most bytes of one read, 4,096 to 65,536. Default 65,536, or 4,096 without `hello`. */
  readonly chunk?: number | undefined;
}

/**
 * The files of the server at the other end of a duplex. An operation whose extension was not
 * negotiated fails with `ENOSYS` and names it. Without `stat`, the `info.size` of an opened file is
 * `NaN`.
 */
export interface ProxyClient extends Vfs {
  /** The negotiated extensions. */
  readonly extensions: ReadonlySet<Extension>;
  /** Most bytes of one read. */
  readonly chunk: number;
  /**
   * Sends a request as it is, and resolves to its `result`.
   *
   * @throws {ProxyError} If the answer is an error, or the connection has ended (`E_IO`).
   */
  request(
    op: string,
    params?: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, unknown>>>;
  /** Ends the connection; the server closes the open handles. */
  close(): Promise<void>;
}

/**
 * Connects to the server at the other end of a duplex. A server that does not know `hello` is used
 * without extensions.
 *
 * @throws {ProxyError} If the connection ends.
 */
export async function connect(duplex: Duplex, options: ConnectOptions = {}): Promise<ProxyClient> {
  const channel = new RequestChannel(duplex);
  const { extensions = EXTENSIONS, chunk = MOST_CHUNK } = options;
  if (extensions.length === 0) return new Client(channel, new Set(), CHUNK, "/");
  try {
    const result = await channel.request("hello", { extensions, chunk });
    const granted = Array.isArray(result["extensions"]) ? result["extensions"] : [];
    const size = typeof result["chunk"] === "number" ? result["chunk"] : CHUNK;
    const root = typeof result["root"] === "string" ? result["root"] : "/";
    return new Client(channel, new Set(granted.filter(isExtension)), size, root);
  } catch (error) {
    if (error instanceof ProxyError && error.code === "E_UNSUPPORTED") {
      return new Client(channel, new Set(), CHUNK, "/");
    }
    await channel.close();
    throw error;
  }
}

/** True if a Vfs is a client of a server. */
export function isProxyClient(vfs: Vfs): vfs is ProxyClient {
  return vfs instanceof Client;
}

class Client implements ProxyClient {
  readonly root: string;
  readonly extensions: ReadonlySet<Extension>;
  readonly chunk: number;
  readonly #channel: RequestChannel;

  constructor(
    channel: RequestChannel,
    extensions: ReadonlySet<Extension>,
    chunk: number,
    root: string,
  ) {
    this.#channel = channel;
    this.extensions = extensions;
    this.chunk = chunk;
    this.root = root;
  }

  request(op: string, params: Params = {}): Promise<Params> {
    return this.#channel.request(op, params);
  }

  close(): Promise<void> {
    return this.#channel.close();
  }

  async stat(path: string): Promise<VfsInfo> {
    return infoOf(await this.#extended("stat", "look at", path, { path }));
  }

  async lstat(path: string): Promise<VfsInfo> {
    return infoOf(await this.#extended("lstat", "look at", path, { path }));
  }

  async read(path: string): Promise<VfsFile> {
    this.#require("stat", path, "read");
    const handle = await this.open(path, "r");
    const read = (at: number, into: Chunk) => handle.read(at, into);
    const file = vfsFile(path, handle.info, read, () => handle.close());
    const remote = remoteOf(handle);
    if (remote !== undefined) noteRemote(file, remote);
    return file;
  }

  async open(path: string, mode: VfsMode): Promise<VfsHandle> {
    const h = handleOf(await this.#do("open", "open", path, { path, mode }));
    const can = (name: Extension, action: string) => this.#require(name, path, action);
    const file = new RemoteFile({
      chunk: this.chunk,
      request: (op, params, action) => this.#do(op, action, path, { h, ...params }),
      requireSeek: (action) => can("seek", action),
      broken: (action) => new VfsError("EIO", path, action, "the answer does not fit the request"),
    });
    const stat = async () => {
      can("stat", "look at");
      return infoOf(await this.#do("stat", "look at", path, { h }));
    };
    const info: VfsInfo = this.extensions.has("stat")
      ? await stat()
      : { kind: "file", size: mode === "w" ? 0 : NaN };
    const opened = vfsHandle(path, mode, {
      info,
      stat,
      read: (at, into) => file.read(at, into),
      async write(at, bytes) {
        const place = at !== "end" ? at : mode === "a" ? undefined : (await stat()).size;
        await file.write(place, bytes);
      },
      truncate: async (size) => {
        can("truncate", "cut");
        await this.#do("truncate", "cut", path, { h, size });
      },
      close: async () => {
        await this.#do("close", "close", path, { h });
      },
    });
    noteRemote(opened, {
      ...{ client: this, handle: h, discard: () => opened.close() },
      align: (offset) => mode === "a" ? Promise.resolve() : file.moveTo(offset, "use"),
      settle: (offset) => file.position(offset, this.extensions.has("seek")),
    });
    return opened;
  }

  async write(path: string, { exclusive = false, mode }: VfsWriteOptions = {}): Promise<VfsOutput> {
    this.#require("replace", path, "write");
    if (mode !== undefined) throw new VfsError("ENOSYS", path, "set the mode of");
    const params = { path, mode: "w", replace: true, exclusive };
    const h = handleOf(await this.#do("open", "write", path, params));
    const file = new RemoteFile({
      chunk: this.chunk,
      request: (op, more, action) => this.#do(op, action, path, { h, ...more }),
      requireSeek: () => {},
      broken: (action) => new VfsError("EIO", path, action, "the answer does not fit the request"),
    });
    let ended: Promise<void> | undefined;
    const end = async (discard: boolean) => {
      await this.#do("close", "write", path, discard ? { h, discard } : { h });
    };
    const output: VfsOutput = {
      write: (bytes) =>
        ended === undefined
          ? file.write(undefined, bytes)
          : Promise.reject(new TypeError("Cannot write: the file is closed")),
      close: () => ended ??= end(false),
      abort: () => ended ??= end(true),
    };
    noteRemote(output, {
      ...{ client: this, handle: h, discard: () => output.abort() },
      align: () => Promise.resolve(),
      settle: (offset) => Promise.resolve(offset),
    });
    return output;
  }

  async mkdir(path: string, { parents = false, mode }: VfsMkdirOptions = {}): Promise<void> {
    if (mode !== undefined) throw new VfsError("ENOSYS", path, "set the mode of");
    await this.#extended("mkdir", "make the folder", path, { path, parents });
  }

  async *list(path: string): AsyncGenerator<VfsEntry, void, void> {
    let result = await this.#extended("list", "list", path, { path });
    let more: unknown;
    try {
      for (;;) {
        more = result["more"];
        yield* entriesOf(result["entries"]);
        if (more === undefined) return;
        result = await this.#do("list", "list", path, { h: more });
      }
    } finally {
      if (more !== undefined) {
        await this.#channel.request("close", { h: more }).catch(() => {});
      }
    }
  }

  async remove(path: string, { recursive = false } = {}): Promise<void> {
    await this.#extended("remove", "remove", path, { path, recursive });
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#extended("rename", "rename", from, { from, to });
  }

  async readlink(path: string): Promise<string> {
    const { target } = await this.#extended("readlink", "read the link", path, { path });
    return String(target);
  }

  async realpath(path: string): Promise<string> {
    const { path: real } = await this.#extended("realpath", "find", path, { path });
    return String(real);
  }

  async #extended(name: Extension, action: string, path: string, params: Params): Promise<Params> {
    this.#require(name, path, action);
    return await this.#do(name, action, path, params);
  }

  async #do(op: string, action: string, path: string, params: Params): Promise<Params> {
    // The server uses other codes for these two errors.
    const named = typeof params["path"] === "string" ? params["path"] : "?";
    if (named === "") throw new VfsError("ENOENT", path, action);
    if (named.includes("\0")) throw new VfsError("EINVAL", path, action);
    try {
      return await this.#channel.request(op, params);
    } catch (error) {
      throw error instanceof ProxyError ? toVfsError(error, path, action) : error;
    }
  }

  #require(name: Extension, path: string, action: string): void {
    if (this.extensions.has(name)) return;
    throw new VfsError("ENOSYS", path, action, `${name} was not negotiated with the server`);
  }
}

function handleOf(result: Params): number {
  const { handle } = result;
  if (typeof handle === "number") return handle;
  throw new ProxyError("E_IO", "the answer to open has no handle");
}

const KINDS: readonly VfsKind[] = ["file", "folder", "link", "other"];

function kindOf(value: unknown): VfsKind {
  return KINDS.find((kind) => kind === value) ?? "other";
}

function infoOf(fields: Params): VfsInfo {
  const { size, id } = fields;
  const number = (name: string) => {
    const value = fields[name];
    return typeof value === "number" ? value : undefined;
  };
  return {
    kind: kindOf(fields["kind"]),
    size: typeof size === "number" ? size : NaN,
    modified: number("modified"),
    mode: number("mode"),
    id: typeof id === "string" ? id : undefined,
    links: number("links"),
  };
}

function* entriesOf(value: unknown): Generator<VfsEntry, void, void> {
  if (!Array.isArray(value)) throw new ProxyError("E_IO", "the answer to list has no entries");
  for (const entry of value) {
    if (isParams(entry)) yield { name: String(entry["name"]), kind: kindOf(entry["kind"]) };
  }
}
