import type { Chunk } from "../../streams/mod.ts";

/** Number of bytes collected before they are passed on. */
const BLOCK = 64 * 1024;
/** Up to this number of times, a repeated byte is collected like other bytes. */
const RUN = 16 * 1024;
/** Shorter pieces are copied faster by a loop than by `set`. */
const SHORT = 48;

const encoder = new TextEncoder();

/** A repeated byte, and the number of collected bytes before it. */
interface Run {
  readonly at: number;
  readonly byte: number;
  times: number;
}

/**
 * Collects the output of commands that print line by line. It accepts pieces of any size: check
 * `full` after each line, and pass the output on with `take`.
 *
 * ```ts ignore
 * out.put(bytes, start, end);
 * if (out.full) yield out.take();
 * ```
 *
 * Yielded bytes are lent: they are overwritten after the generator continues.
 */
export class LineOutput {
  #bytes: Chunk = new Uint8Array(BLOCK + 8192);
  #length = 0;
  /** The repeated bytes in order, and the number of collected bytes already passed on. */
  #runs: Run[] = [];
  #given = 0;
  #repeated: Chunk = new Uint8Array(0);

  /** Number of bytes collected; a repeated byte counts once. */
  get length(): number {
    return this.#runs.length === 0 ? this.#length : this.#length - this.#given + this.#runs.length;
  }

  /** True if the collected bytes should be passed on. */
  get full(): boolean {
    return this.#length >= BLOCK || this.#runs.length > 0;
  }

  /** Adds a piece. */
  put(from: Uint8Array, start = 0, end: number = from.length): void {
    const at = this.#length;
    const size = end - start;
    if (at + size > this.#bytes.length) this.#grow(size);
    const bytes = this.#bytes;
    if (size <= SHORT) {
      for (let i = 0; i < size; i++) bytes[at + i] = from[start + i] as number;
    } else {
      bytes.set(from.subarray(start, end), at);
    }
    this.#length = at + size;
  }

  /** Adds one byte. */
  putByte(byte: number): void {
    if (this.#length >= this.#bytes.length) this.#grow(1);
    this.#bytes[this.#length++] = byte;
  }

  /** Adds one byte `times` times. */
  fill(byte: number, times: number): void {
    if (this.#length + times > this.#bytes.length) this.#grow(times);
    const start = this.#length;
    this.#length = start + times;
    if (times > SHORT) this.#bytes.fill(byte, start, this.#length);
    else for (let i = start; i < this.#length; i++) this.#bytes[i] = byte;
  }

  /**
   * Does the same without memory for each of the bytes. From then on, `take` must be called until
   * nothing is left.
   */
  repeat(byte: number, times: number): void {
    if (times <= RUN) this.fill(byte, Math.max(0, times));
    else this.#runs.push({ at: this.#length, byte, times });
  }

  /** Adds a whole number of at least 0, padded on the left to `width`. */
  putNumber(value: number, width: number, padding = 32, radix = 10): void {
    let digits = 1;
    for (let limit = radix; value >= limit; limit *= radix) digits++;
    const size = Math.max(width, digits);
    if (this.#length + size > this.#bytes.length) this.#grow(size);
    const first = this.#length;
    const bytes = this.#bytes;
    let at = first + size;
    let rest = value;
    for (let i = 0; i < digits; i++) {
      const next = Math.floor(rest / radix);
      const digit = rest - next * radix;
      bytes[--at] = digit < 10 ? 48 + digit : 87 + digit;
      rest = next;
    }
    while (at > first) bytes[--at] = padding;
    this.#length = first + size;
  }

  /** Adds a text as UTF-8, with spaces in front if it has fewer characters than `columns`. */
  putText(text: string, columns = 0): void {
    if (text.length < columns) this.fill(32, columns - text.length);
    // A UTF-16 code unit becomes at most three bytes.
    if (this.#length + 3 * text.length > this.#bytes.length) this.#grow(3 * text.length);
    const bytes = this.#bytes;
    const at = this.#length;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 127) {
        this.#length = at + encoder.encodeInto(text, bytes.subarray(at)).written;
        return;
      }
      bytes[at + i] = code;
    }
    this.#length = at + text.length;
  }

  /** Returns and removes the collected bytes, or a part of them if there are repeated bytes. */
  take(): Chunk {
    if (this.#runs.length > 0) return this.#takeRun();
    const taken = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return taken;
  }

  /** Returns the bytes before the first repeated byte, or some of the repeated ones. */
  #takeRun(): Chunk {
    const [run] = this.#runs;
    if (run === undefined || run.at > this.#given) {
      const taken = this.#bytes.subarray(this.#given, run?.at ?? this.#length);
      this.#given += taken.length;
      return taken;
    }
    if (this.#repeated[0] !== run.byte || this.#repeated.length === 0) {
      this.#repeated = new Uint8Array(BLOCK).fill(run.byte);
    }
    const taken = this.#repeated.subarray(0, run.times);
    run.times -= taken.length;
    if (run.times === 0) this.#runs.shift();
    if (this.#runs.length === 0) {
      this.#bytes.copyWithin(0, this.#given, this.#length);
      this.#length -= this.#given;
      this.#given = 0;
    }
    return taken;
  }

  #grow(by: number): void {
    const grown = new Uint8Array(Math.max(this.#length + by, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
