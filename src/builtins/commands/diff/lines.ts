/**
 * The comparison of two lists of lines: Myers' algorithm ("An O(ND) difference algorithm and its
 * variations", 1986) in linear space, with the limits and the tidying that GNU diff documents, so
 * that hunks agree with its own.
 *
 * Lines are numbers here: equal lines have equal numbers.
 *
 * @module
 */

import { LimitError } from "../../../streams/mod.ts";
import { Flags, type Kept } from "./flags.ts";
import { Search, type SearchOptions } from "./search.ts";

/**
 * Limit of the steps of a minimal search with all lines, as in GNU diff. If they do not suffice,
 * the search is repeated without the lines that have no match. Its result is as small, but may
 * differ from GNU's.
 */
const STEPS_WITH_ALL = 1 << 28;

/**
 * Lines left out of the search: none, those without a match, or also those that are too frequent.
 */
type Discard = "nothing" | "unmatched" | "frequent";

/** One change: lines removed from the first file and lines inserted in the second. */
export interface Change {
  /** Index of the first line in the first file, and number of lines removed. */
  readonly line0: number;
  readonly deleted: number;
  /** Index of the first line in the second file, and number of lines inserted. */
  readonly line1: number;
  readonly inserted: number;
  /** True if the change may be left out of the output (`-B`, `-I`). */
  readonly ignore: boolean;
}

/** Changes in order, four numbers each. */
export class Changes {
  /** Number of changes. */
  count = 0;
  readonly #offset: number;
  #numbers: Int32Array = new Int32Array(64);
  #ignored: Uint8Array | undefined;

  /** Creates an empty list. `offset` is added to all line numbers. */
  constructor(offset: number) {
    this.#offset = offset;
  }

  /** Adds a change after the last one. */
  add(line0: number, deleted: number, line1: number, inserted: number): void {
    const at = 4 * this.count++;
    if (at === this.#numbers.length) {
      const grown = new Int32Array(2 * at);
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    const numbers = this.#numbers;
    numbers[at] = line0;
    numbers[at + 1] = deleted;
    numbers[at + 2] = line1;
    numbers[at + 3] = inserted;
  }

  /** Returns the change at an index. */
  at(index: number): Change {
    const numbers = this.#numbers;
    return {
      line0: (numbers[4 * index] as number) + this.#offset,
      deleted: numbers[4 * index + 1] as number,
      line1: (numbers[4 * index + 2] as number) + this.#offset,
      inserted: numbers[4 * index + 3] as number,
      ignore: this.#ignored?.[index] === 1,
    };
  }

  /** Marks a change that may be left out of the output. */
  ignore(index: number): void {
    this.#ignored ??= new Uint8Array(this.count);
    this.#ignored[index] = 1;
  }

  /** Yields the changes from one index to before another, in order. */
  *between(from: number, to: number): Generator<Change, void, void> {
    for (let i = from; i < to; i++) yield this.at(i);
  }

  /** Yields all changes that may not be left out, in order. */
  *shown(): Generator<Change, void, void> {
    for (const change of this.between(0, this.count)) if (!change.ignore) yield change;
  }
}

/**
 * Finds the changes that turn `a` into `b`, in order. `offset` is added to all line numbers. `turn`
 * lets the event loop turn in a long search.
 */
export async function compareLines(
  a: Int32Array,
  b: Int32Array,
  classes: number,
  offset: number,
  options: SearchOptions,
  turn: () => Promise<void>,
): Promise<Changes> {
  const search = async (discard: Discard, steps: number): Promise<[Flags, Flags]> => {
    const changed: [Flags, Flags] = [new Flags(a.length), new Flags(b.length)];
    const counts = new Int32Array(classes);
    const kept0 = keep(a, b, counts, changed[0], discard);
    const kept1 = keep(b, a, counts.fill(0), changed[1], discard);
    const { length: length0 } = kept0.lines;
    const { length: length1 } = kept1.lines;
    await new Search(kept0, kept1, changed, { ...options, steps }, turn)
      .compare(0, length0, 0, length1, options.minimal);
    return changed;
  };
  let changed: [Flags, Flags];
  if (options.minimal) {
    const { steps } = options;
    try {
      changed = await search("nothing", Math.min(steps, STEPS_WITH_ALL));
    } catch (error) {
      if (!(error instanceof LimitError)) throw error;
      changed = await search("unmatched", steps);
    }
  } else {
    changed = await search("frequent", Infinity);
  }
  shiftBoundaries(a, changed[0], changed[1]);
  shiftBoundaries(b, changed[1], changed[0]);
  return script(a.length, b.length, changed, offset);
}

function script(
  length0: number,
  length1: number,
  [changed0, changed1]: readonly [Flags, Flags],
  offset: number,
): Changes {
  const changes = new Changes(offset);
  let i = 0;
  let j = 0;
  for (; i < length0 || j < length1; i++, j++) {
    const line0 = i;
    const line1 = j;
    while (changed0.at(i)) i++;
    while (changed1.at(j)) j++;
    if (i > line0 || j > line1) changes.add(line0, i - line0, line1, j - line1);
  }
  return changes;
}

/**
 * Leaves out lines without a match in the other file and, if asked to, those that are too frequent.
 */
function keep(
  own: Int32Array,
  other: Int32Array,
  counts: Int32Array,
  changed: Flags,
  discard: Discard,
): Kept {
  for (const line of other) counts[line] = (counts[line] as number) + 1;
  let many = 5;
  for (let rest = (own.length / 64) >> 2; rest > 0; rest >>= 2) many *= 2;
  const discards = new Uint8Array(own.length);
  for (let i = 0; i < own.length; i++) {
    const matches = counts[own[i] as number] as number;
    if (discard === "nothing") continue;
    discards[i] = matches === 0 ? 1 : matches > many && discard === "frequent" ? 2 : 0;
  }
  settleProvisional(discards);
  let size = own.length;
  for (const each of discards) if (each !== 0) size--;
  const lines = new Int32Array(size);
  const indexes = new Int32Array(size);
  let count = 0;
  for (let i = 0; i < own.length; i++) {
    if (discards[i] === 0) {
      lines[count] = own[i] as number;
      indexes[count++] = i;
    } else {
      changed.set(i, 1);
    }
  }
  return { lines, indexes };
}

/** Keeps provisional discards (2) only inside runs that are mostly certain ones (1). */
function settleProvisional(discards: Uint8Array): void {
  const size = discards.length;
  for (let i = 0; i < size; i++) {
    if (discards[i] === 2) discards[i] = 0;
    if (discards[i] === 0) continue;
    let end = i;
    let provisional = 0;
    while (end < size && discards[end] !== 0) {
      if (discards[end++] === 2) provisional++;
    }
    while (end > i && discards[end - 1] === 2) {
      discards[--end] = 0;
      provisional--;
    }
    const run = discards.subarray(i, end);
    if (provisional * 4 > run.length) {
      for (let j = 0; j < run.length; j++) if (run[j] === 2) run[j] = 0;
    } else {
      cancelSubruns(run);
      cancelFromStart(run, (j) => j);
      cancelFromStart(run, (j) => run.length - 1 - j);
    }
    i = end - 1;
  }
}

/** Cancels provisional discards in long rows. */
function cancelSubruns(run: Uint8Array): void {
  let minimum = 1;
  for (let rest = run.length >> 4; rest > 0; rest >>= 2) minimum *= 2;
  minimum++;
  let row = 0;
  for (let j = 0; j < run.length; j++) {
    if (run[j] !== 2) row = 0;
    else if (++row === minimum) j -= row;
    else if (row > minimum) run[j] = 0;
  }
}

/** Cancels provisional discards near an end, up to three certain ones in a row. */
function cancelFromStart(run: Uint8Array, index: (j: number) => number): void {
  let row = 0;
  for (let j = 0; j < run.length; j++) {
    const at = index(j);
    if (j >= 8 && run[at] === 1) break;
    if (run[at] === 1) row++;
    else row = run[at] = 0;
    if (row === 3) break;
  }
}

/**
 * Slides runs of changed lines along equal ones: first back to join the run before, then forward as
 * far as possible, then back again to meet a run of the other file.
 */
function shiftBoundaries(lines: Int32Array, changed: Flags, other: Flags): void {
  const end = lines.length;
  let i = 0;
  let j = 0;
  for (;;) {
    while (i < end && !changed.at(i)) {
      while (other.at(j++));
      i++;
    }
    if (i === end) return;
    let start = i;
    while (changed.at(++i));
    while (other.at(j)) j++;
    let corresponding: number;
    let length: number;
    do {
      length = i - start;
      while (start > 0 && lines[start - 1] === lines[i - 1]) {
        changed.set(--start, 1);
        changed.set(--i, 0);
        while (changed.at(start - 1)) start--;
        while (other.at(--j));
      }
      corresponding = other.at(j - 1) ? i : end;
      while (i !== end && lines[start] === lines[i]) {
        changed.set(start++, 0);
        changed.set(i++, 1);
        while (changed.at(i)) i++;
        while (other.at(++j)) corresponding = i;
      }
    } while (length !== i - start);
    while (corresponding < i) {
      changed.set(--start, 1);
      changed.set(--i, 0);
      while (other.at(--j));
    }
  }
}
