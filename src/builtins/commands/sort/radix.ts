/**
 * Byte strings, one for each line number: `bytes` from `spans[2 * line]` to before the number after
 * that. Both offsets are side by side, because they are always needed together.
 */
export interface Strings {
  readonly bytes: Uint8Array;
  readonly spans: Uint32Array;
}

/** Ranges up to this length are sorted by comparing strings. */
const TINY = 3;
/** Ranges up to this length are sorted by insertion. */
const SMALL = 32;
/** Number of strings processed between two pauses. */
const PAUSE_EVERY = 200_000;

/**
 * Sorts line numbers by their byte strings: a radix sort that begins with the most significant
 * bytes, takes four bytes at a time, and keeps those bytes beside the line numbers.
 *
 * Stable: equal strings stay in their order. A string sorts before one that continues it.
 */
export class RadixSorter {
  #keys: Uint32Array = new Uint32Array(0);
  #otherKeys: Uint32Array = new Uint32Array(0);
  #otherOrder: Uint32Array = new Uint32Array(0);
  readonly #counts = new Uint32Array(4 * 256);
  /** True if a string ends within the four bytes loaded last. */
  #ended = false;

  /**
   * Sorts `order[from..to)`. Adds to `ties`, if given, the ranges of equal strings: pairs of from
   * and to, unordered. Yields now and then, so that a caller can let others run.
   */
  *sort(
    order: Uint32Array,
    from: number,
    to: number,
    strings: Strings,
    ties: number[] | undefined,
  ): Generator<void, void, void> {
    if (to - from <= TINY) {
      insertionSort(order, from, to, 0, strings, ties);
      return;
    }
    if (this.#keys.length < to) {
      this.#keys = new Uint32Array(to);
      this.#otherKeys = new Uint32Array(to);
      this.#otherOrder = new Uint32Array(to);
    }
    // Ranges still to be sorted, of strings that agree up to a depth: from, to, depth. A negative
    // depth is the complement of one at which the next four bytes agree, too.
    const todo: number[] = [from, to, 0];
    let work = 0;
    while (todo.length > 0) {
      let depth = todo.pop() as number;
      const end = todo.pop() as number;
      let start = todo.pop() as number;
      let agree = depth < 0;
      if (agree) depth = ~depth;
      while (end - start > TINY) {
        work += end - start;
        if (work > PAUSE_EVERY) {
          work = 0;
          yield;
        }
        const agreed = agree;
        const differing = agreed ? 0 : this.#load(order, start, end, depth, strings);
        agree = false;
        if (differing !== 0) {
          if (end - start <= SMALL) this.#insert(order, start, end);
          else this.#distribute(order, start, end, differing);
          this.#queueEqual(start, end, depth, todo);
          start = end;
        } else {
          // All agree on the next four bytes, but some strings may end within these.
          if (this.#ended || agreed) {
            start = this.#endedFirst(order, start, end, depth, strings, ties);
          }
          depth += 4;
        }
      }
      if (end - start > 1) insertionSort(order, start, end, depth, strings, ties);
    }
  }

  /** Sorts a short range by the loaded keys. */
  #insert(order: Uint32Array, from: number, to: number): void {
    const keys = this.#keys;
    for (let i = from + 1; i < to; i++) {
      const key = keys[i] as number;
      const line = order[i] as number;
      let at = i;
      while (at > from && (keys[at - 1] as number) > key) {
        keys[at] = keys[at - 1] as number;
        order[at] = order[at - 1] as number;
        at--;
      }
      keys[at] = key;
      order[at] = line;
    }
  }

  /** Loads four bytes of each string; returns the bits in which they differ. */
  #load(order: Uint32Array, from: number, to: number, depth: number, strings: Strings): number {
    const { bytes, spans } = strings;
    const keys = this.#keys;
    let differing = 0;
    let first = 0;
    let ended = false;
    for (let i = from; i < to; i++) {
      const span = 2 * (order[i] as number);
      const at = (spans[span] as number) + depth;
      const left = (spans[span + 1] as number) - at;
      let key = 0;
      if (left >= 4) {
        key = (((bytes[at] as number) << 24) | ((bytes[at + 1] as number) << 16) |
          ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number)) >>> 0;
      } else {
        ended = true;
        if (left > 0) key = (bytes[at] as number) << 24;
        if (left > 1) key |= (bytes[at + 1] as number) << 16;
        if (left > 2) key |= (bytes[at + 2] as number) << 8;
        key >>>= 0;
      }
      keys[i] = key;
      if (i === from) first = key;
      differing |= key ^ first;
    }
    this.#ended = ended;
    return differing;
  }

  /** Sorts by the loaded keys: a counting sort for each byte in which they differ. */
  #distribute(order: Uint32Array, from: number, to: number, differing: number): void {
    const counts = this.#counts.fill(0);
    const keys = this.#keys;
    const [use0, use1] = [(differing & 0xff) !== 0, (differing & 0xff00) !== 0];
    const [use2, use3] = [(differing & 0xff0000) !== 0, (differing & 0xff000000) !== 0];
    for (let i = from; i < to; i++) {
      const key = keys[i] as number;
      if (use0) (counts[key & 255] as number)++;
      if (use1) (counts[256 + ((key >>> 8) & 255)] as number)++;
      if (use2) (counts[512 + ((key >>> 16) & 255)] as number)++;
      if (use3) (counts[768 + (key >>> 24)] as number)++;
    }
    let fromKeys = keys;
    let toKeys = this.#otherKeys;
    let fromOrder = order;
    let toOrder = this.#otherOrder;
    for (let digit = 0; digit < 4; digit++) {
      const shift = digit * 8;
      if (((differing >>> shift) & 255) === 0) continue;
      const base = digit * 256;
      let sum = from;
      for (let i = base; i < base + 256; i++) {
        const count = counts[i] as number;
        counts[i] = sum;
        sum += count;
      }
      for (let i = from; i < to; i++) {
        const key = fromKeys[i] as number;
        const slot = base + ((key >>> shift) & 255);
        const at = counts[slot] as number;
        counts[slot] = at + 1;
        toKeys[at] = key;
        toOrder[at] = fromOrder[i] as number;
      }
      [fromKeys, toKeys] = [toKeys, fromKeys];
      [fromOrder, toOrder] = [toOrder, fromOrder];
    }
    if (fromOrder !== order) {
      order.set(fromOrder.subarray(from, to), from);
      keys.set(fromKeys.subarray(from, to), from);
    }
  }

  /** Adds the ranges of equal keys to those still to be sorted by the following bytes. */
  #queueEqual(from: number, to: number, depth: number, todo: number[]): void {
    const keys = this.#keys;
    let start = from;
    for (let i = from + 1; i <= to; i++) {
      if (i < to && keys[i] === keys[start]) continue;
      if (i - start > 1) todo.push(start, i, ~depth);
      start = i;
    }
  }

  /**
   * Moves the strings that end within the four bytes at `depth` to the front, shorter ones first;
   * returns the index of the first one after them. All strings must agree on those bytes, if a
   * missing byte counts as NUL.
   */
  #endedFirst(
    order: Uint32Array,
    from: number,
    to: number,
    depth: number,
    { spans }: Strings,
    ties: number[] | undefined,
  ): number {
    const lengths = this.#keys;
    const counts = this.#counts.fill(0, 0, 5);
    for (let i = from; i < to; i++) {
      const span = 2 * (order[i] as number);
      const left = (spans[span + 1] as number) - (spans[span] as number) - depth;
      const length = Math.max(0, Math.min(4, left));
      lengths[i] = length;
      (counts[length] as number)++;
    }
    if (counts[4] === to - from) return from;
    let at = from;
    for (let length = 0; length <= 4; length++) {
      const count = counts[length] as number;
      counts[length] = at;
      if (length < 4 && count > 1) ties?.push(at, at + count);
      at += count;
    }
    const first = counts[4] as number;
    const other = this.#otherOrder;
    for (let i = from; i < to; i++) {
      const slot = lengths[i] as number;
      const place = counts[slot] as number;
      counts[slot] = place + 1;
      other[place] = order[i] as number;
    }
    order.set(other.subarray(from, to), from);
    return first;
  }
}

/** Sorts a short range of strings that agree up to `depth`; see {@linkcode RadixSorter.sort}. */
function insertionSort(
  order: Uint32Array,
  from: number,
  to: number,
  depth: number,
  strings: Strings,
  ties: number[] | undefined,
): void {
  for (let i = from + 1; i < to; i++) {
    const line = order[i] as number;
    let at = i;
    while (at > from && compareAt(strings, order[at - 1] as number, line, depth) > 0) {
      order[at] = order[at - 1] as number;
      at--;
    }
    order[at] = line;
  }
  if (ties === undefined) return;
  let start = from;
  for (let i = from + 1; i <= to; i++) {
    if (i < to && areSame(strings, order[start] as number, order[i] as number)) continue;
    if (i - start > 1) ties.push(start, i);
    start = i;
  }
}

/** Compares the strings of two lines, which agree up to `depth`. */
function compareAt(
  { bytes, spans }: Strings,
  a: number,
  b: number,
  depth: number,
): number {
  let i = (spans[2 * a] as number) + depth;
  let j = (spans[2 * b] as number) + depth;
  const lengthA = (spans[2 * a + 1] as number) - i;
  const lengthB = (spans[2 * b + 1] as number) - j;
  const stop = i + Math.min(lengthA, lengthB);
  for (; i < stop; i++, j++) {
    const difference = (bytes[i] as number) - (bytes[j] as number);
    if (difference !== 0) return difference;
  }
  return lengthA - lengthB;
}

/**
 * True if two lines have the same string. Sorted neighbours rather differ at the end, so it is
 * compared first.
 */
export function areSame({ bytes, spans }: Strings, a: number, b: number): boolean {
  const start = spans[2 * a] as number;
  let i = spans[2 * a + 1] as number;
  let j = spans[2 * b + 1] as number;
  if (i - start !== j - (spans[2 * b] as number)) return false;
  while (i > start) if (bytes[--i] !== bytes[--j]) return false;
  return true;
}
