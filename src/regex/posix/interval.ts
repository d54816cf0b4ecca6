/**
 * Intervals: `{n}`, `{n,}`, `{,m}`, `{n,m}`.
 *
 * @module
 */

import { RegexError } from "../errors.ts";

/** glibc's RE_DUP_MAX. */
const maxRepeat = 0x7fff;

/** Bounds of an interval (`max` -1: no limit) and the offset after it. */
export interface Interval {
  readonly min: number;
  readonly max: number;
  readonly end: number;
  /**
   * True if a comma or 0 is escaped: glibc reads it as if it were not, gnulib's parser refuses it.
   */
  readonly confusing: boolean;
}

/** The end of a bound. */
type Mark = "close" | "comma" | "end";

/** Values of a bound that is missing, and of one that is not a number. */
const NONE = -1;
const WRONG = -2;

/**
 * Intervals that are literal text when invalid, as in `grep -E 'a{x'`: none; those whose content is
 * no interval at all; or all invalid ones.
 */
export type IntervalLenience = "none" | "some" | "all";

/** Reads the interval whose opening is just before `start`; `undefined` if it is literal text. */
export function parseInterval(
  symbols: readonly number[],
  start: number,
  extended: boolean,
  lenience: IntervalLenience,
): Interval | undefined {
  const first = readBound(symbols, start, extended);
  let last = first;
  let max = first.value;
  if (first.mark === "comma" && first.value !== WRONG) {
    last = readBound(symbols, first.end, extended);
    max = last.value;
  }
  const confusing = first.confusing || last.confusing;
  const min = first.value === NONE && first.mark === "comma" ? 0 : first.value;
  if (min === WRONG || max === WRONG) {
    if (lenience !== "none") return undefined;
    throw new RegexError(last.mark === "end" ? "Unmatched \\{" : "Invalid content of \\{\\}");
  }
  if (min === NONE || max >= 0 && min > max || last.mark !== "close") {
    if (lenience === "all") return undefined;
    throw new RegexError("Invalid content of \\{\\}");
  }
  if (Math.max(min, max) > maxRepeat) throw new RegexError("Regular expression too big");
  if (lenience !== "none" && confusing) return undefined;
  return { min, max, end: last.end, confusing };
}

/** Reads up to the next comma or closing brace, token by token as glibc does. */
function readBound(
  symbols: readonly number[],
  start: number,
  extended: boolean,
): { value: number; mark: Mark; end: number; confusing: boolean } {
  let value = NONE;
  let confusing = false;
  for (let at = start;;) {
    const escaped = symbols[at] === 0x5c;
    const symbol = symbols[escaped ? at + 1 : at];
    if (symbol === undefined) return { value: WRONG, mark: "end", end: symbols.length, confusing };
    at += escaped ? 2 : 1;
    if (symbol === 0x7d && escaped !== extended) {
      return { value, mark: "close", end: at, confusing };
    }
    confusing ||= escaped && (symbol === 0x2c || symbol === 0x30);
    if (symbol === 0x2c) return { value, mark: "comma", end: at, confusing };
    const digit = symbol - 0x30;
    // After a backslash the other digits are back-references.
    if (escaped && digit !== 0 || digit < 0 || digit > 9) value = WRONG;
    else if (value !== WRONG) value = Math.min(maxRepeat + 1, Math.max(0, value) * 10 + digit);
  }
}
