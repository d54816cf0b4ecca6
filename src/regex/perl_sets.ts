/**
 * Escapes and bracket expressions of Perl's pattern syntax.
 *
 * @module
 */

import { type CharSet, charSet, INVALID, LAST_CODE_POINT, negate } from "./charset.ts";
import { foldCase } from "./classes.ts";
import { RegexError } from "./errors.ts";

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
  let name = String.fromCodePoint(symbols[end++] ?? 0);
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

const controls: Readonly<Record<string, number>> = { a: 7, e: 27, f: 12, n: 10, r: 13, t: 9 };

/** The code point of the escape whose letter is at `at`. */
export function readEscape(symbols: readonly number[], at: number): PointAt {
  const symbol = symbols[at] as number;
  const letter = symbol < 0x80 ? String.fromCharCode(symbol) : "";
  const control = Object.hasOwn(controls, letter) ? controls[letter] : undefined;
  if (control !== undefined) return { point: control, end: at + 1 };
  const rest = symbols.slice(at, at + 14).map((s) => s < 0x80 ? String.fromCharCode(s) : " ").join(
    "",
  );
  const hex = /^x\{([0-9a-fA-F]+)\}|^x([0-9a-fA-F]{0,2})|^o\{([0-7]+)\}|^([0-7]{1,3})/.exec(rest);
  if (/^[xo]\{\}/.test(rest)) {
    throw new RegexError("digits missing in \\x{} or \\o{} or \\N{U+}");
  }
  if (hex !== null) {
    const [whole, braced, short, octal, zero] = hex;
    const point = octal !== undefined || zero !== undefined
      ? parseInt(octal ?? zero ?? "0", 8)
      : parseInt(braced ?? short ?? "0", 16) || 0;
    if (point > LAST_CODE_POINT) {
      throw new RegexError("character code point value in \\x{} or \\o{} is too large");
    }
    return { point, end: at + whole.length };
  }
  if (letter === "c") return { point: ((symbols[at + 1] ?? 0) & 0x5f) ^ 64, end: at + 2 };
  if (/[A-Za-z0-9]/.test(letter)) throw new RegexError("unrecognized character follows \\");
  return { point: symbol, end: at + 1 };
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
  const inverted = symbols[at] === 0x5e;
  if (inverted) at++;
  const ranges: number[] = [];
  for (let first = true;; first = false) {
    if (at >= symbols.length) throw new RegexError("missing terminating ] for character class");
    if (symbols[at] === 0x5d && !first) break;
    const low = member(symbols, at);
    at = low.end;
    const dash = symbols[at] === 0x2d && symbols[at + 1] !== 0x5d && at + 1 < symbols.length;
    if (dash && low.point < 0) throw new RegexError("invalid range in character class");
    if (!dash) {
      for (const bound of low.set) ranges.push(bound);
      continue;
    }
    const high = member(symbols, at + 1);
    if (high.point < 0) throw new RegexError("invalid range in character class");
    if (high.point < low.point) throw new RegexError("range out of order in character class");
    ranges.push(low.point, high.point);
    at = high.end;
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
  if (at + 1 >= symbols.length) throw new RegexError("missing terminating ] for character class");
  const set = escapeSet(symbols, at + 1);
  if (set !== undefined) return { ...set, point: -1 };
  if (symbols[at + 1] === 0x62) return { set: [8, 8], point: 8, end: at + 2 };
  const { point, end } = readEscape(symbols, at + 1);
  return { set: [point, point], point, end };
}

const OPEN = 0x5b;
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
