/**
 * Intervals: `{n}`, `{n,}`, `{,m}`, `{n,m}`.
 *
 * @module
 */

import { RegexError } from "./errors.ts";

/** RE_DUP_MAX of glibc. */
const maxRepeat = 0x7fff;

/** Bounds of an interval (`max` -1: none), and where the pattern goes on. */
export interface Interval {
  readonly min: number;
  readonly max: number;
  readonly end: number;
}

/**
 * Reads the interval whose opening is just before `start`. `undefined` where it is not one and
 * stands for itself, as in `grep -E 'a{x'`; `literal` allows that.
 */
export function parseInterval(
  symbols: readonly number[],
  start: number,
  extended: boolean,
  literal: boolean,
): Interval | undefined {
  const low = number(symbols, start);
  let { value: min, end } = low;
  let max = min;
  if (symbols[end] === 0x2c) {
    const high = number(symbols, end + 1);
    max = high.value;
    end = high.end;
    if (min < 0) min = 0;
  }
  const closing = closeAt(symbols, end, extended);
  if (closing < 0) {
    if (literal) return undefined;
    const later = end < symbols.length && isClosed(symbols, start, extended);
    throw new RegexError(later ? "Invalid content of \\{\\}" : "Unmatched \\{");
  }
  if (min < 0 || max >= 0 && min > max) throw new RegexError("Invalid content of \\{\\}");
  if (Math.max(min, max) > maxRepeat) throw new RegexError("Regular expression too big");
  return { min, max, end: closing };
}

/** Where the pattern goes on behind the closing brace at `at`, or -1. */
function closeAt(symbols: readonly number[], at: number, extended: boolean): number {
  if (extended) return symbols[at] === 0x7d ? at + 1 : -1;
  return symbols[at] === 0x5c && symbols[at + 1] === 0x7d ? at + 2 : -1;
}

/** Whether the interval is closed somewhere, though its content is wrong. */
function isClosed(symbols: readonly number[], start: number, extended: boolean): boolean {
  for (let i = start; i < symbols.length; i++) {
    if (closeAt(symbols, i, extended) >= 0) return true;
  }
  return false;
}

/** A decimal number, or -1 where there is none. */
function number(symbols: readonly number[], start: number): { value: number; end: number } {
  let value = -1;
  let end = start;
  for (;; end++) {
    const digit = (symbols[end] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return { value, end };
    value = Math.min(maxRepeat + 1, Math.max(0, value) * 10 + digit);
  }
}
