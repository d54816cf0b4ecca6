/**
 * Escapes of Perl's pattern syntax that stand for one character or a set of them.
 *
 * @module
 */

import { type CharSet, INVALID, LAST_CODE_POINT } from "../charset.ts";
import { RegexError } from "../errors.ts";
import { perlProperty } from "./properties.ts";
import { type SetAt, setOrOthers } from "./set_at.ts";

const CLOSE_BRACE = 0x7d;

/** Word characters of `\w` and `\b`. */
export const asciiWord: CharSet = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];

/** Characters of `\s`. */
export const asciiSpace: CharSet = [9, 13, 32, 32];
const blanks: CharSet = [
  ...[9, 9, 0x20, 0x20, 0xa0, 0xa0, 0x1680, 0x1680, 0x180e, 0x180e, 0x2000, 0x200a],
  ...[0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000],
];

/** One code point and the offset after it in the pattern. */
export interface PointAt {
  readonly point: number;
  readonly end: number;
}

/** The set of the escape whose letter is at `at`; `undefined` if it stands for no set. */
export function escapeSet(symbols: readonly number[], at: number): SetAt | undefined {
  const symbol = symbols[at] as number;
  const letter = symbol < 0x80 ? String.fromCharCode(symbol) : "";
  const end = at + 1;
  switch (letter) {
    case "d":
    case "D":
      return setOrOthers([0x30, 0x39], letter === "D", end);
    case "w":
    case "W":
      return setOrOthers(asciiWord, letter === "W", end);
    case "s":
    case "S":
      return setOrOthers(asciiSpace, letter === "S", end);
    case "h":
    case "H":
      return setOrOthers(blanks, letter === "H", end);
    case "v":
    case "V":
      return setOrOthers([10, 13, 0x85, 0x85, 0x2028, 0x2029], letter === "V", end);
    case "N":
      return setOrOthers([10, 10], true, end);
    case "p":
    case "P":
      return perlProperty(symbols, at);
    default:
      return undefined;
  }
}

/** PCRE2's message for Perl escapes that it does not have. */
export const unsupportedEscapes = "PCRE2 does not support \\F, \\L, \\l, \\N{name}, \\U, or \\u";

const controls: Readonly<Record<string, number>> = { a: 7, e: 27, f: 12, n: 10, r: 13, t: 9 };

/** The ASCII character at `at`, or "". */
export function characterAt(symbols: readonly number[], at: number): string {
  const symbol = symbols[at] ?? INVALID;
  return symbol < 0x80 ? String.fromCharCode(symbol) : "";
}

/** True if the `N` at `at` begins `\N{U+...}`, a code point. */
export function isCodePoint(symbols: readonly number[], at: number): boolean {
  return Array.from("N{U+").every((ch, i) => characterAt(symbols, at + i) === ch);
}

/** The code point of the escape whose letter is at `at`. */
export function readEscape(symbols: readonly number[], at: number): PointAt {
  const letter = characterAt(symbols, at);
  const control = Object.hasOwn(controls, letter) ? controls[letter] : undefined;
  if (control !== undefined) return { point: control, end: at + 1 };
  const braced = characterAt(symbols, at + 1) === "{";
  if (isCodePoint(symbols, at)) return readBraced(symbols, at + 4, 16);
  if (/[FLlUuN]/.test(letter)) throw new RegexError(unsupportedEscapes);
  if (letter === "x") {
    return braced ? readBraced(symbols, at + 2, 16) : digits(symbols, at + 1, 16, 2);
  }
  if (letter === "o") {
    if (!braced) throw new RegexError("missing opening brace after \\o");
    return readBraced(symbols, at + 2, 8);
  }
  if (/[0-7]/.test(letter)) return digits(symbols, at, 8, 3);
  if (letter === "c") {
    const next = characterAt(symbols, at + 1).toUpperCase();
    if (at + 1 >= symbols.length) throw new RegexError("\\c at end of pattern");
    if (!/[ -~]/.test(next)) {
      throw new RegexError("\\c must be followed by a printable ASCII character");
    }
    return { point: next.charCodeAt(0) ^ 64, end: at + 2 };
  }
  if (/[A-Za-z0-9]/.test(letter)) throw new RegexError("unrecognized character follows \\");
  return { point: symbols[at] as number, end: at + 1 };
}

/** Reads up to `most` digits from `at` on. */
function digits(symbols: readonly number[], at: number, base: 8 | 16, most: number): PointAt {
  const digit = base === 8 ? /[0-7]/ : /[0-9a-fA-F]/;
  let end = at;
  let point = 0;
  for (; end < at + most && digit.test(characterAt(symbols, end)); end++) {
    point = Math.min(point * base + parseInt(characterAt(symbols, end), base), INVALID);
  }
  return { point, end };
}

/** Reads the rest of `\x{`, `\o{` or `\N{U+` after the brace, with the closing brace. */
function readBraced(symbols: readonly number[], at: number, base: 8 | 16): PointAt {
  if (at >= symbols.length || symbols[at] === CLOSE_BRACE) {
    throw new RegexError("digits missing in \\x{} or \\o{} or \\N{U+}");
  }
  const { point, end } = digits(symbols, at, base, Infinity);
  if (point > LAST_CODE_POINT) {
    throw new RegexError("character code point value in \\x{} or \\o{} is too large");
  }
  if (symbols[end] !== CLOSE_BRACE) {
    const what = base === 8 ? "non-octal character in \\o{}" : "non-hex character in \\x{}";
    throw new RegexError(`${what} (closing brace missing?)`);
  }
  if (point >= 0xd800 && point < 0xe000) {
    throw new RegexError("disallowed Unicode code point (>= 0xd800 && <= 0xdfff)");
  }
  return { point, end: end + 1 };
}

/** The interval that begins with the brace at `at`, such as `{2,}`, or `null`. */
export function intervalAt(symbols: readonly number[], at: number): RegExpExecArray | null {
  const rest = Array.from({ length: 20 }, (_, i) => characterAt(symbols, at + i) || "\u0000");
  return /^\{(\d+)(,(\d*))?\}/.exec(rest.join(""));
}
