// Helpers of the tests in this room: never imported by what is shipped.
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import {
  type ByteSource,
  type Chunk,
  memoryAccess,
  MemorySink,
  memorySource,
  type RandomAccess,
} from "../streams/mod.ts";
import { PoisonSource } from "../testing/poison_source.ts";
import type { Builtin, BuiltinIo, TempStore } from "./builtin.ts";
import { Stage } from "./core/stage.ts";
import { testSeed } from "../streams/_testing.ts";

/** What a command did. `files` holds the files after it, where they were asked for. */
export interface Outcome {
  stdout: Chunk;
  stderr: string;
  status: number;
  files: Record<string, Chunk | undefined>;
}

/** One command line on one input. */
export interface Case {
  args: readonly string[];
  /** Standard input; empty when absent. */
  stdin?: Chunk;
  /** Whether standard input is a regular file (`<in`) or a pipe (the default). */
  seekable?: boolean;
  /** Files in the working folder. */
  files?: Readonly<Record<string, Chunk>>;
  /** Names of files that are compared afterwards. */
  compare?: readonly string[];
}

const encoder = new TextEncoder();

/** A text as UTF-8 bytes. */
export function bytes(text: string): Chunk {
  return encoder.encode(text);
}

/** The text of bytes of which each is one character: for readable assertions. */
export function latin1(data: Uint8Array): string {
  let text = "";
  for (let i = 0; i < data.length; i += 8192) {
    text += String.fromCharCode(...data.subarray(i, i + 8192));
  }
  return text;
}

/** Random numbers in [0, 1) that a seed repeats (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = state;
    x = Math.imul(x ^ (x >>> 15), x | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };
}

/** The kinds of input that every command must agree on. */
export const inputs: Readonly<Record<string, Chunk>> = {
  text: bytes(
    "the quick brown fox\njumps over\tthe lazy dog\n\n\n\n  indented  words \nTHE END\n" +
      "10 apples\n9 pears\n-3 plums\n2.5 kiwis\nthe quick brown fox\n",
  ),
  utf8: bytes(
    "caf\u00e9 na\u00efve\n\u65e5\u672c\u8a9e \u30c6\u30b9\u30c8\n\u{1f600} smile\u3000wide\nz\u00fcrich\n",
  ),
  empty: new Uint8Array(0),
  "no final newline": bytes("one\ntwo\nthree"),
  CRLF: bytes("b\r\na\r\n\r\nc d\r\n"),
  "one newline": bytes("\n"),
  NULs: bytes("b\0a\0\0c\nd\0\n\0e"),
  "invalid UTF-8": new Uint8Array([
    ...bytes("ok\n"),
    0xff,
    0xfe,
    0x20,
    0xc3,
    0x0a,
    0xe3,
    0x81,
    0x0a,
    0x80,
    0x41,
    0xc0,
    0x80,
    0x0a,
    0xf5,
    0x62,
    0x0a,
  ]),
  "every byte": Uint8Array.from({ length: 768 }, (_, i) => (i * 7) & 255),
  "long line": bytes("x".repeat(700_000) + " \t" + "y\u00e9".repeat(120_000) + "\nshort\n"),
};

/** Splits a command line at spaces; `'...'` and `"..."` quote, a backslash outside them too. */
export function words(line: string): string[] {
  const found: string[] = [];
  for (const match of line.matchAll(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+/g)) {
    found.push(
      match[0].replace(
        /'([^']*)'|"([^"]*)"|\\(.)/g,
        (_, single, double, escaped) => single ?? double ?? escaped,
      ),
    );
  }
  return found;
}

/** A file whose chunks die, as a builtin may meet it. */
class PoisonFile extends PoisonSource {
  readonly at: RandomAccess;

  constructor(data: Chunk, sizes: () => Iterable<number>) {
    super(data, sizes);
    this.at = memoryAccess(data);
  }
}

/** Runs one of our builtins on poisoned chunks, of 1 to 20 bytes where the input is small. */
export async function runOurs(
  command: string | Builtin,
  test: Case,
  random: () => number = Math.random,
): Promise<Outcome> {
  const stdin = test.stdin ?? new Uint8Array(0);
  const source = (data: Chunk, seekable: boolean): ByteSource => {
    const small = data.length <= 20_000 && random() < 0.9;
    const sizes = function* (): Iterable<number> {
      for (;;) yield small ? 1 + Math.floor(random() * 20) : 65536;
    };
    return seekable ? new PoisonFile(data, sizes) : new PoisonSource(data, sizes);
  };
  const files = new Map(Object.entries(test.files ?? {}));
  const warnings: string[] = [];
  const io: BuiltinIo = {
    stdin: source(stdin, test.seekable ?? false),
    signal: new AbortController().signal,
    warn: (message) => void warnings.push(`${message}\n`),
    open: (path) => {
      const data = files.get(path);
      const code = path === "." ? "EISDIR" : "ENOENT";
      if (data !== undefined) return Promise.resolve(source(data, true));
      return Promise.reject(Object.assign(new Error(`${code} ${path}`), { code }));
    },
    create: (path, append = false) => {
      const code = path === "." ? "EISDIR" : path.includes("/") ? "ENOENT" : undefined;
      if (code !== undefined) return Promise.reject(Object.assign(new Error(code), { code }));
      const sink = new MemorySink();
      const before = append ? files.get(path) ?? new Uint8Array(0) : new Uint8Array(0);
      const update = (): void => {
        const after = new Uint8Array(before.length + sink.length);
        after.set(before);
        after.set(sink.bytes(), before.length);
        files.set(path, after);
      };
      update();
      return Promise.resolve({
        write: async (chunk) => {
          await sink.write(chunk);
          update();
        },
        close: () => sink.close(),
      });
    },
    remove: (path) => {
      if (files.delete(path)) return Promise.resolve();
      return Promise.reject(Object.assign(new Error("ENOENT"), { code: "ENOENT" }));
    },
    temp: () => Promise.resolve(memoryTemp(source)),
  };
  const stage = new Stage(command, test.args, io);
  const out = new MemorySink();
  for await (const chunk of stage) await out.write(chunk);
  assert.notEqual(stage.status, undefined);
  return {
    stdout: out.bytes(),
    stderr: warnings.join(""),
    status: stage.status ?? -1,
    files: Object.fromEntries((test.compare ?? []).map((name) => [name, files.get(name)])),
  };
}

/** Temporary storage in memory. */
export function memoryTemp(
  source: (data: Chunk, seekable: boolean) => ByteSource = (data, seekable) =>
    memorySource(data, { seekable }),
): TempStore {
  return {
    create: () => {
      const sink = new MemorySink();
      return Promise.resolve({ sink, open: () => Promise.resolve(source(sink.bytes(), true)) });
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function shellWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * Runs the GNU tool on each case, in C.UTF-8 with an otherwise empty environment. One shell runs
 * them all: a process a case would take most of the tests' time. `undefined` where there is no
 * such tool.
 */
export async function runGnu(
  command: string,
  cases: readonly Case[],
): Promise<Outcome[] | undefined> {
  const folder = await Deno.makeTempDir();
  try {
    const known = new Map<Chunk, string>();
    const folders = new Map<string, string>();
    const save = async (data: Chunk): Promise<string> => {
      const before = known.get(data);
      if (before !== undefined) return before;
      const name = `${folder}/in.${known.size}`;
      known.set(data, name);
      await Deno.writeFile(name, data);
      return name;
    };
    const lines: string[] = [`command -v ${command} >/dev/null || exit 99`];
    for (const [i, test] of cases.entries()) {
      const stdin = await save(test.stdin ?? new Uint8Array(0));
      const run = `${command} ${
        test.args.map(shellWord).join(" ")
      } >${folder}/o.${i} 2>${folder}/e.${i}`;
      const entries = Object.entries(test.files ?? {});
      const key = (await Promise.all(entries.map(async ([name, data]) => [name, await save(data)])))
        .join("\0");
      const shared = test.compare === undefined ? folders.get(key) : undefined;
      const own = shared ?? `${folder}/d.${i}`;
      if (shared === undefined) {
        await Deno.mkdir(own);
        for (const [name, data] of entries) await Deno.writeFile(`${own}/${name}`, data);
        if (test.compare === undefined) folders.set(key, own);
      }
      lines.push(`cd ${own}`);
      lines.push(test.seekable === true ? `${run} <${stdin}` : `cat ${stdin} 2>/dev/null | ${run}`);
      lines.push(`echo $? >>${folder}/status`);
    }
    await Deno.writeTextFile(`${folder}/script`, lines.join("\n"));
    const { code } = await new Deno.Command("sh", {
      args: [`${folder}/script`],
      clearEnv: true,
      env: { PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin", LC_ALL: "C.UTF-8" },
      stdin: "null",
      stderr: "null",
    }).output();
    if (code === 99) return undefined;
    const statuses = (await Deno.readTextFile(`${folder}/status`)).trim().split("\n").map(Number);
    assert.equal(statuses.length, cases.length);
    return await Promise.all(cases.map(async (test, i) => ({
      stdout: await Deno.readFile(`${folder}/o.${i}`),
      stderr: await Deno.readTextFile(`${folder}/e.${i}`),
      status: statuses[i] ?? -1,
      files: Object.fromEntries(
        await Promise.all((test.compare ?? []).map(async (name) => [
          name,
          await Deno.readFile(`${folder}/d.${i}/${name}`).catch(() => undefined),
        ])),
      ),
    })));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function sameBytes(a: Chunk | undefined, b: Chunk | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.length === b.length && Buffer.compare(a, b) === 0;
}

function sameOutcome(a: Outcome, b: Outcome, normalise: (text: string) => string): boolean {
  return a.status === b.status && normalise(a.stderr) === normalise(b.stderr) &&
    sameBytes(a.stdout, b.stdout) &&
    Object.keys(a.files).every((name) => sameBytes(a.files[name], b.files[name]));
}

function show(outcome: Outcome | undefined, normalise: (text: string) => string): string {
  if (outcome === undefined) return "nothing";
  const files = Object.entries(outcome.files).map(([name, data]) => [name, data && latin1(data)]);
  return JSON.stringify([
    outcome.status,
    normalise(outcome.stderr),
    latin1(outcome.stdout),
    ...(files.length > 0 ? [files] : []),
  ]);
}

/** Options of {@linkcode agree}. */
export interface AgreeOptions {
  /** What runs the GNU tool, where its name means a shell's own command: `env echo`. */
  program?: string;
  /** Standard inputs by name; by default {@linkcode inputs}. */
  inputs?: Readonly<Record<string, Chunk>>;
  /**
   * Files by name. By default `f` is the same as standard input, `g` a short text; `missing` and
   * `.` are what they say.
   */
  files?: Readonly<Record<string, Chunk>>;
  /** Names of files to compare afterwards. */
  compare?: readonly string[];
  /** Changes standard error before it is compared, on both sides. */
  normalise?: (stderr: string) => string;
  /** Whether standard input is a regular file in half of the cases. Default true. */
  seekable?: boolean;
}

const G = bytes("alpha\nbeta\ngamma\n");

/**
 * Asserts that a builtin and the GNU tool of the same name do the same on each command line (split
 * by {@linkcode words}) and each input: standard output, standard error, status, files.
 */
export async function agree(
  command: string,
  lines: readonly (string | readonly string[])[],
  options: AgreeOptions = {},
): Promise<void> {
  const seed = testSeed();
  const random = randomFrom(seed);
  const tests = lines.flatMap((line, i) =>
    Object.entries(options.inputs ?? inputs).filter(([input]) =>
      // The long one takes the most time, and shows the same on every fourth line.
      input !== "long line" || i % 4 === 0
    ).map(([input, stdin], j) => ({
      input,
      args: typeof line === "string" ? words(line) : line,
      stdin,
      seekable: options.seekable !== false && (i + j) % 2 === 0,
      files: { f: stdin, g: G, ...options.files },
      ...(options.compare !== undefined && { compare: options.compare }),
    }))
  );
  const expected = await runGnu(options.program ?? command, tests);

  if (expected === undefined) {
    console.log(`SKIPPED: there is no ${command} on this machine`);
    return;
  }
  const normalise = options.normalise ?? ((text) => text);
  const differences: string[] = [];
  const shownLines = new Set<string>();
  for (const [i, test] of tests.entries()) {
    const gnu = expected[i];
    const ours = await runOurs(command, test, random);
    if (gnu !== undefined && sameOutcome(ours, gnu, normalise)) continue;
    // One report a command line is enough to begin with.
    const line = test.args.join("\0");
    if (shownLines.has(line)) {
      differences.push("");
      continue;
    }
    shownLines.add(line);
    const [a, b] = [show(ours, normalise), show(gnu, normalise)];
    let at = 0;
    while (at < a.length && a[at] === b[at]) at++;
    at = Math.max(0, at - 150);
    differences.push(
      `${command} ${test.args.map(shellWord).join(" ")} (${
        test.seekable ? "file" : "pipe"
      }: ${test.input})\n  ours ${a.slice(at, at + 300)}\n  GNU  ${b.slice(at, at + 300)}`,
    );
  }

  assert.equal(
    differences.length,
    0,
    `${differences.length} of ${tests.length} differ (seed ${seed}):\n` +
      differences.filter((text) => text !== "").slice(0, 12).join("\n"),
  );
}
