import { LimitError } from "../../../streams/mod.ts";
import { CanonicalLine, isExact, type Sameness } from "./sameness.ts";
import { type LineFile, LineView, type Middle } from "../../hold/mod.ts";

/** Numbers of the lines in the parts that differ. Equal lines have equal numbers. */
export interface LineClasses {
  readonly lines: readonly [Int32Array, Int32Array];
  readonly count: number;
}

const CHUNK = 1 << 16;
/** Length of a line that is assumed before any line is read, in bytes. */
const TYPICAL_LINE = 40;

/** Numbers lines by two hashes of 32 bits each, with open addressing. Does not hold the lines. */
class HashTable {
  count = 0;
  #slots: Int32Array;
  #mask: number;
  /** Both hashes of each number, in chunks, so that growing copies nothing. */
  readonly #hashes: Int32Array[] = [];
  #last = 0;

  constructor(expected: number) {
    let size = 64;
    while (size < expected * 1.4) size *= 2;
    this.#slots = new Int32Array(size);
    this.#mask = size - 1;
  }

  numberOf(first: number, second: number): number {
    // Lines often come in the same order again.
    if (this.#last + 1 < this.count && this.#is(this.#last + 1, first, second)) return ++this.#last;
    const slots = this.#slots;
    for (let slot = (first ^ (second >>> 7)) & this.#mask;; slot = (slot + 1) & this.#mask) {
      // Zero is a free slot.
      const known = (slots[slot] as number) - 1;
      if (known < 0) {
        if (this.count % CHUNK === 0) this.#hashes.push(new Int32Array(2 * CHUNK));
        const chunk = this.#hashes[this.#hashes.length - 1] as Int32Array;
        chunk[2 * (this.count % CHUNK)] = first;
        chunk[2 * (this.count % CHUNK) + 1] = second;
        slots[slot] = ++this.count;
        if (this.count * 1.3 > slots.length) this.#grow();
        return this.#last = this.count - 1;
      }
      if (this.#is(known, first, second)) return this.#last = known;
    }
  }

  #is(number: number, first: number, second: number): boolean {
    const chunk = this.#hashes[number >>> 16] as Int32Array;
    const at = 2 * (number & (CHUNK - 1));
    return chunk[at] === first && chunk[at + 1] === second;
  }

  #grow(): void {
    const slots = new Int32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (let number = 0; number < this.count; number++) {
      const chunk = this.#hashes[number >>> 16] as Int32Array;
      const at = 2 * (number & (CHUNK - 1));
      let slot = ((chunk[at] as number) ^ ((chunk[at + 1] as number) >>> 7)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.#slots = slots;
    this.#mask = mask;
  }
}

/**
 * Numbers the lines of two files between `middle.start` and `middle.ends`.
 *
 * @throws {LimitError} If there are more than `most`.
 */
export async function classify(
  files: readonly [LineFile, LineFile],
  middle: Middle,
  sameness: Sameness,
  most: number,
): Promise<LineClasses> {
  const sizes = middle.ends.map((end) => end - middle.start) as [number, number];
  const table = new HashTable(Math.min(most, Math.max(...sizes) / TYPICAL_LINE));
  const seed = Math.floor(Math.random() * 2 ** 32);
  const first = await number(files[0], 0, middle, table, sameness, seed, most);
  const left = most - first.length;
  const second = await number(files[1], 1, middle, table, sameness, seed, left);
  if (first.length > most || second.length > left) {
    throw new LimitError(
      { name: "diffLines", max: most },
      `The files differ within more than diffLines (${most}) lines; ` +
        "compare parts of them, or only whether they differ (-q)",
    );
  }
  return { lines: [first, second], count: table.count };
}

/** Numbers the lines of one file, at most one more than `most`. */
async function number(
  file: LineFile,
  index: 0 | 1,
  { line, start, ends }: Middle,
  table: HashTable,
  sameness: Sameness,
  seed: number,
  most: number,
): Promise<Int32Array> {
  const exact = isExact(sameness);
  const strict = sameness.space === "exact" || sameness.space === "tabs";
  const canonical = new CanonicalLine(sameness);
  const view = new LineView(file);
  const stop = ends[index];
  let into = new Int32Array(Math.min(most, (stop - start) / TYPICAL_LINE) + 64);
  let count = 0;
  if (start < stop) await view.loadAt(line, start);
  for (let offset = start; offset < stop && count <= most; count++) {
    if (!view.has(line + count)) await view.load(line + count);
    offset = view.offset + view.end + 1 - view.start;
    if (file.wantsMark(offset)) file.mark(line + count + 1, offset);
    let { bytes, start: from, end } = view as { bytes: Uint8Array; start: number; end: number };
    const kind = strict && view.incomplete ? seed ^ 1 : seed;
    if (!exact) {
      canonical.take(bytes, from, end);
      bytes = canonical.bytes;
      from = 0;
      end = canonical.length;
    }
    if (count === into.length) {
      const grown = new Int32Array(Math.ceil(count * 1.5));
      grown.set(into);
      into = grown;
    }
    // Two multiplicative hashes over words of four bytes.
    let first = kind ^ (end - from);
    let second = Math.imul(kind, 0x2c1b3c6d) + (end - from);
    let at = from;
    for (const last = end - 3; at < last; at += 4) {
      const word = (bytes[at] as number) | ((bytes[at + 1] as number) << 8) |
        ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24);
      first = Math.imul(first ^ word, 0x9e3779b1);
      first ^= first >>> 15;
      second = Math.imul((second << 13) | (second >>> 19), 0x85ebca6b) ^ word;
    }
    for (; at < end; at++) {
      first = Math.imul(first ^ (bytes[at] as number), 0x9e3779b1);
      first ^= first >>> 15;
      second = Math.imul((second << 13) | (second >>> 19), 0x85ebca6b) ^ (bytes[at] as number);
    }
    second = Math.imul(second ^ (second >>> 16), 0xc2b2ae35);
    into[count] = table.numberOf(first, second);
  }
  return into.subarray(0, count);
}
