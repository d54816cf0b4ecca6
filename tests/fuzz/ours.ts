import process from "node:process";
import {
  type ByteSink,
  type ByteSource,
  type Chunk,
  LimitError,
  memoryAccess,
  MemorySink,
  PoisonSource,
  type RandomAccess,
} from "../../src/streams/mod.ts";
import { type BuiltinIo, Stage } from "../../src/builtins/mod.ts";
import { randomFrom } from "../../src/builtins/_testing.ts";
import {
  argumentsOf,
  type FuzzCase,
  type FuzzOutcome,
  MAX_OUTPUT,
  OUR_SHARE,
  SECONDS,
} from "./case.ts";

class PoisonFile extends PoisonSource {
  readonly at: RandomAccess;

  constructor(data: Chunk, sizes: () => Iterable<number>) {
    super(data, sizes);
    this.at = memoryAccess(data);
  }
}

function fail(code: string): Promise<never> {
  return Promise.reject(Object.assign(new Error(code), { code }));
}

/** Folders of the sandbox in which GNU's run. */
const FOLDERS = /^\/+((dev|etc|tmp|usr)\/*)?$/;

/** A folder in memory, with errors as the host's. */
class Folder {
  readonly files: Map<string, Chunk>;

  constructor(files: Readonly<Record<string, Chunk>>) {
    this.files = new Map(Object.entries(files));
  }

  /** The name of a file in this folder, or the error code of a path that is none. */
  resolve(path: string): { name: string } | { code: string } {
    const parts = path.split("/");
    if (path === "") return { code: "ENOENT" };
    if (parts.some((part) => new TextEncoder().encode(part).length > 255)) {
      return { code: "ENAMETOOLONG" };
    }
    const names = parts.filter((part) => part !== "." && part !== "");
    if (names.every((part) => part === "..")) return { code: "EISDIR" };
    const [name, ...rest] = names;
    if (path.startsWith("/")) return { code: FOLDERS.test(path) ? "EISDIR" : "ENOENT" };
    if (name === undefined) return { code: "EISDIR" };
    const known = this.files.has(name);
    if (rest.length > 0) return { code: known ? "ENOTDIR" : "ENOENT" };
    if (path.endsWith("/")) return { code: known ? "ENOTDIR" : "EISDIR" };
    return { name };
  }
}

/** Runs one of our builtins on poisoned chunks, of 1 to 20 bytes where the input is small. */
export async function runOurCase(test: FuzzCase, seed: number): Promise<FuzzOutcome> {
  const random = randomFrom(seed);
  const source = (data: Chunk, seekable: boolean): ByteSource => {
    const small = data.length <= 20_000 && random() < 0.9;
    const sizes = function* (): Iterable<number> {
      for (;;) yield small ? 1 + Math.floor(random() * 20) : 65536;
    };
    return seekable ? new PoisonFile(data, sizes) : new PoisonSource(data, sizes);
  };
  const folder = new Folder(test.files);
  const warnings: string[] = [];
  const controller = new AbortController();
  const io: BuiltinIo = {
    stdin: source(test.stdin, test.seekable),
    signal: controller.signal,
    warn: (message) => void warnings.push(`${message}\n`),
    open: (path) => {
      const found = folder.resolve(path);
      if ("code" in found) return fail(found.code);
      const data = folder.files.get(found.name);
      return data === undefined ? fail("ENOENT") : Promise.resolve(source(data, true));
    },
    create: (path, append = false) => {
      // Where the shrinker has cut /dev/stdout: anything can be written in the sandbox's /dev.
      if (/^\/dev\/[^/]+$/.test(path)) return Promise.resolve(new MemorySink());
      const found = folder.resolve(path);
      // Outside of the folder the sandbox is read-only, and a final slash asks for a folder.
      if (FOLDERS.test(path) || /^\/+[^/]+\/+$/.test(path)) return fail("EISDIR");
      if (/^\/+[^/]+$/.test(path)) return fail("EROFS");
      if ("code" in found) return fail(found.code);
      return Promise.resolve(fileSink(folder, found.name, append));
    },
    remove: (path) => {
      const found = folder.resolve(path);
      if ("code" in found) return fail(found.code);
      return folder.files.delete(found.name) ? Promise.resolve() : fail("ENOENT");
    },
    temp: () => Promise.resolve(memoryTemp(source)),
  };
  const stage = new Stage(test.command, argumentsOf(test), io);
  const out = new MemorySink();
  // Processor time, as for GNU's side: what else the machine does must not count.
  const start = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(start);
    if (user + system > SECONDS * OUR_SHARE * 1e6) controller.abort();
  }, 100);
  let endless = false;
  try {
    for await (const chunk of stage) {
      await out.write(chunk);
      if (out.length < (test.limit ?? MAX_OUTPUT)) continue;
      endless = test.limit === undefined;
      break;
    }
  } catch (error) {
    // What needs too much memory has no end either.
    endless = controller.signal.aborted || error instanceof LimitError;
    if (!endless) warnings.push(`unexpected: ${error}\n`);
  } finally {
    clearInterval(timer);
  }
  return {
    // What has no end is not compared, and long.
    stdout: endless ? new Uint8Array(0) : out.bytes().slice(0, test.limit),
    stderr: warnings.join(""),
    status: test.limit === undefined ? stage.status ?? -1 : 0,
    files: Object.fromEntries(folder.files),
    ...(endless && { endless }),
  };
}

function fileSink(folder: Folder, name: string, append: boolean): ByteSink {
  let at = append ? -1 : 0;
  if (!append || !folder.files.has(name)) folder.files.set(name, new Uint8Array(0));
  return {
    write: async (chunk) => {
      const before = folder.files.get(name) ?? new Uint8Array(0);
      const offset = at < 0 ? before.length : at;
      if (offset > MAX_OUTPUT) await fail("EFBIG");
      const after = new Uint8Array(Math.max(before.length, offset + chunk.length));
      after.set(before);
      after.set(chunk, offset);
      folder.files.set(name, after);
      if (at >= 0) at += chunk.length;
    },
    close: () => Promise.resolve(),
  };
}

function memoryTemp(source: (data: Chunk, seekable: boolean) => ByteSource) {
  return {
    create: () => {
      const sink = new MemorySink();
      return Promise.resolve({ sink, open: () => Promise.resolve(source(sink.bytes(), true)) });
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
