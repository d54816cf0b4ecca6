/**
 * Reads the head of a group in Perl's syntax: the characters after `(` that determine its kind.
 *
 * @module
 */

import { INVALID } from "../charset.ts";
import { RegexError } from "../errors.ts";
import { unsupported } from "./pieces.ts";

/** Modes that flags within a pattern set. */
export interface PerlModes {
  /** `i`: folds case. */
  readonly ignoreCase: boolean;
  /** `m`: `^` and `$` also match at the ends of lines. */
  readonly multiline: boolean;
  /** `s`: `.` also matches a newline. */
  readonly dotAll: boolean;
  /** `x`: ignores spaces and comments; `xx`: also blanks in brackets. */
  readonly extended: 0 | 1 | 2;
  /** `n`: groups without a name capture nothing. */
  readonly namedOnly: boolean;
  /** `J`: several groups may have the same name. */
  readonly sameNames: boolean;
  /** `U`: repetitions are lazy, with a `?` greedy. */
  readonly ungreedy: boolean;
}

/** A group's head and the offset after it. */
export type GroupHead =
  & { readonly end: number }
  & (
    | { readonly type: "capture" | "plain" | "ahead" | "behind" | "reset" }
    /**
     * Flags for the contents of the group or, without `group`, for the rest of the group around it.
     */
    | { readonly type: "flags"; readonly modes: PerlModes; readonly group: boolean }
    | { readonly type: "named"; readonly name: string }
    /** A complete group that never matches (`fail`) or is ignored (`nothing`). */
    | { readonly type: "fail" | "nothing" }
  );

const references = "back-references";
const recursion = "atomic and conditional groups, recursion and verbs";
const negative = "negative look-around";

/** Settings at the start of a pattern: first those without effect here, then unsupported ones. */
const idleSetting =
  /^\(\*(UTF|NO_JIT|NO_START_OPT|NO_AUTO_POSSESS|NO_DOTSTAR_ANCHOR|LIMIT_(MATCH|DEPTH|HEAP|RECURSION)=\d+)\)/;
const setting =
  /^\(\*(UCP|CR|LF|CRLF|ANYCRLF|ANY|NUL|BSR_ANYCRLF|BSR_UNICODE|NOTEMPTY|NOTEMPTY_ATSTART)\)/;

/** Skips settings at the start of a pattern. */
export function skipSettings(symbols: readonly number[]): number {
  for (let at = 0;;) {
    const text = textAt(symbols, at, 40);
    if (setting.test(text)) throw unsupported("settings such as (*UCP) and (*CRLF)");
    const found = idleSetting.exec(text);
    if (found === null) return at;
    at += found[0].length;
  }
}

/** Up to `most` ASCII characters from `at` on; others are replaced by "\u0080". */
function textAt(symbols: readonly number[], at: number, most: number): string {
  return symbols.slice(at, at + most).map((s) => String.fromCharCode(Math.min(s, 0x80))).join("");
}

/** Reads the head of the group whose parenthesis is just before `at`. */
export function readGroupHead(
  symbols: readonly number[],
  at: number,
  modes: PerlModes,
): GroupHead {
  const text = textAt(symbols, at, 48);
  if (text.startsWith("*")) return readStarred(text, at);
  if (!text.startsWith("?")) return { type: modes.namedOnly ? "plain" : "capture", end: at };
  const simple = ([
    ["?:", "plain"],
    ["?=", "ahead"],
    ["?<=", "behind"],
    ["?|", "reset"],
    ["?!)", "fail"],
    ["?<!)", "fail"],
  ] as const).find(([start]) => text.startsWith(start));
  if (simple !== undefined) return { type: simple[1], end: at + simple[0].length };
  if (/^\?(!|<!)/.test(text)) throw unsupported(negative);
  if (/^\?(\*|<\*)/.test(text)) throw unsupported("look-around that is not atomic");
  if (/^\?\+(?!\d)/.test(text)) {
    throw new RegexError("digit expected after (?+ or (?-");
  }
  if (/^\?(>|\(|R|[-+]?\d|&|P>)/.test(text)) throw unsupported(recursion);
  if (/^\?P=/.test(text)) throw unsupported(references);
  const named = /^\?(P?<|')/.exec(text);
  if (named !== null) return readName(symbols, at + named[0].length, text[1] === "'" ? "'" : ">");
  if (/^\?P./.test(text)) throw new RegexError("unrecognized character after (?P");
  if (text === "?P") throw new RegexError("missing closing parenthesis");
  if (text.startsWith("?C")) return readCallout(text, at);
  return readFlags(text, at, modes);
}

/** Reads `(*FAIL)` and similar verbs, and look-around by name. */
function readStarred(text: string, at: number): GroupHead {
  const fail = /^\*F(AIL)?(:[^)\u0080]*)?\)/.exec(text);
  if (fail !== null) return { type: "fail", end: at + fail[0].length };
  const named = /^\*([a-z_]+):/.exec(text);
  const end = at + (named?.[0].length ?? 0);
  switch (named?.[1]) {
    case "pla":
    case "positive_lookahead":
      return { type: "ahead", end };
    case "plb":
    case "positive_lookbehind":
      return { type: "behind", end };
    case "nla":
    case "nlb":
    case "negative_lookahead":
    case "negative_lookbehind":
      throw unsupported(negative);
    case "napla":
    case "naplb":
    case "non_atomic_positive_lookahead":
    case "non_atomic_positive_lookbehind":
      throw unsupported("look-around that is not atomic");
    case "atomic":
    case "sr":
    case "asr":
    case "script_run":
    case "atomic_script_run":
      throw unsupported(recursion);
  }
  if (/^\*[a-z]/.test(text)) throw new RegexError("(*alpha_assertion) not recognized");
  if (text === "*" || text.startsWith("*)")) {
    throw new RegexError("quantifier does not follow a repeatable item");
  }
  if (/^\*(MARK)?:\)/.test(text)) throw new RegexError("(*MARK) must have an argument");
  if (/^\*((ACCEPT|COMMIT|PRUNE|SKIP|THEN)(:[^)]*)?|(MARK)?:[^)]*)\)/.test(text)) {
    throw unsupported(recursion);
  }
  throw new RegexError("(*VERB) not recognized or malformed");
}

/** Reads a callout, which has no effect here: `(?C)`, `(?C12)`, `(?C"text")`. */
function readCallout(text: string, at: number): GroupHead {
  const number = /^\?C(\d*)/.exec(text);
  const digits = number?.[1] ?? "";
  if (Number(digits) > 255) throw new RegexError("number after (?C is greater than 255");
  const next = text[2 + digits.length];
  if (next === ")") return { type: "nothing", end: at + 3 + digits.length };
  if (digits !== "") throw new RegexError("closing parenthesis for (?C expected");
  if (next === undefined) throw new RegexError("missing closing parenthesis");
  throw /[`'"^%#${]/.test(next)
    ? unsupported("callouts with a text")
    : new RegexError("unrecognized string delimiter follows (?C");
}

const letters: Readonly<Record<string, Partial<PerlModes>>> = {
  i: { ignoreCase: true },
  m: { multiline: true },
  s: { dotAll: true },
  x: { extended: 1 },
  n: { namedOnly: true },
  J: { sameNames: true },
  U: { ungreedy: true },
};

/** Reads flags such as `i-s:` and `^i` with the character that ends them. */
function readFlags(text: string, at: number, before: PerlModes): GroupHead {
  let modes = before;
  let on = true;
  const reset = text.startsWith("?^");
  if (reset) {
    const { sameNames, ungreedy } = before;
    modes = { ...noModes, sameNames, ungreedy };
  }
  for (let i = reset ? 2 : 1;; i++) {
    const letter = text[i];
    if (letter === undefined) throw new RegexError("missing closing parenthesis");
    if (letter === ")" || letter === ":") {
      return { type: "flags", modes, group: letter === ":", end: at + i + 1 };
    }
    if (letter === "-") {
      if (reset || !on) throw new RegexError("invalid hyphen in option setting");
      on = false;
      continue;
    }
    const change = Object.hasOwn(letters, letter) ? letters[letter] : undefined;
    if (change === undefined) {
      throw new RegexError("unrecognized character after (? or (?-");
    }
    modes = { ...modes, ...(on ? change : offOf(change)) };
    if (letter !== "x" || text[i + 1] !== "x") continue;
    if (on) modes = { ...modes, extended: 2 };
    i++;
  }
}

function offOf(change: Partial<PerlModes>): Partial<PerlModes> {
  const off = { ...change };
  for (const key of Object.keys(change)) {
    Object.assign(off, { [key]: key === "extended" ? 0 : false });
  }
  return off;
}

/** The modes with no flag set. */
export const noModes: PerlModes = {
  ignoreCase: false,
  multiline: false,
  dotAll: false,
  extended: 0,
  namedOnly: false,
  sameNames: false,
  ungreedy: false,
};

/** Maximum length of a name, in characters. */
const longestName = 32;

/** Reads a name that ends with the character `end`. */
function readName(symbols: readonly number[], start: number, end: string): GroupHead {
  let at = start;
  while (isWord(symbols[at])) at++;
  const name = String.fromCodePoint(...symbols.slice(start, at));
  if (name === "") throw new RegexError("subpattern name expected");
  if (/^\p{Nd}/u.test(name)) {
    throw new RegexError("subpattern name must start with a non-digit");
  }
  if (at - start > longestName) {
    throw new RegexError("subpattern name is too long (maximum 32 code units)");
  }
  if (symbols[at] !== end.charCodeAt(0)) {
    throw new RegexError("syntax error in subpattern name (missing terminator?)");
  }
  return { type: "named", name, end: at + 1 };
}

function isWord(symbol: number | undefined): boolean {
  return symbol !== undefined && symbol < INVALID &&
    /[\p{L}\p{Nd}_]/u.test(String.fromCodePoint(symbol));
}
