import type { Chunk } from "../../streams/mod.ts";
import type { VfsEntry, VfsInfo, VfsMode } from "../types.ts";
import { ProxyError } from "./errors.ts";
import { type HandleTable, type OpenFile, readOn, writeOn } from "./handles.ts";
import { bytesOf, flagOf, numberOf, pathOf } from "./params.ts";
import { CHUNK, type Extension, isExtension, MOST_CHUNK, type Params } from "./protocol.ts";
import { llmcmd, quota } from "./llm_operations.ts";
import type { Answer, Session } from "./session.ts";

type Operation = (session: Session, params: Params) => Promise<Answer>;

/** Names in one answer to `list`: also the longest fit into a frame. */
const LIST_BATCH = 100;

const MODES: readonly VfsMode[] = ["r", "w", "a", "rw"];

function modeOf(params: Params): VfsMode {
  const value = pathOf(params, "mode");
  const mode = MODES.find((known) => known === value);
  if (mode === undefined) {
    throw new ProxyError("E_ARG", `mode ${value.slice(0, 20)} is none of r, w, a, rw`);
  }
  return mode;
}

async function hello(session: Session, params: Params): Promise<Answer> {
  const { extensions = [] } = params;
  if (!Array.isArray(extensions)) throw new ProxyError("E_ARG", "extensions is no list");
  const chunk = params["chunk"] === undefined ? CHUNK : numberOf(params, "chunk");
  if (chunk === 0) throw new ProxyError("E_ARG", "chunk is 0");
  const granted = extensions.filter(isExtension).filter((name) => session.offered.has(name));
  session.granted = new Set(granted);
  session.chunk = Math.max(CHUNK, Math.min(MOST_CHUNK, chunk));
  const root = session.granted.has("realpath") ? { root: session.vfs.root } : {};
  return await Promise.resolve({
    fields: { version: 1, extensions: [...session.granted], chunk: session.chunk, ...root },
  });
}

async function open(session: Session, params: Params): Promise<Answer> {
  const path = pathOf(params);
  const mode = modeOf(params);
  const replace = params["replace"] === undefined ? false : flagOf(params, "replace");
  if (replace && !session.granted.has("replace")) {
    throw new ProxyError("E_UNSUPPORTED", "replace was not asked for with hello");
  }
  if (replace && mode !== "w") throw new ProxyError("E_ARG", "replace takes mode w");
  const exclusive = replace && flagOf(params, "exclusive");
  const { vfs } = session;
  const { handle } = await session.handles.add(path, mode, async () => {
    if (replace) {
      return { kind: "replacement", output: await vfs.write(path, { exclusive }) };
    }
    return { kind: "file", file: await vfs.open(path, mode), offset: 0 };
  });
  return { fields: { handle } };
}

function read(session: Session, params: Params): Promise<Answer> {
  const handle = numberOf(params, "h");
  const wanted = numberOf(params, "max");
  if (wanted === 0) throw new ProxyError("E_ARG", "max is 0");
  if (wanted > session.chunk && !session.clamp) {
    throw new ProxyError("E_RANGE", `max is ${wanted}, more than ${session.chunk}`);
  }
  const max = Math.min(wanted, session.chunk);
  const into = async (fill: (into: Chunk) => Promise<number>) => {
    const bytes = session.lend(max);
    return { bytes, length: await fill(bytes.subarray(0, max)) };
  };
  return session.stdio.has(handle)
    ? into((bytes) => session.stdio.read(handle, bytes))
    : session.handles.use(handle, (file) => into((bytes) => readOn(file, bytes)));
}

async function write(session: Session, params: Params): Promise<Answer> {
  const handle = numberOf(params, "h");
  flagOf(params, "final");
  const data = bytesOf(params, "data");
  await (session.stdio.has(handle)
    ? session.stdio.write(handle, data)
    : session.handles.use(handle, (file) => writeOn(file, data)));
  return { fields: { written: data.length } };
}

async function close(session: Session, params: Params): Promise<Answer> {
  const handle = numberOf(params, "h");
  if (session.stdio.has(handle)) await session.stdio.close(handle);
  else if (flagOf(params, "discard")) await session.handles.discard(handle);
  else await session.handles.close(handle);
  return {};
}

/** The file behind a handle. */
function fileOf({ opened, handle }: OpenFile) {
  if (opened.kind === "file") return opened;
  throw new ProxyError("E_PERM", `handle ${handle} is no file that is open in place`);
}

function seek({ handles }: Session, params: Params): Promise<Answer> {
  const offset = numberOf(params, "offset");
  return handles.use(numberOf(params, "h"), (file) => {
    fileOf(file).offset = offset;
    return Promise.resolve({ fields: { offset } });
  });
}

async function stat({ vfs, handles }: Session, params: Params): Promise<Answer> {
  const info = params["h"] === undefined
    ? await vfs.stat(pathOf(params))
    : await handles.use(numberOf(params, "h"), (file) => fileOf(file).file.stat());
  return { fields: infoFields(info) };
}

function infoFields({ kind, size, modified, mode, id, links }: VfsInfo): Params {
  return { kind, size, modified, mode, id, links };
}

async function list({ vfs, handles }: Session, params: Params): Promise<Answer> {
  if (params["h"] !== undefined) return await nextEntries(handles, numberOf(params, "h"));
  const path = pathOf(params);
  const { handle } = await handles.add(
    path,
    "list",
    () => Promise.resolve({ kind: "listing", entries: vfs.list(path)[Symbol.asyncIterator]() }),
  );
  try {
    return await nextEntries(handles, handle);
  } catch (error) {
    await handles.close(handle);
    throw error;
  }
}

/** The next names; with `more`, the handle to ask for those after them. */
async function nextEntries(handles: HandleTable, handle: number): Promise<Answer> {
  const entries: VfsEntry[] = [];
  const over = await handles.use(handle, async ({ opened }) => {
    if (opened.kind !== "listing") throw new ProxyError("E_ARG", `handle ${handle} is no listing`);
    while (entries.length < LIST_BATCH) {
      const { done, value } = await opened.entries.next();
      if (done === true) return true;
      entries.push(value);
    }
    return false;
  });
  if (over) await handles.close(handle);
  return { fields: over ? { entries } : { entries, more: handle } };
}

async function truncate({ handles }: Session, params: Params): Promise<Answer> {
  const size = numberOf(params, "size");
  await handles.use(numberOf(params, "h"), async (file) => {
    if (file.mode === "r") {
      throw new ProxyError("E_PERM", `handle ${file.handle} was not opened for writing`);
    }
    await fileOf(file).file.truncate(size);
  });
  return {};
}

/** The operations of the specification, and those of extensions. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  hello,
  open,
  read,
  write,
  close,
  QUOTA: quota,
  LLMCMD: llmcmd,
};

/** Operations that a client must have asked for. */
export const EXTENDED: Readonly<Partial<Record<Extension, Operation>>> = {
  seek,
  stat,
  list,
  truncate,
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

/** Runs what a request asks for. */
export async function operate(session: Session, op: string, params: Params): Promise<Answer> {
  const known = Object.hasOwn(OPERATIONS, op) ? OPERATIONS[op] : undefined;
  if (known !== undefined) return await known(session, params);
  const extended = isExtension(op) ? EXTENDED[op] : undefined;
  if (isExtension(op) && extended !== undefined && session.offered.has(op)) {
    if (session.granted.has(op)) return await extended(session, params);
    throw new ProxyError("E_UNSUPPORTED", `${op} was not asked for with hello`);
  }
  throw new ProxyError("E_UNSUPPORTED", `the operation ${op.slice(0, 40)} is not supported`);
}
