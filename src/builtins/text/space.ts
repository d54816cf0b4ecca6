import type { Chunk } from "../../streams/mod.ts";
import { grownRoom, lineTooLong } from "./lines.ts";

/** Below this size a loop copies faster than `set`. */
const SHORT = 24;

/**
 * A growing buffer of bytes: the pattern space, the hold space and collected output.
 *
 * It may refer to the bytes of an input block instead of holding a copy; {@linkcode own} copies
 * them before the block becomes invalid.
 */
export class Space {
  /** The memory that holds the bytes. */
  bytes: Chunk;
  /** Offset of the first byte. */
  start = 0;
  /** Offset after the last byte. */
  end = 0;
  /** True if a separator ended the line from which the bytes come. */
  complete = true;
  #buffer: Chunk;
  readonly #most: number;
  readonly #named: number;

  /**
   * Creates an empty buffer. More than `most` bytes cause a `LimitError` that names the limit
   * `named`.
   */
  constructor(capacity = 256, most = Infinity, named: number = most) {
    this.#most = most;
    this.#named = named;
    this.#buffer = new Uint8Array(capacity);
    this.bytes = this.#buffer;
  }

  /** Number of bytes. */
  get length(): number {
    return this.end - this.start;
  }

  /** Refers to bytes of a block, without a copy. */
  lend(block: Chunk, start: number, end: number): void {
    this.bytes = block;
    this.start = start;
    this.end = end;
  }

  /** Copies bytes of a block to the buffer's own memory. */
  own(): void {
    if (this.bytes === this.#buffer) return;
    const { bytes, start, end } = this;
    this.clear();
    this.append(bytes, start, end);
  }

  /** Removes all bytes. */
  clear(): void {
    this.bytes = this.#buffer;
    this.start = 0;
    this.end = 0;
  }

  /** Makes room for `more` bytes after those held, which must be in own memory. */
  #reserve(more: number): void {
    const needed = this.end + more;
    if (needed <= this.#buffer.length) return;
    const size = this.end - this.start;
    if (size + more > this.#most) throw lineTooLong(this.#named);
    // Free room in front is used before memory grows.
    if (this.start >= size && size + more <= this.#buffer.length) {
      this.#buffer.copyWithin(0, this.start, this.end);
    } else {
      const grown = new Uint8Array(grownRoom(size + more, this.#buffer.length, this.#most));
      grown.set(this.#buffer.subarray(this.start, this.end));
      this.#buffer = grown;
      this.bytes = grown;
    }
    this.start = 0;
    this.end = size;
  }

  /** Adds `from[start..end)` at the end. */
  append(from: Uint8Array, start = 0, end: number = from.length): void {
    this.own();
    const size = end - start;
    this.#reserve(size);
    const bytes = this.#buffer;
    const at = this.end;
    if (size <= SHORT) {
      for (let i = 0; i < size; i++) bytes[at + i] = from[start + i] as number;
    } else {
      bytes.set(from.subarray(start, end), at);
    }
    this.end = at + size;
  }

  /** Adds a number, not negative, in decimal; with spaces in front up to `width`. */
  appendNumber(value: number, width = 0): void {
    let digits = 1;
    for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits++;
    const size = Math.max(digits, width);
    this.own();
    this.#reserve(size);
    const bytes = this.#buffer;
    const first = this.end;
    let at = first + size;
    let rest = value;
    for (let i = 0; i < digits; i++) {
      const tenth = Math.floor(rest / 10);
      bytes[--at] = 48 + rest - tenth * 10;
      rest = tenth;
    }
    while (at > first) bytes[--at] = 32;
    this.end = first + size;
  }

  /** Adds one byte at the end. */
  appendByte(byte: number): void {
    this.own();
    this.#reserve(1);
    this.#buffer[this.end++] = byte;
  }

  /** Takes over the bytes of another buffer, which gets this one's memory and becomes empty. */
  takeFrom(other: Space): void {
    const buffer = this.#buffer;
    other.own();
    this.#buffer = other.#buffer;
    this.bytes = this.#buffer;
    this.start = other.start;
    this.end = other.end;
    other.#buffer = buffer;
    other.clear();
  }

  /** Exchanges bytes with another buffer. */
  swap(other: Space): void {
    const { bytes, start, end, complete } = this;
    const buffer = this.#buffer;
    this.bytes = other.bytes;
    this.start = other.start;
    this.end = other.end;
    this.complete = other.complete;
    this.#buffer = other.#buffer;
    other.bytes = bytes;
    other.start = start;
    other.end = end;
    other.complete = complete;
    other.#buffer = buffer;
  }

  /** Becomes a copy of another buffer. */
  copyFrom(other: Space): void {
    this.clear();
    this.append(other.bytes, other.start, other.end);
    this.complete = other.complete;
  }

  /** Returns the offset of the first `byte`, or -1. */
  indexOf(byte: number): number {
    const found = this.bytes.indexOf(byte, this.start);
    return found >= this.end ? -1 : found;
  }
}
