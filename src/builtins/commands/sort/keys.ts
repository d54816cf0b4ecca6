import { InvalidArgument, parseNumber } from "../../core/mod.ts";
import { quote } from "../../text/mod.ts";

/** Order of keys by the letters `bdfghiMnRrV`, for one key or for all. */
export interface Ordering {
  /** True to skip leading blanks at the start of the key, and where its end is counted from. */
  startBlanks: boolean;
  endBlanks: boolean;
  ignore: "none" | "dictionary" | "nonprinting";
  fold: boolean;
  numeric: boolean;
  general: boolean;
  human: boolean;
  month: boolean;
  random: boolean;
  version: boolean;
  reverse: boolean;
}

/** A key: its position in the line and its order. Numbers count from 0. */
export interface Key extends Ordering {
  /** Fields and bytes before the start; `Infinity` fields mean the start of the line. */
  startField: number;
  startByte: number;
  /**
   * Fields before the end, and bytes of the next field; `Infinity` fields mean the end of the line.
   */
  endField: number;
  endByte: number;
}

/** Returns an ordering without any option. */
export function plainOrdering(): Ordering {
  return {
    startBlanks: false,
    endBlanks: false,
    ignore: "none",
    fold: false,
    numeric: false,
    general: false,
    human: false,
    month: false,
    random: false,
    version: false,
    reverse: false,
  };
}

/** Returns a key that is the whole line. */
export function wholeLine(ordering: Ordering): Key {
  return { ...ordering, startField: Infinity, startByte: 0, endField: Infinity, endByte: 0 };
}

/** The letters for {@linkcode setOrdering}. */
export const ORDERING_LETTERS = "bdfghiMnRrV";

/** Applies ordering letters; returns the text after them. */
export function setOrdering(text: string, key: Ordering, blanks: "start" | "end" | "both"): string {
  for (let i = 0; i < text.length; i++) {
    switch (text[i]) {
      case "b":
        if (blanks !== "end") key.startBlanks = true;
        if (blanks !== "start") key.endBlanks = true;
        break;
      case "d":
        key.ignore = "dictionary";
        break;
      case "f":
        key.fold = true;
        break;
      case "g":
        key.general = true;
        break;
      case "h":
        key.human = true;
        break;
      case "i":
        if (key.ignore === "none") key.ignore = "nonprinting";
        break;
      case "M":
        key.month = true;
        break;
      case "n":
        key.numeric = true;
        break;
      case "R":
        key.random = true;
        break;
      case "r":
        key.reverse = true;
        break;
      case "V":
        key.version = true;
        break;
      default:
        return text.slice(i);
    }
  }
  return "";
}

/** True if no ordering but `-r` is set. */
export function isPlain(key: Ordering): boolean {
  return !key.startBlanks && !key.endBlanks && key.ignore === "none" && !key.fold &&
    !key.numeric && !key.general && !key.human && !key.month && !key.random && !key.version;
}

/**
 * Refuses orderings that exclude each other.
 *
 * @throws {InvalidArgument} With GNU's message, which names them.
 */
export function checkOrdering(key: Ordering): void {
  const kinds = [key.numeric, key.general, key.human, key.month];
  const others = key.version || key.random || key.ignore !== "none";
  if (kinds.filter((is) => is).length + (others ? 1 : 0) <= 1) return;
  const letters = (key.ignore === "dictionary" ? "d" : "") + (key.fold ? "f" : "") +
    (key.general ? "g" : "") + (key.human ? "h" : "") + (key.ignore === "nonprinting" ? "i" : "") +
    (key.month ? "M" : "") + (key.numeric ? "n" : "") + (key.random ? "R" : "") +
    (key.version ? "V" : "");
  throw incompatible(letters);
}

/** Returns the error for options that exclude each other. */
export function incompatible(letters: string): InvalidArgument {
  return new InvalidArgument(`options '-${letters}' are incompatible`);
}

function badField(problem: string, spec: string): InvalidArgument {
  return new InvalidArgument(`${problem}: invalid field specification ${quote(spec)}`);
}

/** Reads a number at the start of `text`; returns it and the rest. */
function fieldCount(text: string): [number, string] | undefined {
  const [number = "", digits] = /^[ \t\n\v\f\r]*\+?(\d+)/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const parsed = parseNumber(digits, "");
  const value = parsed.ok ? Number(parsed.value) : Infinity;
  // In a key, Infinity has a meaning of its own.
  return [Math.min(value, Number.MAX_SAFE_INTEGER), text.slice(number.length)];
}

function neededCount(text: string, problem: string): [number, string] {
  const found = fieldCount(text);
  if (found !== undefined) return found;
  throw new InvalidArgument(`${problem}: invalid count at start of ${quote(text)}`);
}

/**
 * Parses a KEYDEF, `F[.C][OPTS][,F[.C][OPTS]]`.
 *
 * @throws {InvalidArgument} With GNU's message.
 */
export function parseKey(spec: string): Key {
  const key = wholeLine(plainOrdering());
  let rest: string;
  [key.startField, rest] = neededCount(spec, "invalid number at field start");
  if (key.startField === 0) throw badField("field number is zero", spec);
  key.startField--;
  if (rest.startsWith(".")) {
    [key.startByte, rest] = neededCount(rest.slice(1), "invalid number after '.'");
    if (key.startByte === 0) throw badField("character offset is zero", spec);
    key.startByte--;
  }
  if (key.startField === 0 && key.startByte === 0) key.startField = Infinity;
  rest = setOrdering(rest, key, "start");
  if (rest.startsWith(",")) {
    [key.endField, rest] = neededCount(rest.slice(1), "invalid number after ','");
    if (key.endField === 0) throw badField("field number is zero", spec);
    key.endField--;
    if (rest.startsWith(".")) {
      [key.endByte, rest] = neededCount(rest.slice(1), "invalid number after '.'");
    }
    rest = setOrdering(rest, key, "end");
  }
  if (rest !== "") throw badField("stray character in field spec", spec);
  return key;
}

/**
 * Converts the obsolete key `+1.2 -3.4` to today's spelling; `undefined` if `word` is a file name.
 * The old numbers count from 0.
 */
export function modernKey(
  word: string,
  next: string | undefined,
): { words: string[]; consumed: number } | undefined {
  if (!word.startsWith("+")) return undefined;
  const start = oldPosition(word.slice(1), "start");
  if (start === undefined) return undefined;
  const spec = `-k${start.field + 1}.${start.byte + 1}${start.letters}`;
  if (next === undefined || !/^-\d/.test(next)) return { words: [spec], consumed: 1 };
  const end = oldPosition(next.slice(1), "end");
  if (end === undefined) throw badField("stray character in field spec", next);
  const to = end.byte > 0 ? `${end.field + 1}.${end.byte}` : `${Math.max(1, end.field)}`;
  return { words: [`${spec},${to}${end.letters}`], consumed: 2 };
}

function oldPosition(
  text: string,
  which: "start" | "end",
): { field: number; byte: number; letters: string } | undefined {
  const [field, rest] = fieldCount(text) ?? [undefined, ""];
  if (field === undefined) return undefined;
  const [byte, letters] = rest.startsWith(".")
    ? fieldCount(rest.slice(1)) ?? [undefined, ""]
    : [0, rest];
  if (byte === undefined || setOrdering(letters, plainOrdering(), which) !== "") return undefined;
  return { field, byte, letters };
}
