import { type ByteSource, type Chunk, LimitError } from "../../streams/mod.ts";

/** Default for the longest line held in memory, in bytes. */
export const MAX_LINE = 32 * 1024 * 1024;

/** Divisor of `lineBytes` for each line in commands that hold several lines of two files. */
export const LINE_SHARE = 4;

/** A line is long from this size on, in bytes. */
const MANY = 1024 * 1024;

/**
 * Cuts a source into blocks of whole lines, without making a chunk of every line.
 *
 * Every block ends with the separator; only the last one of the source may lack it. Blocks are
 * lent: valid until the next call. A line longer than the source's chunks is collected in a buffer
 * that grows, up to `lineBytes` divided by `share`.
 */
export class LineReader {
  readonly #source: ByteSource;
  readonly #separator: number;
  readonly #maxLine: number;
  readonly #share: number;
  #carry: Chunk = new Uint8Array(0);
  #carried = 0;
  /** The rest of the source's current chunk. */
  #rest: Chunk | undefined;

  /** Creates a reader of lines that end with `separator`, a byte. */
  constructor(
    source: ByteSource,
    separator = 10,
    lineBytes: number = MAX_LINE,
    share = 1,
  ) {
    this.#source = source;
    this.#separator = separator;
    this.#maxLine = Math.floor(lineBytes / share);
    this.#share = share;
  }

  /**
   * True if the next block is in memory. If not, a call of {@linkcode next} may wait for a slow
   * source: pass on the output made so far first.
   */
  get buffered(): boolean {
    return this.#rest !== undefined && this.#rest.lastIndexOf(this.#separator) >= 0;
  }

  /** Returns the next block of whole lines, or `undefined` at the end. Blocks are never empty. */
  async next(): Promise<Chunk | undefined> {
    for (;;) {
      let rest = this.#rest;
      if (rest === undefined) {
        const { done, value } = await this.#source.next();
        if (done === true) return this.#finish();
        rest = value;
      }
      if (this.#carried > 0) {
        const first = rest.indexOf(this.#separator);
        if (first < 0) {
          this.#keep(rest);
          this.#rest = undefined;
          continue;
        }
        this.#keep(rest.subarray(0, first + 1));
        this.#rest = first + 1 < rest.length ? rest.subarray(first + 1) : undefined;
        return this.#finish();
      }
      const last = rest.lastIndexOf(this.#separator);
      if (last === rest.length - 1) {
        this.#rest = undefined;
        return rest;
      }
      this.#keep(rest.subarray(last + 1));
      this.#rest = undefined;
      if (last >= 0) return rest.subarray(0, last + 1);
    }
  }

  /** Returns the bytes carried over from earlier chunks, if there are any. */
  #finish(): Chunk | undefined {
    if (this.#carried === 0) return undefined;
    const line = this.#carry.subarray(0, this.#carried);
    this.#carried = 0;
    return line;
  }

  #keep(piece: Chunk): void {
    const size = this.#carried + piece.length;
    if (size > this.#maxLine) throw lineTooLong(this.#maxLine, this.#share);
    if (size > this.#carry.length) {
      const room = Math.max(this.#carry.length, 2048);
      const grown = new Uint8Array(grownRoom(size, room, this.#maxLine));
      grown.set(this.#carry.subarray(0, this.#carried));
      this.#carry = grown;
    }
    this.#carry.set(piece, this.#carried);
    this.#carried = size;
  }
}

/**
 * Returns the size of a new buffer for `needed` bytes of at most `most`, after one of `room` bytes.
 * The system provides memory only when it is written to, so large buffers grow in few large steps:
 * each step holds the data twice while it copies.
 */
export function grownRoom(needed: number, room: number, most: number): number {
  const times = needed > MANY && most < Infinity ? 8 : 2;
  return Math.max(needed, Math.min(most, room * times));
}

/**
 * Returns the error for a line of more than `max` bytes, which are `lineBytes` divided by `share`.
 */
export function lineTooLong(max: number, share = 1): LimitError {
  const limit = share === 1 ? "lineBytes" : `1/${share} of lineBytes`;
  const message = `A line is longer than ${limit} (${max} bytes); raise it to go on`;
  return new LimitError({ name: "lineBytes", max }, message);
}
