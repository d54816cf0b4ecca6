import { type ByteSource, type Chunk, LimitError } from "../streams/mod.ts";

/** The most that is held of each file, in bytes. */
export const MAX_FILE = 64 * 1024 * 1024;
/** A NUL among this many first bytes makes a file a binary one. */
const PROBE = 4096;
const LF = 10;
const CR = 13;

/** A file in lines. */
export interface TextFile {
  /** The bytes; each line ends with a newline, also a last one that lacked it. */
  readonly bytes: Chunk;
  /** Where each line starts, and where the last one ends. */
  readonly starts: Int32Array;
  /** How many lines there are. */
  readonly count: number;
  /** Whether the last line lacked its newline. */
  readonly incomplete: boolean;
}

/**
 * Reads a file whole.
 *
 * @throws {LimitError} If it is longer than {@linkcode MAX_FILE}.
 */
export async function readWhole(source: ByteSource, name: string): Promise<Chunk> {
  let bytes: Chunk = new Uint8Array(Math.min(source.at?.size ?? 0, MAX_FILE) + 4096);
  let length = 0;
  for await (const chunk of source) {
    if (length + chunk.length > MAX_FILE) {
      throw new LimitError(
        { name: "file size", max: MAX_FILE },
        `${name}: File is longer than ${MAX_FILE} bytes, the most that is held in memory`,
      );
    }
    if (length + chunk.length > bytes.length) {
      const grown = new Uint8Array(Math.max(bytes.length * 2, length + chunk.length));
      grown.set(bytes.subarray(0, length));
      bytes = grown;
    }
    bytes.set(chunk, length);
    length += chunk.length;
  }
  return bytes.subarray(0, length);
}

/** Whether a file is not text. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, PROBE).includes(0);
}

/** Cuts a file into lines; `stripCr` takes carriage returns before newlines away. */
export function splitLines(data: Chunk, stripCr = false): TextFile {
  const incomplete = data.length > 0 && data[data.length - 1] !== LF;
  let bytes = data;
  if (incomplete) {
    bytes = new Uint8Array(data.length + 1);
    bytes.set(data);
    bytes[data.length] = LF;
  }
  if (stripCr) bytes = withoutCr(bytes);
  let count = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) count++;
  const starts = new Int32Array(count + 1);
  for (let line = 1; line <= count; line++) {
    starts[line] = bytes.indexOf(LF, starts[line - 1]) + 1;
  }
  return { bytes, starts, count, incomplete };
}

function withoutCr(bytes: Chunk): Chunk {
  const stripped = new Uint8Array(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] !== CR || bytes[i + 1] !== LF) stripped[length++] = bytes[i] as number;
  }
  return stripped.subarray(0, length);
}

/** What counts as the same line. */
export interface Sameness {
  readonly ignoreCase: boolean;
  readonly space: "exact" | "tabs" | "trailing" | "amount" | "all";
  readonly tabSize: number;
  /** Whether a line without newline differs from one with it: in all styles but `ed`'s. */
  readonly newline: boolean;
}

function isSpace(byte: number): boolean {
  return byte === 32 || (byte >= 9 && byte <= 13);
}

/** Writes lines in a form in which lines that count as the same are the same. */
function canonical(file: TextFile, sameness: Sameness): TextFile {
  const { ignoreCase, space, tabSize } = sameness;
  if (!ignoreCase && space === "exact") return file;
  let out = new Uint8Array(file.bytes.length + 4096);
  let length = 0;
  const starts = new Int32Array(file.count + 1);
  const put = (byte: number): void => {
    if (length === out.length) {
      const grown = new Uint8Array(out.length * 2);
      grown.set(out);
      out = grown;
    }
    out[length++] = byte;
  };
  for (let line = 0; line < file.count; line++) {
    let end = (file.starts[line + 1] as number) - 1;
    const start = file.starts[line] as number;
    if (space !== "exact" && space !== "tabs") {
      while (end > start && isSpace(file.bytes[end - 1] as number)) end--;
    }
    let column = 0;
    for (let at = start; at < end; at++) {
      let byte = file.bytes[at] as number;
      if (isSpace(byte) && space === "all") continue;
      if (isSpace(byte) && space === "amount") {
        while (isSpace(file.bytes[at + 1] as number)) at++;
        byte = 32;
      } else if (byte === 9 && space === "tabs") {
        for (let more = tabSize - column % tabSize; more > 0; more--) {
          put(32);
          column++;
        }
        continue;
      }
      if (byte === 8) column = Math.max(0, column - 1);
      else column = byte === CR ? 0 : column + 1;
      put(ignoreCase && byte >= 65 && byte <= 90 ? byte + 32 : byte);
    }
    put(LF);
    starts[line + 1] = length;
  }
  return { ...file, bytes: out, starts };
}

/** Numbers for the lines of two files: the same number, the same line. */
export interface LineClasses {
  readonly lines: readonly [Int32Array, Int32Array];
  readonly count: number;
}

/** Numbers the lines of two files. */
export function classify(files: readonly [TextFile, TextFile], sameness: Sameness): LineClasses {
  const texts = files.map((file) => canonical(file, sameness));
  const total = files[0].count + files[1].count;
  let size = 16;
  while (size < total * 2) size *= 2;
  const table = new Int32Array(size).fill(-1);
  /** The first line of each class: which file, which line. */
  const firsts: { readonly text: TextFile; readonly line: number }[] = [];
  const strict = sameness.newline &&
    (sameness.space === "exact" || sameness.space === "tabs");
  let count = 0;
  let incompleteClass = -1;
  const numbers = texts.map((text) => {
    const lines = new Int32Array(text.count);
    for (let line = 0; line < text.count; line++) {
      if (strict && text.incomplete && line === text.count - 1) {
        const first = firsts[incompleteClass];
        if (first === undefined || !sameLine(first.text, first.line, text, line)) {
          incompleteClass = count++;
          firsts.push({ text, line });
        }
        lines[line] = incompleteClass;
        continue;
      }
      let slot = hash(text, line) & (size - 1);
      for (;;) {
        const known = table[slot] as number;
        const first = firsts[known];
        if (first === undefined) {
          table[slot] = lines[line] = count++;
          firsts.push({ text, line });
          break;
        }
        if (sameLine(first.text, first.line, text, line)) {
          lines[line] = known;
          break;
        }
        slot = (slot + 1) & (size - 1);
      }
    }
    return lines;
  });
  return { lines: [numbers[0] as Int32Array, numbers[1] as Int32Array], count };
}

function hash({ bytes, starts }: TextFile, line: number): number {
  let value = 0x811c9dc5;
  const end = starts[line + 1] as number;
  for (let at = starts[line] as number; at < end; at++) {
    value = Math.imul(value ^ (bytes[at] as number), 0x01000193);
  }
  return (value ^ (value >>> 15)) >>> 0;
}

function sameLine(a: TextFile, line0: number, b: TextFile, line1: number): boolean {
  const from = a.starts[line0] as number;
  const to = b.starts[line1] as number;
  const length = (a.starts[line0 + 1] as number) - from;
  if ((b.starts[line1 + 1] as number) - to !== length) return false;
  for (let i = 0; i < length; i++) if (a.bytes[from + i] !== b.bytes[to + i]) return false;
  return true;
}

/** How many first and last lines are byte for byte the same; the two never overlap. */
export function commonEnds(
  [a, b]: readonly [TextFile, TextFile],
  newline: boolean,
): { readonly prefix: number; readonly suffix: number } {
  const whole = (file: TextFile, line: number): boolean =>
    !newline || !file.incomplete || line < file.count - 1;
  const same = (i: number, j: number): boolean =>
    whole(a, i) === whole(b, j) && sameLine(a, i, b, j);
  const least = Math.min(a.count, b.count);
  let prefix = 0;
  while (prefix < least && same(prefix, prefix)) prefix++;
  let suffix = 0;
  while (suffix < least - prefix && same(a.count - 1 - suffix, b.count - 1 - suffix)) suffix++;
  return { prefix, suffix };
}

/** Bytes as a text of which each character is one byte. */
export function latin1Text(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at] as number);
  return text;
}
