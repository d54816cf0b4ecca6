import type { Chunk } from "../../../streams/mod.ts";
import { KeyBuffer } from "./encode.ts";
import { type Criterion, isPlain, type SortPlan } from "./plan.ts";
import { gathered, mirror } from "./ranges.ts";
import { LineCounts } from "./counts.ts";
import { areSame, RadixSorter, type Strings } from "./radix.ts";

/** Room for output at the end of the text, in bytes. */
const OUTPUT = 64 * 1024;
/** From this mean length of lines on, a search finds separators faster than a loop. */
const LONG_LINE = 32;
/** Shorter pieces are copied faster by a loop than by a call. */
const SHORT = 24;
/** Keys that are less than one in so many bytes of the text are copied together. */
const DENSE = 4;
/** Number of lines fetched before they are printed. */
const AHEAD = 32;
/** Parameters of the hash FNV-1a. */
const HASH_START = 0x811c9dc5;
const HASH_FACTOR = 0x01000193;
/** Number of lines processed between two pauses. */
const PAUSE_EVERY = 100_000;
/**
 * Approximate memory of a line besides its text: its entries in the arrays of the sort, in bytes.
 */
const LINE_COST = 24;
const KEYED_LINE_COST = 40;

/** Lines in memory, to sort and print. */
export class LineStore {
  readonly #plan: SortPlan;
  readonly #separator: number;
  readonly #unique: boolean;
  /** True if whole lines are compared byte by byte, and nothing else. */
  readonly #plain: boolean;
  readonly #sorter = new RadixSorter();
  #text: Chunk;
  #used = 0;
  /** Start and end of each line, without its separator. */
  #spans = new Uint32Array(2048);
  #count = 0;
  /** Keeps {@linkcode #fetch} from being optimized away. */
  #looked = 0;
  /** Counts equal lines, while that pays. */
  readonly #counts: LineCounts | undefined;

  /** Creates an empty store; `expected` is the number of bytes of text to come, if known. */
  constructor(plan: SortPlan, separator: number, unique: boolean, expected: number) {
    this.#plan = plan;
    this.#separator = separator;
    this.#unique = unique;
    this.#plain = isPlain(plan);
    this.#text = new Uint8Array(expected + OUTPUT);
    // Counts need lines with the same bytes to be side by side, or only the first to be printed.
    const last = plan.criteria.at(-1);
    const whole = last?.locate === undefined && last?.encode === undefined;
    if (unique || whole) this.#counts = new LineCounts();
  }

  /** True if there are no lines. */
  get empty(): boolean {
    return this.#count === 0;
  }

  /** Approximate memory to sort the lines, in bytes. */
  get cost(): number {
    return this.#used + this.#count * (this.#plain ? LINE_COST : KEYED_LINE_COST) +
      (this.#counts?.bytes ?? 0);
  }

  /** Adds a copy of whole lines; a missing last separator is added. */
  add(block: Chunk): void {
    const separator = this.#separator;
    this.#reserve(block.length + 1);
    const text = this.#text;
    let end = this.#used + block.length;
    text.set(block, this.#used);
    if (text[end - 1] !== separator) text[end++] = separator;
    if (this.#counts?.active === true) this.#addCounted(this.#counts, this.#used, end);
    else this.#addAll(this.#used, end);
  }

  #addAll(from: number, end: number): void {
    const separator = this.#separator;
    const text = this.#text;
    // A search costs a call for each line, a loop costs time for each byte.
    const long = from > LONG_LINE * this.#count;
    let count = this.#count;
    for (let start = from; start < end; count++) {
      if (2 * count === this.#spans.length) this.#growLines();
      let at = start;
      if (long) at = text.indexOf(separator, start);
      else while (text[at] !== separator) at++;
      this.#spans[2 * count] = start;
      this.#spans[2 * count + 1] = at;
      start = at + 1;
    }
    this.#count = count;
    this.#used = end;
  }

  /** Adds those of the new lines that are not stored yet, as long as many are duplicates. */
  #addCounted(counts: LineCounts, from: number, end: number): void {
    const separator = this.#separator;
    const text = this.#text;
    let used = from;
    let start = from;
    while (start < end && counts.active) {
      let hash = HASH_START;
      let at = start;
      for (let byte = text[at] as number; byte !== separator; byte = text[++at] as number) {
        hash = Math.imul(hash ^ byte, HASH_FACTOR);
      }
      if (2 * this.#count === this.#spans.length) this.#growLines();
      // Stored as if it were new; it overwrites only duplicates.
      this.#spans[2 * this.#count] = used;
      this.#spans[2 * this.#count + 1] = used + at - start;
      if (used !== start) move(text, start, at + 1, used);
      if (counts.add(text, this.#spans, this.#count, hash)) {
        this.#count++;
        used += at + 1 - start;
      }
      start = at + 1;
    }
    if (start < end) {
      text.copyWithin(used, start, end);
      this.#addAll(used, used + end - start);
    } else this.#used = used;
  }

  /** Removes all lines; keeps the memory. */
  clear(): void {
    this.#used = 0;
    this.#count = 0;
    this.#counts?.clear();
  }

  #reserve(more: number): void {
    const needed = this.#used + more + OUTPUT;
    if (needed <= this.#text.length) return;
    const grown = new Uint8Array(Math.max(needed, Math.floor(this.#text.length * 1.6)));
    grown.set(this.#text.subarray(0, this.#used));
    this.#text = grown;
  }

  #growLines(): void {
    const grown = new Uint32Array(this.#spans.length * 2);
    grown.set(this.#spans);
    this.#spans = grown;
  }

  /**
   * Sorts the lines and yields them in lent chunks; with `unique`, only the first of equal lines.
   * Yields `undefined` now and then, so that a caller can let others run.
   */
  *sorted(): Generator<Chunk | undefined, void, void> {
    const order = new Uint32Array(this.#count);
    for (let i = 0; i < order.length; i++) order[i] = i;
    let same: Uint8Array | undefined;
    // Ranges of lines that are equal by all criteria so far: pairs of from and to.
    let ranges: number[] = order.length > 1 ? [0, order.length] : [];
    const { criteria } = this.#plan;
    for (const [i, criterion] of criteria.entries()) {
      const strings = yield* this.#strings(criterion, order, ranges);
      const isLast = i === criteria.length - 1 && (!this.#unique || this.#plain);
      const ties: number[] | undefined = isLast ? undefined : [];
      for (let r = 0; r < ranges.length; r += 2) {
        const [from, to] = [ranges[r] as number, ranges[r + 1] as number];
        const before = ties?.length ?? 0;
        // Equal lines stay in their order even if the result is reversed.
        if (criterion.reverse) order.subarray(from, to).reverse();
        for (const _ of this.#sorter.sort(order, from, to, strings, ties)) yield undefined;
        if (!criterion.reverse) continue;
        order.subarray(from, to).reverse();
        if (ties !== undefined) mirror(ties, before, from + to);
      }
      ranges = ties ?? [];
    }
    if (this.#unique && !this.#plain) {
      same = new Uint8Array(order.length);
      for (let r = 0; r < ranges.length; r += 2) {
        same.fill(1, (ranges[r] as number) + 1, ranges[r + 1] as number);
      }
    }
    yield* this.#putOut(order, same);
  }

  /** Returns the byte strings by which to compare the lines in the ranges. */
  *#strings(
    { locate, encode }: Criterion,
    order: Uint32Array,
    ranges: readonly number[],
  ): Generator<undefined, Strings, void> {
    const text = this.#text;
    if (locate === undefined && encode === undefined) {
      return { bytes: text, spans: this.#spans };
    }
    const lines = this.#spans;
    const spans = new Uint32Array(2 * this.#count);
    const keys = new KeyBuffer();
    let work = 0;
    let total = 0;
    for (let r = 0; r < ranges.length; r += 2) {
      const to = ranges[r + 1] as number;
      for (let i = ranges[r] as number; i < to; i++) {
        const line = order[i] as number;
        let from = lines[2 * line] as number;
        let until = lines[2 * line + 1] as number;
        if (locate !== undefined) {
          locate.find(text, from, until);
          from = locate.begin;
          until = locate.end;
        }
        if (encode !== undefined) {
          const start = keys.length;
          encode(text, from, until, keys);
          from = start;
          until = keys.length;
        }
        total += until - from;
        spans[2 * line] = from;
        spans[2 * line + 1] = until;
        if (++work % PAUSE_EVERY === 0) yield undefined;
      }
    }
    if (encode !== undefined) return { bytes: keys.bytes, spans };
    if (total * DENSE > this.#used) return { bytes: text, spans };
    return { bytes: gathered(text, spans, total), spans };
  }

  /**
   * Reads bytes of the next lines, so that the waits for memory overlap: in sorted order, each line
   * is somewhere else. With this, output takes less than half the time.
   */
  #fetch(order: Uint32Array, from: number): void {
    const text = this.#text;
    const spans = this.#spans;
    const to = Math.min(order.length, from + AHEAD);
    let sum = 0;
    for (let i = from; i < to; i++) {
      const span = 2 * (order[i] as number);
      sum += (text[spans[span] as number] as number) + (text[spans[span + 1] as number] as number);
    }
    this.#looked = sum;
  }

  /** Prints the lines in order, except those equal to the one before. */
  *#putOut(order: Uint32Array, same: Uint8Array | undefined): Generator<Chunk, void, void> {
    const text = this.#text;
    const spans = this.#spans;
    // Within one buffer a copy needs no view of its source.
    const base = this.#used;
    const limit = base + OUTPUT;
    // Equal lines are found here, where they are read anyway, not in a pass of their own.
    const unlike = this.#unique && this.#plain ? { bytes: text, spans } : undefined;
    const counts = this.#unique ? undefined : this.#counts;
    let at = base;
    for (let i = 0; i < order.length; i++) {
      if (i % AHEAD === 0) this.#fetch(order, i);
      if (same !== undefined && same[i] === 1) continue;
      const line = order[i] as number;
      if (unlike !== undefined && i > 0 && areSame(unlike, order[i - 1] as number, line)) continue;
      const from = spans[2 * line] as number;
      const to = (spans[2 * line + 1] as number) + 1;
      const size = to - from;
      for (let left = counts?.of(line) ?? 1; left > 0;) {
        if (size > limit - at) {
          if (at > base) yield text.subarray(base, at);
          at = base;
          if (size > OUTPUT / 2) {
            yield text.subarray(from, to);
            left--;
            continue;
          }
        }
        move(text, from, to, at);
        left--;
        // Further copies of a line are made from those already there, twice as many each time.
        const first = at;
        at += size;
        if (left === 0) break;
        const more = Math.min(left, Math.floor((limit - at) / size));
        left -= more;
        for (const end = at + more * size; at < end;) {
          const step = Math.min(at - first, end - at);
          text.copyWithin(at, first, first + step);
          at += step;
        }
      }
    }
    if (at > base) yield text.subarray(base, at);
  }
}

/** Moves bytes to an offset before them, or to one that does not overlap them. */
function move(text: Chunk, from: number, to: number, at: number): void {
  if (to - from > SHORT) text.copyWithin(at, from, to);
  else for (let i = from; i < to; i++) text[at++] = text[i] as number;
}
