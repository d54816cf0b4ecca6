/**
 * Bracket expressions of Perl's pattern syntax.
 *
 * @module
 */

import { type CharSet, charSet, INVALID, negate } from "../charset.ts";
import { foldCase } from "../classes.ts";
import { RegexError } from "../errors.ts";
import {
  asciiSpace,
  asciiWord,
  characterAt,
  escapeSet,
  intervalAt,
  isCodePoint,
  type PointAt,
  readEscape,
  unsupportedEscapes,
} from "./escapes.ts";
import { type SetAt, setOrOthers } from "./set_at.ts";

const UNTERMINATED = "missing terminating ] for character class";
const OPEN = 0x5b;
const CLOSE = 0x5d;
const COLON = 0x3a;
const notCollating = "POSIX collating elements are not supported";

const named: Readonly<Record<string, CharSet>> = {
  alnum: [0x30, 0x39, 0x41, 0x5a, 0x61, 0x7a],
  alpha: [0x41, 0x5a, 0x61, 0x7a],
  ascii: [0, 0x7f],
  blank: [9, 9, 32, 32],
  cntrl: [0, 31, 127, 127],
  digit: [0x30, 0x39],
  graph: [33, 126],
  lower: [0x61, 0x7a],
  print: [32, 126],
  punct: [33, 47, 58, 64, 91, 96, 123, 126],
  space: asciiSpace,
  upper: [0x41, 0x5a],
  word: asciiWord,
  xdigit: [0x30, 0x39, 0x41, 0x46, 0x61, 0x66],
};

/** Options of reading a bracket expression. */
export interface PerlBracketOptions {
  /** Folds case. */
  readonly ignoreCase: boolean;
  /** Ignores blanks (`(?xx)`). */
  readonly skipsBlanks: boolean;
}

/** Reads the bracket expression whose `[` is just before `start`. */
export function parsePerlBracket(
  symbols: readonly number[],
  start: number,
  { ignoreCase, skipsBlanks }: PerlBracketOptions,
): SetAt {
  let at = start;
  if (posixEnd(symbols, at) !== undefined) {
    throw new RegexError(
      symbols[at] === COLON
        ? "POSIX named classes are supported only within a class"
        : notCollating,
    );
  }
  let quoted = false;
  /** Skips `\Q` and `\E`, and ignored blanks. */
  const skipQuotes = (): void => {
    for (;;) {
      const symbol = symbols[at];
      const escaped = symbol === 0x5c ? characterAt(symbols, at + 1) : "";
      if (escaped === "E") quoted = false;
      else if (escaped === "Q" && !quoted) quoted = true;
      else if (!skipsBlanks || quoted || symbol !== 0x20 && symbol !== 9) return;
      at += escaped === "" ? 1 : 2;
    }
  };
  const next = (): Member => {
    if (at >= symbols.length) throw new RegexError(UNTERMINATED);
    const found = quoted
      ? single({ point: symbols[at] as number, end: at + 1 })
      : member(symbols, at);
    at = found.end;
    skipQuotes();
    return found;
  };
  skipQuotes();
  const inverted = !quoted && symbols[at] === 0x5e;
  if (inverted) at++;
  skipQuotes();
  const ranges: number[] = [];
  for (let first = true; first || quoted || symbols[at] !== CLOSE; first = false) {
    const low = next();
    const dash = !quoted && symbols[at] === 0x2d && at + 1 < symbols.length;
    if (dash) {
      at++;
      skipQuotes();
    }
    if (!dash || !quoted && symbols[at] === CLOSE) {
      for (const bound of low.set) ranges.push(bound);
      if (dash) ranges.push(0x2d, 0x2d);
      continue;
    }
    if (low.point < 0) throw new RegexError("invalid range in character class");
    const high = next();
    if (high.point < 0) throw new RegexError("invalid range in character class");
    if (high.point < low.point) throw new RegexError("range out of order in character class");
    ranges.push(low.point, high.point);
  }
  let set = charSet(ranges);
  if (ignoreCase) set = foldCase(set);
  return { set: inverted ? negate(set) : set, end: at + 1 };
}

interface Member extends SetAt {
  /** The code point that may begin a range, or -1. */
  readonly point: number;
}

function member(symbols: readonly number[], at: number): Member {
  const symbol = symbols[at] as number;
  const close = symbol === OPEN ? posixEnd(symbols, at + 1) : undefined;
  if (close !== undefined) {
    if (symbols[at + 1] !== COLON) throw new RegexError(notCollating);
    const name = symbols.slice(at + 2, close).map((s) =>
      s < INVALID ? String.fromCodePoint(s) : "?"
    ).join("");
    const plain = name.startsWith("^") ? name.slice(1) : name;
    const set = Object.hasOwn(named, plain) ? named[plain] : undefined;
    if (set === undefined) throw new RegexError("unknown POSIX class name");
    return { ...setOrOthers(set, plain !== name, close + 2), point: -1 };
  }
  if (symbol !== 0x5c) return { set: [symbol, symbol], point: symbol, end: at + 1 };
  const letter = characterAt(symbols, at + 1);
  if (at + 1 >= symbols.length) throw new RegexError("\\ at end of pattern");
  if (letter === "c" && at + 2 >= symbols.length) {
    throw new RegexError("\\c at end of pattern");
  }
  if (/[ABCGKRXZkz]/.test(letter)) {
    throw new RegexError("escape sequence is invalid in character class");
  }
  if (letter === "N" && !isCodePoint(symbols, at + 1)) {
    const named = characterAt(symbols, at + 2) === "{" && intervalAt(symbols, at + 2) === null;
    throw new RegexError(named ? unsupportedEscapes : "\\N is not supported in a class");
  }
  if (letter === "b") return { ...single({ point: 8, end: at + 2 }) };
  if (/[89g]/.test(letter)) return single({ point: letter.charCodeAt(0), end: at + 2 });
  const set = letter === "N" ? undefined : escapeSet(symbols, at + 1);
  if (set !== undefined) return { ...set, point: -1 };
  return single(readEscape(symbols, at + 1));
}

function single({ point, end }: PointAt): Member {
  return { set: [point, point], point, end };
}

/** Offset of the `:]`, `.]` or `=]` that matches the `:`, `.` or `=` at `start`, if any. */
function posixEnd(symbols: readonly number[], start: number): number | undefined {
  const mark = symbols[start];
  if (mark !== COLON && mark !== 0x2e && mark !== 0x3d) return undefined;
  for (let at = start + 1; at + 1 < symbols.length; at++) {
    const symbol = symbols[at];
    const next = symbols[at + 1];
    if (symbol === 0x5c && (next === CLOSE || next === 0x5c)) at++;
    else if (symbol === CLOSE || symbol === OPEN && next === mark) return undefined;
    else if (symbol === mark && next === CLOSE) return at;
  }
  return undefined;
}
