/**
 * Sets of symbols as sorted, disjoint, inclusive ranges.
 *
 * A symbol is what the matcher reads in one step: a code point, or a byte that is not part of a
 * valid UTF-8 sequence, numbered from {@linkcode INVALID} on.
 *
 * @module
 */

/** Sorted, disjoint, non-adjacent inclusive ranges: `[low0, high0, low1, high1, ...]`. */
export type CharSet = readonly number[];

/** The last code point. */
export const LAST_CODE_POINT = 0x10ffff;

/** Symbol of the invalid byte `b` is `INVALID + b`, 128 <= b <= 255. */
export const INVALID = 0x110000;

/** No symbol. */
export const nothing: CharSet = [];

/** Every valid character. */
export const anyCharacter: CharSet = [0, LAST_CODE_POINT];

/** Every symbol, invalid bytes too. */
export const anySymbol: CharSet = [0, INVALID + 255];

/** Sorts and merges ranges given in any order. */
export function charSet(ranges: readonly number[]): CharSet {
  const pairs: [number, number][] = [];
  for (let i = 0; i + 1 < ranges.length; i += 2) {
    pairs.push([ranges[i] as number, ranges[i + 1] as number]);
  }
  pairs.sort((a, b) => a[0] - b[0]);
  const merged: number[] = [];
  for (const [low, high] of pairs) append(merged, low, high);
  return merged;
}

/** Adds a range that does not start before the last one. */
function append(merged: number[], low: number, high: number): void {
  const last = merged.length - 1;
  if (last > 0 && low <= (merged[last] as number) + 1) {
    if (high > (merged[last] as number)) merged[last] = high;
  } else {
    merged.push(low, high);
  }
}

/** Symbols of either set. */
export function union(a: CharSet, b: CharSet): CharSet {
  const merged: number[] = [];
  let i = 0;
  let k = 0;
  while (i < a.length || k < b.length) {
    if (k >= b.length || i < a.length && (a[i] as number) <= (b[k] as number)) {
      append(merged, a[i] as number, a[i + 1] as number);
      i += 2;
    } else {
      append(merged, b[k] as number, b[k + 1] as number);
      k += 2;
    }
  }
  return merged;
}

/** The valid characters that are not in `set`; no complement contains invalid bytes. */
export function negate(set: CharSet): CharSet {
  const out: number[] = [];
  let next = 0;
  for (let i = 0; i + 1 < set.length; i += 2) {
    const low = set[i] as number;
    if (low > LAST_CODE_POINT) break;
    if (low > next) out.push(next, low - 1);
    next = (set[i + 1] as number) + 1;
  }
  if (next <= LAST_CODE_POINT) out.push(next, LAST_CODE_POINT);
  return out;
}

/** True if `set` contains `symbol`. */
export function includes(set: CharSet, symbol: number): boolean {
  let low = 0;
  let high = set.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((set[2 * middle + 1] as number) < symbol) low = middle + 1;
    else high = middle;
  }
  return low < set.length >> 1 && (set[2 * low] as number) <= symbol;
}
