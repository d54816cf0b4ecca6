import process from "node:process";
import {
  type ByteSink,
  type ByteSource,
  type Chunk,
  LimitError,
  memoryAccess,
  MemorySink,
  type RandomAccess,
} from "../../src/streams/mod.ts";
import { PoisonSource } from "../../src/testing/poison_source.ts";
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

/** Folders that exist in the sandbox of the GNU tools. */
const FOLDERS = /^\/+((dev|etc|tmp|usr)\/*)?$/;

/** A folder in memory, with errors as the host's. Names of files in subfolders contain slashes. */
class Folder {
  readonly files: Map<string, Chunk>;
  readonly folders = new Set<string>();

  constructor(files: Readonly<Record<string, Chunk>>) {
    this.files = new Map(Object.entries(files));
    for (const name of this.files.keys()) {
      for (const { index } of name.matchAll(/\//g)) this.folders.add(name.slice(0, index));
    }
  }

  /** The name of a file in this folder, or the error code of an invalid path. */
  resolve(path: string): { name: string } | { code: string } {
    const parts = path.split("/");
    if (path === "") return { code: "ENOENT" };
    const long = parts.findIndex((part) => new TextEncoder().encode(part).length > 255);
    if (long >= 0) {
      const isThere = long === 0 || this.folders.has(parts.slice(0, long).join("/"));
      return { code: isThere ? "ENAMETOOLONG" : "ENOENT" };
    }
    const names = parts.filter((part) => part !== "." && part !== "");
    if (names.every((part) => part === "..")) return { code: "EISDIR" };
    if (path.startsWith("/")) return { code: FOLDERS.test(path) ? "EISDIR" : "ENOENT" };
    const at: string[] = [];
    for (const part of names.slice(0, -1)) {
      if (part === "..") at.pop();
      else at.push(part);
      const name = at.join("/");
      if (name === "" || this.folders.has(name)) continue;
      return { code: this.files.has(name) ? "ENOTDIR" : "ENOENT" };
    }
    at.push(names.at(-1) ?? "");
    const name = at.join("/");
    if (this.folders.has(name)) return { code: "EISDIR" };
    if (path.endsWith("/")) return { code: this.files.has(name) ? "ENOTDIR" : "EISDIR" };
    return { name };
  }

  /** True if the path exists, without final slashes. */
  has(path: string): boolean {
    const found = this.resolve(path.replace(/\/+$/, ""));
    return "code" in found ? found.code !== "ENOENT" : this.files.has(found.name);
  }

  mkdir(path: string): Promise<void> {
    const found = this.resolve(path);
    if ("code" in found) return fail(found.code === "EISDIR" ? "EEXIST" : found.code);
    if (this.files.has(found.name)) return fail("EEXIST");
    this.folders.add(found.name);
    return Promise.resolve();
  }

  rmdir(path: string): Promise<void> {
    const name = path.split("/").filter((part) => part !== "." && part !== "").join("/");
    if (!this.folders.has(name)) return fail("ENOENT");
    if (this.entries().some((entry) => entry.startsWith(`${name}/`))) return fail("ENOTEMPTY");
    this.folders.delete(name);
    return Promise.resolve();
  }

  entries(): string[] {
    return [...this.files.keys(), ...this.folders];
  }

  /** All files; empty folders have names that end with a slash. */
  outcome(): Record<string, Chunk> {
    const entries = this.entries();
    const empty = [...this.folders].filter((name) =>
      !entries.some((entry) => entry.startsWith(`${name}/`))
    );
    return Object.fromEntries([
      ...this.files,
      ...empty.map((name): [string, Chunk] => [`${name}/`, new Uint8Array(0)]),
    ]);
  }
}

/** Runs one of our builtins on poisoned chunks, of 1 to 20 bytes if the input is small. */
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
      // A file whose name ends with a slash can be neither created nor opened.
      if (/[^/.]\/+$/.test(path) && !folder.has(path)) return fail("ENOENT");
      if ("code" in found) return fail(found.code);
      const data = folder.files.get(found.name);
      return data === undefined ? fail("ENOENT") : Promise.resolve(source(data, true));
    },
    create: (path, append = false) => {
      // A /dev/stdout that the shrinker has cut: every file in the sandbox's /dev can be written.
      if (/^\/dev\/[^/]+$/.test(path)) return Promise.resolve(new MemorySink());
      const found = folder.resolve(path);
      // Outside of the folder the sandbox is read-only, and a final slash stands for a folder.
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
    mkdir: (path) => folder.mkdir(path),
    rmdir: (path) => folder.rmdir(path),
    // Permission bits are not compared.
    mode: () => Promise.resolve(0o644),
    chmod: () => Promise.resolve(),
    temp: () => Promise.resolve(memoryTemp(source)),
  };
  const stage = new Stage(test.command, argumentsOf(test), io);
  const out = new MemorySink();
  // Processor time, as for GNU's side: other load of the machine must not count.
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
    // A case that needs too much memory counts as endless.
    endless = controller.signal.aborted || error instanceof LimitError;
    if (!endless) warnings.push(`unexpected: ${error}\n`);
  } finally {
    clearInterval(timer);
  }
  return {
    // Endless output is long and not compared, so it is not sent.
    stdout: endless ? new Uint8Array(0) : out.bytes().slice(0, test.limit),
    stderr: warnings.join(""),
    status: test.limit === undefined ? stage.status ?? -1 : 0,
    files: folder.outcome(),
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
