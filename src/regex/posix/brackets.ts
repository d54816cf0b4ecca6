/**
 * Bracket expressions (POSIX base definitions 9.3.5) as GNU reads them.
 *
 * @module
 */

import { type CharSet, charSet, INVALID, negate } from "../charset.ts";
import { characterClass, foldCase, foldRange } from "../classes.ts";
import { RegexError } from "../errors.ts";
import { symbolLength } from "../utf8.ts";

const BACKSLASH_N = 0x0a;
const DASH = 0x2d;
const COLON = 0x3a;
const OPEN = 0x5b;
const CLOSE = 0x5d;

/** Longest name between `[:` and `:]` in bytes: glibc searches no further for its end. */
const MAX_NAME = 31;

const unmatched = "Unmatched [, [^, [:, [., or [=";

/** Options of reading a bracket expression. */
export interface BracketOptions {
  /** Folds case before a leading `^` inverts the set. */
  readonly ignoreCase: boolean;
  /** Keeps the newline out of `[^...]`. */
  readonly hatExcludesNewline: boolean;
  /** A range that ends before it begins is empty instead of an error. */
  readonly emptyRanges: boolean;
}

/** A parsed bracket expression and the offset after it. */
export interface Bracket {
  readonly set: CharSet;
  readonly end: number;
  /** True for `[:space:]` and the like, which is probably meant to be `[[:space:]]`. */
  readonly confusing: boolean;
  /**
   * True if it contains `[=x=]`, `[.x.]`, a class except `[:digit:]`, or a range other than of
   * digits.
   */
  readonly vague: boolean;
}

interface Element {
  readonly set: CharSet;
  /** The symbol that may begin or end a range; -1 for a class. */
  readonly point: number;
  readonly end: number;
}

/** Reads the bracket expression of `symbols` whose `[` is just before `start`. */
export function parseBracket(
  symbols: readonly number[],
  start: number,
  options: BracketOptions,
): Bracket {
  let at = start;
  const inverted = symbols[at] === 0x5e;
  if (inverted) at++;
  if (at >= symbols.length) throw new RegexError("Invalid regular expression");
  const ranges: number[] = [];
  const from = at;
  let plain = true;
  let vague = false;
  let first = true;
  for (;; first = false) {
    const symbol = symbols[at];
    if (symbol === undefined) throw new RegexError(unmatched);
    if (symbol === CLOSE && !first) break;
    if (symbol === DASH && !first && !mayStand(symbols, at)) {
      throw new RegexError(symbols[at + 1] === undefined ? unmatched : "Invalid range end");
    }
    const low = element(symbols, at, options);
    if (low.end > at + 1) {
      plain = false;
      vague ||= !isDigitClass(symbols, at);
    }
    at = low.end;
    if (symbols[at] === DASH && symbols[at + 1] !== CLOSE) {
      if (symbols[at + 1] === undefined) throw new RegexError(unmatched);
      const high = symbols[at + 1] === DASH && symbols[at + 2] !== CLOSE
        ? { set: [], point: DASH, end: at + 2 }
        : element(symbols, at + 1, options);
      const set = rangeOf(low.point, high.point, options);
      if (set === undefined) throw new RegexError("Invalid range end");
      for (const bound of set) ranges.push(bound);
      at = high.end;
      plain = false;
      vague ||= !isDigit(low.point) || !isDigit(high.point);
    } else {
      for (const bound of low.set) ranges.push(bound);
    }
  }
  let set = charSet(ranges);
  if (options.ignoreCase) set = foldCase(set);
  if (inverted) {
    set = negate(options.hatExcludesNewline ? charSet([...set, BACKSLASH_N, BACKSLASH_N]) : set);
  }
  return { set, end: at + 1, vague, confusing: plain && looksLikeClass(symbols, from, at) };
}

/** The symbols of a range; `undefined` if an end is a class or the range is empty. */
function rangeOf(
  low: number,
  high: number,
  { ignoreCase, emptyRanges }: BracketOptions,
): CharSet | undefined {
  if (low < 0 || high < 0) return undefined;
  if (low > high && emptyRanges) return [];
  if (ignoreCase && low < 0x80 && high < 0x80) return foldRange(low, high);
  return low <= high ? [low, high] : undefined;
}

/** True if a `-` that is not first may be literal: before the `]`, or as the start of a range. */
function mayStand(symbols: readonly number[], at: number): boolean {
  return symbols[at + 1] === CLOSE || symbols[at + 1] === DASH;
}

/** One character, `[.x.]`, `[=x=]` or `[:class:]`. */
function element(symbols: readonly number[], at: number, options: BracketOptions): Element {
  const symbol = symbols[at] as number;
  const kind = symbols[at + 1];
  if (symbol !== OPEN || kind !== 0x2e && kind !== 0x3d && kind !== 0x3a) {
    return { set: [symbol, symbol], point: symbol, end: at + 1 };
  }
  let end = at + 2;
  let bytes = 0;
  while (end < symbols.length && !(symbols[end] === kind && symbols[end + 1] === CLOSE)) {
    bytes += symbolLength(symbols[end++] as number);
  }
  if (end >= symbols.length || bytes > MAX_NAME) throw new RegexError(unmatched);
  const inner = symbols.slice(at + 2, end);
  if (kind === 0x3a) {
    return { set: namedClass(inner, options.ignoreCase), point: -1, end: end + 2 };
  }
  const [point] = inner;
  if (inner.length !== 1 || point === undefined) {
    throw new RegexError("Invalid collation character");
  }
  return { set: [point, point], point: kind === 0x2e ? point : -1, end: end + 2 };
}

function namedClass(name: readonly number[], ignoreCase: boolean): CharSet {
  const text = name.every((symbol) => symbol < INVALID) ? String.fromCodePoint(...name) : "";
  const wanted = ignoreCase && (text === "upper" || text === "lower") ? "alpha" : text;
  const set = wanted === "word" ? undefined : characterClass(wanted);
  if (set === undefined) throw new RegexError("Invalid character class name");
  return set;
}

/**
 * True if an expression without special elements begins and ends with a colon, around other text.
 */
function looksLikeClass(symbols: readonly number[], start: number, close: number): boolean {
  return symbols[start] === COLON && symbols[close - 1] === COLON &&
    symbols.slice(start, close).some((symbol) => symbol !== COLON);
}

function isDigit(symbol: number): boolean {
  return symbol >= 0x30 && symbol <= 0x39;
}

function isDigitClass(symbols: readonly number[], at: number): boolean {
  return Array.from("[:digit:]").every((ch, i) => symbols[at + i] === ch.charCodeAt(0));
}
