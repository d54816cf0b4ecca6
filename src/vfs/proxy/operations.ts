import { type Chunk, pipe } from "../../streams/mod.ts";
import type { VfsEntry, VfsInfo, VfsMode } from "../types.ts";
import { ProxyError } from "./errors.ts";
import { isEndOfPipe, type OpenFile, readOn, writeOn } from "./handles.ts";
import { bytesOf, flagOf, numberOf, pathOf } from "./params.ts";
import { CHUNK, type Extension, isExtension, MOST_CHUNK, type Params } from "./protocol.ts";
import { llmcmd, quota } from "./llm_operations.ts";
import type { Answer, ProxyConnection } from "./connection.ts";

type Operation = (connection: ProxyConnection, params: Params) => Promise<Answer>;

/** Most entries in one answer to `list`: even the longest names fit into a frame. */
const LIST_BATCH = 100;

const MODES: readonly VfsMode[] = ["r", "w", "a", "rw"];

function modeOf(params: Params): VfsMode {
  const value = pathOf(params, "mode");
  const mode = MODES.find((known) => known === value);
  if (mode === undefined) {
    throw new ProxyError("E_ARG", `mode ${value.slice(0, 20)} is not one of r, w, a, rw`);
  }
  return mode;
}

async function hello(connection: ProxyConnection, params: Params): Promise<Answer> {
  const { extensions = [] } = params;
  if (!Array.isArray(extensions)) throw new ProxyError("E_ARG", "extensions is not a list");
  const chunk = params["chunk"] === undefined ? CHUNK : numberOf(params, "chunk");
  if (chunk === 0) throw new ProxyError("E_ARG", "chunk is 0");
  const granted = extensions.filter(isExtension).filter((name) => connection.offered.has(name));
  connection.granted = new Set(granted);
  connection.chunk = Math.max(CHUNK, Math.min(MOST_CHUNK, chunk));
  const root = connection.granted.has("realpath") ? { root: connection.vfs.root } : {};
  return await Promise.resolve({
    fields: { version: 1, extensions: [...connection.granted], chunk: connection.chunk, ...root },
  });
}

async function open(connection: ProxyConnection, params: Params): Promise<Answer> {
  const path = pathOf(params);
  const mode = modeOf(params);
  const replace = params["replace"] === undefined ? false : flagOf(params, "replace");
  if (replace && !connection.granted.has("replace")) {
    throw new ProxyError("E_UNSUPPORTED", "replace was not asked for with hello");
  }
  if (replace && mode !== "w") throw new ProxyError("E_ARG", "replace needs mode w");
  const exclusive = replace && flagOf(params, "exclusive");
  const { vfs } = connection;
  const { handle } = await connection.handles.add(path, mode, async () => {
    if (replace) {
      return { kind: "replacement", output: await vfs.write(path, { exclusive }) };
    }
    return { kind: "file", file: await vfs.open(path, mode), offset: 0 };
  });
  return { fields: { handle } };
}

/** Returns the handle of a request. An unserved standard stream is reported before other errors. */
function handleOf(connection: ProxyConnection, params: Params): number {
  const handle = numberOf(params, "h");
  connection.stdio.check(handle);
  return handle;
}

function read(connection: ProxyConnection, params: Params): Promise<Answer> {
  const handle = handleOf(connection, params);
  const wanted = numberOf(params, "max");
  if (wanted === 0) throw new ProxyError("E_ARG", "max is 0");
  if (wanted > connection.chunk && !connection.clamp) {
    throw new ProxyError("E_RANGE", `max is ${wanted}, more than ${connection.chunk}`);
  }
  const max = Math.min(wanted, connection.chunk);
  const into = async (fill: (into: Chunk) => Promise<number>) => {
    const bytes = connection.lend(max);
    return { bytes, length: await fill(bytes.subarray(0, max)) };
  };
  return connection.stdio.has(handle)
    ? into((bytes) => connection.stdio.read(handle, bytes))
    : inTurn(connection, handle, (file) => into((bytes) => readOn(file, bytes)));
}

/** Runs an action on a handle in its turn. An end of a pipe allows only one pending request. */
function inTurn<Result>(
  connection: ProxyConnection,
  handle: number,
  action: (file: OpenFile) => Promise<Result>,
): Promise<Result> {
  const { handles } = connection;
  if (!isEndOfPipe(handles.get(handle))) return handles.use(handle, action);
  if (handles.isBusy(handle)) {
    throw new ProxyError("E_RANGE", `handle ${handle} is a pipe: wait for the last answer`);
  }
  return connection.aside(() => handles.use(handle, action));
}

async function write(connection: ProxyConnection, params: Params): Promise<Answer> {
  const handle = handleOf(connection, params);
  flagOf(params, "final");
  const data = bytesOf(params, "data");
  await (connection.stdio.has(handle)
    ? connection.stdio.write(handle, data)
    : inTurn(connection, handle, (file) => writeOn(file, data)));
  return { fields: { written: data.length } };
}

async function close(connection: ProxyConnection, params: Params): Promise<Answer> {
  const handle = handleOf(connection, params);
  const { stdio, handles } = connection;
  if (stdio.has(handle)) await stdio.close(handle);
  else {
    const discard = flagOf(params, "discard");
    const end = () => discard ? handles.discard(handle) : handles.close(handle);
    await (isEndOfPipe(handles.get(handle)) ? connection.aside(end) : end());
  }
  return {};
}

/** Returns the file behind a handle. */
function fileOf({ opened, handle }: OpenFile) {
  if (opened.kind === "file") return opened;
  throw new ProxyError(
    "E_PERM",
    `handle ${handle} is a ${opened.kind}, not a file opened in place`,
  );
}

function seek(connection: ProxyConnection, params: Params): Promise<Answer> {
  const offset = params["offset"] === undefined ? undefined : numberOf(params, "offset");
  return inTurn(connection, numberOf(params, "h"), (file) => {
    const at = fileOf(file);
    at.offset = offset ?? at.offset;
    return Promise.resolve({ fields: { offset: at.offset } });
  });
}

async function stat(connection: ProxyConnection, params: Params): Promise<Answer> {
  const info = params["h"] === undefined
    ? await connection.vfs.stat(pathOf(params))
    : await inTurn(connection, numberOf(params, "h"), (file) => fileOf(file).file.stat());
  return { fields: infoFields(info) };
}

function infoFields({ kind, size, modified, mode, id, links }: VfsInfo): Params {
  return { kind, size, modified, mode, id, links };
}

async function list(connection: ProxyConnection, params: Params): Promise<Answer> {
  if (params["h"] !== undefined) return await nextEntries(connection, numberOf(params, "h"));
  const { vfs, handles } = connection;
  const path = pathOf(params);
  const { handle } = await handles.add(
    path,
    "list",
    () => Promise.resolve({ kind: "listing", entries: vfs.list(path)[Symbol.asyncIterator]() }),
  );
  try {
    return await nextEntries(connection, handle);
  } catch (error) {
    await handles.close(handle);
    throw error;
  }
}

/** Returns the next entries. `more` is the handle to ask for further ones. */
async function nextEntries(connection: ProxyConnection, handle: number): Promise<Answer> {
  const entries: VfsEntry[] = [];
  const over = await inTurn(connection, handle, async ({ opened }) => {
    if (opened.kind !== "listing") {
      throw new ProxyError("E_ARG", `handle ${handle} is not a listing`);
    }
    while (entries.length < LIST_BATCH) {
      const { done, value } = await opened.entries.next();
      if (done === true) return true;
      entries.push(value);
    }
    return false;
  });
  if (over) await connection.handles.close(handle);
  return { fields: over ? { entries } : { entries, more: handle } };
}

async function truncate(connection: ProxyConnection, params: Params): Promise<Answer> {
  const size = numberOf(params, "size");
  await inTurn(connection, numberOf(params, "h"), async (file) => {
    if (file.mode === "r") {
      throw new ProxyError("E_PERM", `handle ${file.handle} was not opened for writing`);
    }
    await fileOf(file).file.truncate(size);
  });
  return {};
}

/** Creates two handles: data written to one is read from the other. */
async function makePipe({ handles }: ProxyConnection, params: Params): Promise<Answer> {
  const name = params["name"] === undefined ? "pipe" : pathOf(params, "name");
  const { source, sink } = pipe();
  const reader = await handles.add(
    name,
    "r",
    () => Promise.resolve({ kind: "pipe to read", source, rest: new Uint8Array(0) }),
  );
  try {
    const writer = await handles.add(
      name,
      "w",
      () => Promise.resolve({ kind: "pipe to write", sink }),
    );
    return { fields: { read: reader.handle, write: writer.handle } };
  } catch (error) {
    await handles.close(reader.handle);
    throw error;
  }
}

/** The operations of the specification. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  hello,
  open,
  read,
  write,
  close,
  QUOTA: quota,
  LLMCMD: llmcmd,
};

/** Operations that a client must request as extensions. */
export const EXTENDED: Readonly<Partial<Record<Extension, Operation>>> = {
  seek,
  stat,
  list,
  truncate,
  pipe: makePipe,
  lstat: async ({ vfs }, params) => ({ fields: infoFields(await vfs.lstat(pathOf(params))) }),
  mkdir: async ({ vfs }, params) => {
    await vfs.mkdir(pathOf(params), { parents: flagOf(params, "parents") });
    return {};
  },
  remove: async ({ vfs }, params) => {
    await vfs.remove(pathOf(params), { recursive: flagOf(params, "recursive") });
    return {};
  },
  rename: async ({ vfs }, params) => {
    await vfs.rename(pathOf(params, "from"), pathOf(params, "to"));
    return {};
  },
  readlink: async ({ vfs }, params) => ({ fields: { target: await vfs.readlink(pathOf(params)) } }),
  realpath: async ({ vfs }, params) => ({ fields: { path: await vfs.realpath(pathOf(params)) } }),
};

/** Runs the operation of a request. */
export async function operate(
  connection: ProxyConnection,
  op: string,
  params: Params,
): Promise<Answer> {
  const known = Object.hasOwn(OPERATIONS, op) ? OPERATIONS[op] : undefined;
  if (known !== undefined) return await known(connection, params);
  const extended = isExtension(op) ? EXTENDED[op] : undefined;
  if (isExtension(op) && extended !== undefined && connection.offered.has(op)) {
    if (connection.granted.has(op)) return await extended(connection, params);
    throw new ProxyError("E_UNSUPPORTED", `${op} was not asked for with hello`);
  }
  throw new ProxyError("E_UNSUPPORTED", `the operation ${op.slice(0, 40)} is not supported`);
}
