// Test helpers of this room, not part of the shipped program.
import assert from "node:assert/strict";
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
import { Stage } from "./run/stage.ts";
import { gnuAnswers } from "../../tests/gnu/answers.ts";
import { commandLine, type GnuAnswer, sameData, shownData } from "../../tests/gnu/case.ts";
import { testSeed } from "../streams/_testing.ts";

/** Result of a command. `files` has the final contents of the files to compare. */
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
  /** True if standard input is a regular file (`<in`), false (the default) if it is a pipe. */
  seekable?: boolean;
  /** Files in the working folder. */
  files?: Readonly<Record<string, Chunk>>;
  /** Names of files whose final contents are compared. */
  compare?: readonly string[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A text as UTF-8 bytes. */
export function bytes(text: string): Chunk {
  return encoder.encode(text);
}

/** Text with one character a byte, for readable assertions. */
export function latin1(data: Uint8Array): string {
  let text = "";
  for (let i = 0; i < data.length; i += 8192) {
    text += String.fromCharCode(...data.subarray(i, i + 8192));
  }
  return text;
}

/** Random numbers in [0, 1), determined by the seed (mulberry32). */
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

/** Kinds of input on which every command must match GNU. */
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

/** Splits a command line at spaces. `'...'`, `"..."` and a backslash outside of them quote. */
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

/**
 * A regular file whose chunks are overwritten after use, to find builtins that keep lent chunks.
 */
class PoisonFile extends PoisonSource {
  readonly at: RandomAccess;

  constructor(data: Chunk, sizes: () => Iterable<number>) {
    super(data, sizes);
    this.at = memoryAccess(data);
  }
}

/**
 * Runs one of our builtins on chunks that are overwritten after use. Small inputs come mostly in
 * chunks of 1 to 20 bytes, or larger ones so that there are at most a few hundred.
 */
export async function runOurs(
  command: string | Builtin,
  test: Case,
  random: () => number = Math.random,
): Promise<Outcome> {
  const stdin = test.stdin ?? new Uint8Array(0);
  const source = (data: Chunk, seekable: boolean): ByteSource => {
    const small = data.length <= 20_000 && random() < 0.9;
    const most = Math.max(20, data.length / 100);
    const sizes = function* (): Iterable<number> {
      for (;;) yield small ? 1 + Math.floor(random() * most) : 65536;
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

function sameOutcome(a: Outcome, b: GnuAnswer, normalise: (text: string) => string): boolean {
  return a.status === b.status &&
    normalise(a.stderr) === normalise(decoder.decode(b.stderr)) &&
    sameData(a.stdout, b.stdout) &&
    Object.keys(a.files).every((name) => sameData(a.files[name], b.files[name]));
}

function show(
  { status, stdout, files }: Pick<Outcome | GnuAnswer, "status" | "stdout" | "files">,
  stderr: string,
): string {
  const texts = Object.entries(files).map(([name, data]) => [name, data && shownData(data)]);
  return JSON.stringify([status, stderr, shownData(stdout), ...(texts.length > 0 ? [texts] : [])]);
}

/** Options of comparing a builtin with the GNU tool. */
export interface ComparisonOptions {
  /** Changes standard error on both sides before it is compared. */
  normalise?: (stderr: string) => string;
  /** True if a case is left out, judging by the builtin's result. */
  except?: (ours: Outcome) => boolean;
}

/** A case with a name that distinguishes it from others with the same arguments. */
export type NamedCase = Case & { readonly name?: string };

/**
 * Asserts that in each case a builtin does what is recorded for the GNU tool of the same name:
 * standard output, standard error, status, files. A case without a record is an error (`deno task
 * gnu --update` records it).
 */
export async function agreeOn(
  command: string,
  tests: readonly NamedCase[],
  options: ComparisonOptions = {},
): Promise<void> {
  const answers = gnuAnswers(command, tests);
  if (answers !== undefined) await agreeWith(command, tests, answers, options);
}

/** Asserts that a builtin gives the expected answer in each case, by index. */
export async function agreeWith(
  command: string,
  tests: readonly NamedCase[],
  expected: readonly GnuAnswer[],
  { normalise = (text) => text, except = () => false }: ComparisonOptions = {},
): Promise<void> {
  // The seed only affects the sizes of chunks; the cases are fixed.
  const seed = testSeed();
  const random = randomFrom(seed);
  const differences: string[] = [];
  const shownLines = new Set<string>();
  for (const [i, test] of tests.entries()) {
    const gnu = expected[i];
    assert.ok(gnu !== undefined);
    const ours = await runOurs(command, test, random);
    if (except(ours) || sameOutcome(ours, gnu, normalise)) continue;
    // One report for each command line is enough.
    const line = commandLine(command, test);
    if (shownLines.has(line)) {
      differences.push("");
      continue;
    }
    shownLines.add(line);
    const a = show(ours, normalise(ours.stderr));
    const b = show(gnu, normalise(decoder.decode(gnu.stderr)));
    let at = 0;
    while (at < a.length && a[at] === b[at]) at++;
    at = Math.max(0, at - 150);
    const input = `${test.seekable === true ? "file" : "pipe"}: ${test.name ?? i}`;
    differences.push(
      `${line} (${input})\n  ours ${a.slice(at, at + 300)}\n  GNU  ${b.slice(at, at + 300)}`,
    );
  }
  assert.equal(
    differences.length,
    0,
    `${differences.length} of ${tests.length} differ (seed ${seed}):\n` +
      differences.filter((text) => text !== "").slice(0, 12).join("\n"),
  );
}

/** Options of {@linkcode agree}. */
export interface AgreeOptions extends ComparisonOptions {
  /**
   * Standard inputs by name, all used with each line; default: a changing selection of {@linkcode
   * inputs}.
   */
  inputs?: Readonly<Record<string, Chunk>>;
  /**
   * Files by name. By default `f` has the contents of standard input and `g` a short text;
   * `missing` does not exist and `.` is a folder.
   */
  files?: Readonly<Record<string, Chunk>>;
  /** Names of files to compare afterwards. */
  compare?: readonly string[];
  /** True (the default) if standard input is a regular file in half of the cases. */
  seekable?: boolean;
}

const G = bytes("alpha\nbeta\ngamma\n");

/** Every third of the inputs, varying by line; the long one, which is slow, less often. */
function inputsOfLine(line: number): [string, Chunk][] {
  return Object.entries(inputs).filter(([name], i) =>
    name === "long line" ? line % 9 === 0 : (line + i) % 3 === 0
  );
}

/**
 * Asserts that for each command line (split by {@linkcode words}) and input, a builtin does what is
 * recorded for the GNU tool of the same name; see {@linkcode agreeOn}.
 */
export async function agree(
  command: string,
  lines: readonly (string | readonly string[])[],
  { inputs: given, files, compare, seekable = true, ...options }: AgreeOptions = {},
): Promise<void> {
  const tests = lines.flatMap((line, i) =>
    (given === undefined ? inputsOfLine(i) : Object.entries(given)).map(([name, stdin], j) => ({
      name,
      args: typeof line === "string" ? words(line) : line,
      stdin,
      seekable: seekable && (i + j) % 2 === 0,
      files: { f: stdin, g: G, ...files },
      ...(compare !== undefined && { compare }),
    }))
  );
  await agreeOn(command, tests, options);
}
