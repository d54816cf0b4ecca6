import type { Chunk } from "../streams/mod.ts";
import { KeyBuffer } from "./_sort_encode.ts";
import type { Criterion, SortPlan } from "./_sort_plan.ts";
import { compareAt, RadixSorter, type Strings } from "./_sort_radix.ts";
import { compareVersions } from "./_version_compare.ts";

/** Room at the end of the text where output is put together, in bytes. */
const OUTPUT = 64 * 1024;
/** Lines are searched for, not looped for, from this length on, on average. */
const LONG_LINE = 32;
/** How many lines are looked at between two pauses. */
const PAUSE_EVERY = 100_000;
/** Memory a line takes besides its text, about: its place in the arrays of the sort. */
const LINE_COST = 24;
const KEYED_LINE_COST = 40;

/** Lines in memory, which can be sorted and put out. */
export class LineStore {
  readonly #plan: SortPlan;
  readonly #separator: number;
  readonly #unique: boolean;
  /** Whether whole lines are compared byte by byte, and nothing else. */
  readonly #plain: boolean;
  readonly #sorter = new RadixSorter();
  #text: Chunk;
  #used = 0;
  #begin = new Uint32Array(1024);
  #end = new Uint32Array(1024);
  #count = 0;

  /** Makes an empty store; `expected` is how many bytes of text will come, if that is known. */
  constructor(plan: SortPlan, separator: number, unique: boolean, expected: number) {
    this.#plan = plan;
    this.#separator = separator;
    this.#unique = unique;
    const [first, second] = plan.criteria;
    this.#plain = second === undefined && first?.locate === undefined &&
      first?.encode === undefined && first?.version === false;
    this.#text = new Uint8Array(expected + OUTPUT);
  }

  /** Whether there are no lines. */
  get empty(): boolean {
    return this.#count === 0;
  }

  /** About how much memory the lines take to be sorted, in bytes. */
  get cost(): number {
    return this.#used + this.#count * (this.#plain ? LINE_COST : KEYED_LINE_COST);
  }

  /** Takes a copy of whole lines; a missing last separator is added. */
  add(block: Chunk): void {
    const separator = this.#separator;
    this.#reserve(block.length + 1);
    const text = this.#text;
    text.set(block, this.#used);
    let end = this.#used + block.length;
    if (text[end - 1] !== separator) text[end++] = separator;
    // A search for each line costs a call, a loop costs every byte.
    const long = this.#used > LONG_LINE * this.#count;
    let count = this.#count;
    for (let start = this.#used; start < end; count++) {
      if (count === this.#begin.length) this.#growLines();
      let at = start;
      if (long) at = text.indexOf(separator, start);
      else while (text[at] !== separator) at++;
      this.#begin[count] = start;
      this.#end[count] = at;
      start = at + 1;
    }
    this.#count = count;
    this.#used = end;
  }

  /** Forgets all lines; keeps the memory. */
  clear(): void {
    this.#used = 0;
    this.#count = 0;
  }

  #reserve(more: number): void {
    const needed = this.#used + more + OUTPUT;
    if (needed <= this.#text.length) return;
    const grown = new Uint8Array(Math.max(needed, Math.floor(this.#text.length * 1.6)));
    grown.set(this.#text.subarray(0, this.#used));
    this.#text = grown;
  }

  #growLines(): void {
    const grow = (from: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> => {
      const grown = new Uint32Array(from.length * 2);
      grown.set(from);
      return grown;
    };
    this.#begin = grow(this.#begin);
    this.#end = grow(this.#end);
  }

  /**
   * Sorts the lines and gives them as lent chunks, one of each equal run if that is wanted. Gives
   * `undefined` now and then, so that a caller can let others run.
   */
  *sorted(): Generator<Chunk | undefined, void, void> {
    const order = new Uint32Array(this.#count);
    for (let i = 0; i < order.length; i++) order[i] = i;
    let same: Uint8Array | undefined;
    // Ranges of lines that are equal by all criteria so far: pairs of from and to.
    let ranges: number[] = order.length > 1 ? [0, order.length] : [];
    for (const [i, criterion] of this.#plan.criteria.entries()) {
      const strings = yield* this.#strings(criterion, order, ranges);
      for (let r = 0; r < ranges.length; r += 2) {
        const [from, to] = [ranges[r] as number, ranges[r + 1] as number];
        // Equal lines stay in their order also where the result is reversed.
        if (criterion.reverse) order.subarray(from, to).reverse();
        if (criterion.version) sortVersions(order.subarray(from, to), strings);
        else for (const _ of this.#sorter.sort(order, from, to, strings)) yield undefined;
        if (criterion.reverse) order.subarray(from, to).reverse();
      }
      const last = i === this.#plan.criteria.length - 1;
      if (last && (!this.#unique || this.#plain)) break;
      ranges = yield* equalRanges(order, ranges, strings, criterion.version);
    }
    if (this.#unique && !this.#plain) {
      same = new Uint8Array(order.length);
      for (let r = 0; r < ranges.length; r += 2) {
        same.fill(1, (ranges[r] as number) + 1, ranges[r + 1] as number);
      }
    }
    yield* this.#putOut(order, same);
  }

  /** The byte strings to compare the lines by that are in one of the ranges. */
  *#strings(
    { locate, encode }: Criterion,
    order: Uint32Array,
    ranges: readonly number[],
  ): Generator<undefined, Strings, void> {
    const text = this.#text;
    if (locate === undefined && encode === undefined) {
      return { bytes: text, begin: this.#begin, end: this.#end };
    }
    const begin = new Uint32Array(this.#count);
    const end = new Uint32Array(this.#count);
    const keys = new KeyBuffer();
    let work = 0;
    for (let r = 0; r < ranges.length; r += 2) {
      const to = ranges[r + 1] as number;
      for (let i = ranges[r] as number; i < to; i++) {
        const line = order[i] as number;
        let from = this.#begin[line] as number;
        let until = this.#end[line] as number;
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
        begin[line] = from;
        end[line] = until;
        if (++work % PAUSE_EVERY === 0) yield undefined;
      }
    }
    return { bytes: encode === undefined ? text : keys.bytes, begin, end };
  }

  /** Puts the lines out in order, but those that are the same as the one before. */
  *#putOut(order: Uint32Array, same: Uint8Array | undefined): Generator<Chunk, void, void> {
    const text = this.#text;
    const [begin, end] = [this.#begin, this.#end];
    // Within one buffer a copy needs no view of its source.
    const base = this.#used;
    const limit = base + OUTPUT;
    // Equal lines are found here, where they are read anyway, not by a pass of its own.
    const unlike = this.#unique && this.#plain ? { bytes: text, begin, end } : undefined;
    let at = base;
    for (let i = 0; i < order.length; i++) {
      if (same !== undefined && same[i] === 1) continue;
      const line = order[i] as number;
      if (unlike !== undefined && i > 0) {
        if (compareAt(unlike, order[i - 1] as number, line, 0) === 0) continue;
      }
      const from = begin[line] as number;
      const to = (end[line] as number) + 1;
      if (to - from > limit - at) {
        if (at > base) yield text.subarray(base, at);
        at = base;
        if (to - from > OUTPUT / 2) {
          yield text.subarray(from, to);
          continue;
        }
      }
      text.copyWithin(at, from, to);
      at += to - from;
    }
    if (at > base) yield text.subarray(base, at);
  }
}

function sortVersions(order: Uint32Array, { bytes, begin, end }: Strings): void {
  // The sort of plain arrays is stable; that of typed ones is, too, but slower.
  const sorted = Array.from(order).sort((a, b) =>
    compareVersions(
      bytes,
      begin[a] as number,
      end[a] as number,
      bytes,
      begin[b] as number,
      end[b] as number,
    )
  );
  order.set(sorted);
}

/** The ranges within `ranges` of lines that compare equal. */
function* equalRanges(
  order: Uint32Array,
  ranges: readonly number[],
  strings: Strings,
  version: boolean,
): Generator<undefined, number[], void> {
  const { bytes, begin, end } = strings;
  const found: number[] = [];
  let work = 0;
  const equal = (a: number, b: number): boolean =>
    version
      ? compareVersions(
        bytes,
        begin[a] as number,
        end[a] as number,
        bytes,
        begin[b] as number,
        end[b] as number,
      ) === 0
      : compareAt(strings, a, b, 0) === 0;
  for (let r = 0; r < ranges.length; r += 2) {
    const to = ranges[r + 1] as number;
    let start = ranges[r] as number;
    for (let i = start + 1; i <= to; i++) {
      if (++work % PAUSE_EVERY === 0) yield undefined;
      if (i < to && equal(order[start] as number, order[i] as number)) continue;
      if (i - start > 1) found.push(start, i);
      start = i;
    }
  }
  return found;
}
