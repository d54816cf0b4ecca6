/**
 * Escapes and bracket expressions of Perl's pattern syntax.
 *
 * @module
 */

import { type CharSet, charSet, INVALID, LAST_CODE_POINT, negate } from "./charset.ts";
import { foldCase } from "./classes.ts";
import { RegexError } from "./errors.ts";

const UNTERMINATED = "missing terminating ] for character class";

/** The pattern ends within an escape. */
export class CutEscape extends RegexError {
  /** What is wrong where a parenthesis follows, as in what `grep -w` makes of the pattern. */
  readonly enclosed: string;

  /** Says what is wrong without and with a parenthesis behind it. */
  constructor(message: string, enclosed = "missing closing parenthesis") {
    super(message);
    this.enclosed = enclosed;
  }
}

/** Word characters of `\w` and `\b`. */
export const asciiWord: CharSet = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];

const space: CharSet = [9, 13, 32, 32];
const blanks: CharSet = [
  ...[9, 9, 0x20, 0x20, 0xa0, 0xa0, 0x1680, 0x1680, 0x180e, 0x180e, 0x2000, 0x200a],
  ...[0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000],
];

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
  space,
  upper: [0x41, 0x5a],
  word: asciiWord,
  xdigit: [0x30, 0x39, 0x41, 0x46, 0x61, 0x66],
};

/** A set and where the pattern goes on. */
export interface SetAt {
  readonly set: CharSet;
  readonly end: number;
}

/** One code point and where the pattern goes on. */
export interface PointAt {
  readonly point: number;
  readonly end: number;
}

/** The set of the escape whose letter is at `at`, or `undefined` if it is not one of a set. */
export function escapeSet(symbols: readonly number[], at: number): SetAt | undefined {
  const symbol = symbols[at] as number;
  const letter = symbol < 0x80 ? String.fromCharCode(symbol) : "";
  const end = at + 1;
  switch (letter) {
    case "d":
    case "D":
      return either([0x30, 0x39], letter === "D", end);
    case "w":
    case "W":
      return either(asciiWord, letter === "W", end);
    case "s":
    case "S":
      return either(space, letter === "S", end);
    case "h":
    case "H":
      return either(blanks, letter === "H", end);
    case "v":
    case "V":
      return either([10, 13, 0x85, 0x85, 0x2028, 0x2029], letter === "V", end);
    case "N":
      return either([10, 10], true, end);
    case "p":
    case "P":
      return property(symbols, at);
    default:
      return undefined;
  }
}

function either(set: CharSet, inverted: boolean, end: number): SetAt {
  return { set: inverted ? negate(set) : set, end };
}

const properties = new Map<string, CharSet>();

/** `\pL`, `\p{Lu}`, `\p{Han}`, `\p{^L}`: the runtime's Unicode tables. */
function property(symbols: readonly number[], at: number): SetAt {
  let end = at + 1;
  let name = characterAt(symbols, end++);
  if (name === "") throw new RegexError("malformed \\P or \\p sequence");
  if (name === "{") {
    const close = symbols.indexOf(0x7d, end);
    if (close < 0) throw new RegexError("malformed \\P or \\p sequence");
    name = symbols.slice(end, close).map((symbol) => String.fromCodePoint(symbol & 0x1fffff)).join(
      "",
    );
    end = close + 1;
  }
  const inverted = name.startsWith("^");
  const wanted = inverted ? name.slice(1) : name;
  let set = properties.get(wanted);
  if (set === undefined) {
    set = scan(matcherOf(wanted));
    properties.set(wanted, set);
  }
  return either(set, inverted !== (symbols[at] === 0x50), end);
}

function matcherOf(name: string): RegExp {
  for (const form of [name, `Script=${name}`, name === "L&" ? "LC" : ""]) {
    if (!/^[\w=&]+$/.test(form)) continue;
    try {
      return new RegExp(`\\p{${form}}`, "u");
    } catch {
      // Not a property of that form.
    }
  }
  throw new RegexError("unknown property after \\P or \\p");
}

function scan(matcher: RegExp): CharSet {
  const ranges: number[] = [];
  for (let point = 0; point <= LAST_CODE_POINT; point++) {
    if (point === 0xd800) point = 0xe000;
    if (matcher.test(String.fromCodePoint(point))) ranges.push(point, point);
  }
  return charSet(ranges);
}

/** What PCRE2 says of Perl's escapes that it does not have. */
export const unsupportedEscapes = "PCRE2 does not support \\F, \\L, \\l, \\N{name}, \\U, or \\u";

const controls: Readonly<Record<string, number>> = { a: 7, e: 27, f: 12, n: 10, r: 13, t: 9 };

function characterAt(symbols: readonly number[], at: number): string {
  const symbol = symbols[at] ?? INVALID;
  return symbol < 0x80 ? String.fromCharCode(symbol) : "";
}

/** Whether the `N` at `at` begins `\N{U+...}`, a code point. */
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
    if (at + 1 >= symbols.length) throw new CutEscape("\\c at end of pattern");
    if (!/[ -~]/.test(next)) {
      throw new RegexError("\\c must be followed by a printable ASCII character");
    }
    return { point: next.charCodeAt(0) ^ 64, end: at + 2 };
  }
  if (/[A-Za-z0-9]/.test(letter)) throw new RegexError("unrecognized character follows \\");
  return { point: symbols[at] as number, end: at + 1 };
}

/** Reads digits from `at` on, at most so many. */
function digits(symbols: readonly number[], at: number, base: 8 | 16, most: number): PointAt {
  const digit = base === 8 ? /[0-7]/ : /[0-9a-fA-F]/;
  let end = at;
  let point = 0;
  for (; end < at + most && digit.test(characterAt(symbols, end)); end++) {
    point = Math.min(point * base + parseInt(characterAt(symbols, end), base), INVALID);
  }
  return { point, end };
}

/** Reads what stands behind the brace of `\x{`, `\o{` or `\N{U+`, and the closing brace. */
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

/** Reads the bracket expression whose `[` is just before `start`. */
export function parsePerlBracket(
  symbols: readonly number[],
  start: number,
  ignoreCase: boolean,
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
  /** Goes past `\Q` and `\E`. */
  const skipQuotes = (): void => {
    for (; symbols[at] === 0x5c; at += 2) {
      const letter = characterAt(symbols, at + 1);
      if (letter === "E") quoted = false;
      else if (letter === "Q" && !quoted) quoted = true;
      else return;
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
  /** The one code point that may begin a range, or -1. */
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
    return { ...either(set, plain !== name, close + 2), point: -1 };
  }
  if (symbol !== 0x5c) return { set: [symbol, symbol], point: symbol, end: at + 1 };
  const letter = characterAt(symbols, at + 1);
  if (at + 1 >= symbols.length) throw new CutEscape("\\ at end of pattern", UNTERMINATED);
  if (letter === "c" && at + 2 >= symbols.length) {
    throw new CutEscape("\\c at end of pattern", UNTERMINATED);
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

/** The interval that begins with the brace at `at`, such as `{2,}`; `null` where it is none. */
export function intervalAt(symbols: readonly number[], at: number): RegExpExecArray | null {
  const rest = Array.from({ length: 20 }, (_, i) => characterAt(symbols, at + i) || "\u0000");
  return /^\{(\d+)(,(\d*))?\}/.exec(rest.join(""));
}

const OPEN = 0x5b;
const CLOSE_BRACE = 0x7d;
const CLOSE = 0x5d;
const COLON = 0x3a;
const notCollating = "POSIX collating elements are not supported";

/** Where `:]`, `.]` or `=]` ends what the `:`, `.` or `=` at `start` begins, if anything does. */
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
