import type { LineSet } from "../../../regex/mod.ts";
import type { Chunk } from "../../../streams/mod.ts";
import { countSeparators } from "../../hold/mod.ts";

/** Start of the line that ends at `end`. */
export function lineStart(bytes: Uint8Array, end: number, separator: number): number {
  return end < 2 ? 0 : bytes.lastIndexOf(separator, end - 2) + 1;
}

/** End of the line at `at`, after its separator; at most `end`. */
export function lineEnd(bytes: Uint8Array, at: number, end: number, separator: number): number {
  const found = bytes.indexOf(separator, at);
  return found < 0 || found >= end ? end : found + 1;
}

/** Number of lines in `bytes[start..end)`; the last may lack its separator. */
export function linesIn(bytes: Chunk, start: number, end: number, separator: number): number {
  if (start >= end) return 0;
  const unfinished = bytes[end - 1] === separator ? 0 : 1;
  return countSeparators(bytes.subarray(start, end), separator) + unfinished;
}

/** Numbers of lines in a file that is read block by block. */
export class LineNumbers {
  /** Lines before the block. */
  before = 0;
  readonly #separator: number;
  /** Lines before `#to`, an offset in the block. */
  #lines = 0;
  #to = 0;

  /** Counts lines that end with `separator`. */
  constructor(separator: number) {
    this.#separator = separator;
  }

  /** The number, from 1, of the line at `start`; fast if lines are requested in order. */
  at(block: Chunk, start: number): number {
    if (start < this.#to) {
      this.#to = 0;
      this.#lines = this.before;
    }
    if (start > this.#to) {
      this.#lines += countSeparators(block.subarray(this.#to, start), this.#separator);
      this.#to = start;
    }
    return this.#lines + 1;
  }

  /** Records that line `number` ends at `end`. */
  passed(number: number, end: number): void {
    this.#lines = number;
    this.#to = end;
  }

  /** Moves to the next block. */
  leave(block: Chunk): void {
    this.before = this.at(block, block.length) - 1;
    this.#lines = this.before;
    this.#to = 0;
  }
}

/** The result of a search in a block without matching lines. */
export function noMatch(size: number, invert: boolean): LineSet {
  const length = invert && size > 0 ? 2 : 0;
  return { spans: Int32Array.of(0, size), length, matched: 0, end: size };
}

/** Replaces NULs with newlines, as GNU grep does in binary files, in a reused buffer. */
export class NulZapper {
  #memory: Chunk = new Uint8Array(0);

  /** A copy of the block without NULs, valid until the next call. */
  zap(block: Chunk): Chunk {
    if (this.#memory.length < block.length) this.#memory = new Uint8Array(block.length);
    const copy = this.#memory.subarray(0, block.length);
    copy.set(block);
    for (let at = copy.indexOf(0); at >= 0; at = copy.indexOf(0, at + 1)) copy[at] = 10;
    return copy;
  }
}
