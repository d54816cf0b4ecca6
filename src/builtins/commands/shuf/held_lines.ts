import type { Chunk } from "../../../streams/mod.ts";

/** From this mean length of lines on, a search finds separators faster than a loop. */
const LONG_LINE = 32;
/** Number of lines fetched before they are printed. */
export const AHEAD = 32;
/** Memory of a line besides its text, in bytes: its start, and its position in the order. */
const LINE_COST = 8;

/** Lines in memory, accessible by number. Each ends with its separator. */
export class HeldLines {
  /** The text of all lines, up to the end of the last. */
  text: Chunk;
  /** Start of each line; at `count` the end of the last one. */
  starts = new Uint32Array(2048);
  /** Number of lines. */
  count = 0;
  readonly #separator: number;
  /** Keeps {@linkcode HeldLines.fetch} from being optimized away. */
  #looked = 0;

  /** Creates a list without lines; `expected` is the number of bytes to come, if known. */
  constructor(separator: number, expected = 0) {
    this.#separator = separator;
    this.text = new Uint8Array(expected + 64);
  }

  /** Length of the text, in bytes. */
  get size(): number {
    return this.starts[this.count] as number;
  }

  /** Approximate memory of the lines, in bytes. */
  get cost(): number {
    return this.size + this.count * LINE_COST;
  }

  /** Returns the text of all lines and removes them. */
  take(): Chunk {
    const taken = this.text.subarray(0, this.size);
    this.text = new Uint8Array(64);
    this.starts = new Uint32Array(2048);
    this.count = 0;
    return taken;
  }

  /** Adds a copy of whole lines; a missing last separator is added. */
  add(block: Chunk): void {
    const separator = this.#separator;
    const from = this.size;
    const end = this.#copy(block);
    const { text } = this;
    const long = from > LONG_LINE * this.count;
    let { count } = this;
    for (let start = from; start < end;) {
      let at = start;
      if (long) at = text.indexOf(separator, start);
      else while (text[at] !== separator) at++;
      start = at + 1;
      if (++count === this.starts.length) this.#growStarts();
      this.starts[count] = start;
    }
    this.count = count;
  }

  /** Adds one line without its separator; the line may contain separators. */
  addLine(line: Chunk): void {
    const end = this.#copy(line, true);
    if (++this.count === this.starts.length) this.#growStarts();
    this.starts[this.count] = end;
  }

  /** Copies a text to the end; returns the offset after it. */
  #copy(block: Chunk, line = false): number {
    const from = this.size;
    const needed = from + block.length + 1;
    if (needed > this.text.length) {
      const grown = new Uint8Array(Math.max(needed, Math.floor(this.text.length * 1.6)));
      grown.set(this.text.subarray(0, from));
      this.text = grown;
    }
    this.text.set(block, from);
    const end = needed - 1;
    if (!line && block.at(-1) === this.#separator) return end;
    this.text[end] = this.#separator;
    return needed;
  }

  /**
   * Reads bytes of the next lines in an order, so that the waits for memory overlap: each line is
   * somewhere else. See sort's store.
   */
  fetch(order: Uint32Array | Float64Array, from: number): void {
    const { text, starts } = this;
    const to = Math.min(order.length, from + AHEAD);
    let sum = 0;
    for (let i = from; i < to; i++) {
      const line = order[i] as number;
      sum += (text[starts[line] as number] as number) +
        (text[(starts[line + 1] as number) - 1] as number);
    }
    this.#looked = sum;
  }

  #growStarts(): void {
    const grown = new Uint32Array(2 * this.starts.length);
    grown.set(this.starts);
    this.starts = grown;
  }
}
