import type { ByteSource, Chunk } from "../../streams/mod.ts";
import { LineReader, MAX_LINE } from "./lines.ts";

const NOTHING: Chunk = new Uint8Array(0);
/** In lines up to this length a loop finds the end faster than `indexOf` does. */
const SHORT = 24;

/** Returns the index of the next `separator` at or after `from`; -1 if there is none. */
export function findByte(bytes: Uint8Array, separator: number, from: number): number {
  const stop = Math.min(bytes.length, from + SHORT);
  for (let i = from; i < stop; i++) {
    if (bytes[i] === separator) return i;
  }
  return stop === bytes.length ? -1 : bytes.indexOf(separator, stop);
}

/**
 * Walks over the lines of a source without copying them:
 *
 * ```ts ignore
 * while (cursor.step() || await cursor.fill()) use(cursor.bytes, cursor.start, cursor.end);
 * ```
 *
 * The current line is lent: it is valid until `fill` is called.
 */
export class LineCursor {
  /** The block that holds the current line. */
  bytes: Chunk = NOTHING;
  /** Start of the current line. */
  start = 0;
  /** End of the current line, without its separator. */
  end = 0;
  /** True if a separator ends it; false only for the last line of a source. */
  terminated = true;
  readonly #reader: LineReader;
  readonly #separator: number;
  #at = 0;

  /** Walks over the lines of `source`, which end with `separator`, a byte. */
  constructor(source: ByteSource, separator = 10, lineBytes: number = MAX_LINE, share = 1) {
    this.#reader = new LineReader(source, separator, lineBytes, share);
    this.#separator = separator;
  }

  /** Moves to the next line and returns true if it is in memory. */
  step(): boolean {
    const { bytes } = this;
    const start = this.#at;
    if (start >= bytes.length) return false;
    const end = findByte(bytes, this.#separator, start);
    this.start = start;
    this.terminated = end >= 0;
    this.end = end < 0 ? bytes.length : end;
    this.#at = this.end + 1;
    return true;
  }

  /** Reads on and moves to the next line; returns false at the end of the source. */
  async fill(): Promise<boolean> {
    const block = await this.#reader.next();
    this.bytes = block ?? NOTHING;
    this.#at = 0;
    return block !== undefined && this.step();
  }

  /** True if {@linkcode fill} may wait for a slow source. */
  get mayWait(): boolean {
    return this.#at >= this.bytes.length && !this.#reader.buffered;
  }
}

/** A copy of a line, in one buffer that grows. */
export class KeptLine {
  /** The buffer, valid up to `length`. */
  bytes: Chunk = NOTHING;
  /** Length of the line in bytes. */
  length = 0;

  /** Copies a line. */
  keep(from: Uint8Array, start: number, end: number): void {
    const size = end - start;
    if (size > this.bytes.length) this.bytes = new Uint8Array(Math.max(size * 2, 256));
    const { bytes } = this;
    if (size <= SHORT) { for (let i = 0; i < size; i++) bytes[i] = from[start + i] as number; }
    else bytes.set(from.subarray(start, end));
    this.length = size;
  }
}

/**
 * Compares two ranges of bytes as C's `memcmp` does; if one is the beginning of the other, the
 * shorter one comes first.
 */
export function compareBytes(
  a: Uint8Array,
  aStart: number,
  aEnd: number,
  b: Uint8Array,
  bStart: number,
  bEnd: number,
): number {
  const size = Math.min(aEnd - aStart, bEnd - bStart);
  for (let i = 0; i < size; i++) {
    const difference = (a[aStart + i] as number) - (b[bStart + i] as number);
    if (difference !== 0) return difference;
  }
  return (aEnd - aStart) - (bEnd - bStart);
}
