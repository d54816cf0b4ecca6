import { parseDouble } from "../../text/mod.ts";

/** Bytes that grow as sort keys are added. */
export class KeyBuffer {
  bytes: Uint8Array = new Uint8Array(1024);
  length = 0;

  /** Makes room for `count` more bytes. */
  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(this.length + count, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }

  /** Adds one byte; there must be room for it. */
  push(byte: number): void {
    this.bytes[this.length++] = byte;
  }
}

/** Writes the sort key of a text: bytes that compare as the texts do under an ordering. */
export type Encoder = (text: Uint8Array, from: number, to: number, out: KeyBuffer) => void;

export function isBlank(byte: number | undefined): boolean {
  return byte === 32 || byte === 9 || byte === 10;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 48 && byte <= 57;
}

function skipBlanks(text: Uint8Array, from: number, to: number): number {
  while (from < to && isBlank(text[from])) from++;
  return from;
}

/** Classes of numbers, in their order, at the start of a key. */
const NONE = 0;
const NAN = 1;
const MINUS_INFINITY = 2;
const NEGATIVE = 3;
const ZERO = 4;
const POSITIVE = 5;
const INFINITE = 6;

/**
 * Writes the key of a decimal number: 0.D x 10^exponent, where D are the digits in
 * `text[from..to)`. Other bytes there are skipped.
 */
function putDecimal(
  text: Uint8Array,
  from: number,
  to: number,
  exponent: number,
  negative: boolean,
  out: KeyBuffer,
): void {
  out.reserve(to - from + 6);
  const flip = negative ? 255 : 0;
  out.push(negative ? NEGATIVE : POSITIVE);
  const biased = exponent + 0x4000_0000;
  for (let shift = 24; shift >= 0; shift -= 8) out.push(((biased >>> shift) & 255) ^ flip);
  for (let i = from; i < to; i++) {
    const byte = text[i] as number;
    if (isDigit(byte)) out.push(byte ^ flip);
  }
  // Of two negative numbers that begin alike, the one with more digits comes first.
  if (negative) out.push(255);
}

/**
 * Writes the key of `-n`: blanks, an optional minus, digits with an optional point; anything else
 * is 0 (strnumcmp).
 */
export function encodeNumeric(
  text: Uint8Array,
  from: number,
  to: number,
  out: KeyBuffer,
): void {
  let at = skipBlanks(text, from, to);
  const negative = at < to && text[at] === 45;
  if (negative) at++;
  while (at < to && text[at] === 48) at++;
  const start = at;
  while (at < to && isDigit(text[at])) at++;
  const whole = at - start;
  let end = at;
  let first = start;
  let exponent = whole;
  if (at < to && text[at] === 46) {
    at++;
    const fraction = at;
    if (whole === 0) {
      while (at < to && text[at] === 48) at++;
      first = at;
      exponent = fraction - at;
    }
    for (; at < to && isDigit(text[at]); at++) {
      if (text[at] !== 48) end = at + 1;
    }
  }
  // Zeros at the end of an integer are already expressed by the exponent.
  while (end > first && (text[end - 1] === 48 || text[end - 1] === 46)) end--;
  if (end <= first) {
    out.reserve(1);
    out.push(ZERO);
  } else {
    putDecimal(text, first, end, exponent, negative, out);
  }
}

const UNITS: Readonly<Record<number, number>> = {
  75: 1,
  107: 1,
  77: 2,
  71: 3,
  84: 4,
  80: 5,
  69: 6,
  90: 7,
  89: 8,
};

/**
 * Writes the key of `-h`: sign and unit, then the key of `-n`. `fold` also reads units in lower
 * case.
 */
export function encodeHuman(fold: boolean): Encoder {
  const units = new Uint8Array(256);
  for (const [byte, unit] of Object.entries(UNITS)) {
    units[Number(byte)] = unit;
    if (fold) units[Number(byte) | 32] = unit;
  }
  return (text, from, to, out) => {
    const start = skipBlanks(text, from, to);
    let at = start;
    const negative = at < to && text[at] === 45;
    if (negative) at++;
    let nonzero = false;
    for (; at < to && isDigit(text[at]); at++) nonzero ||= text[at] !== 48;
    if (at < to && text[at] === 46) {
      at++;
      for (; at < to && isDigit(text[at]); at++) nonzero ||= text[at] !== 48;
    }
    const unit = nonzero && at < to ? units[text[at] as number] as number : 0;
    out.reserve(1);
    out.push(128 + (negative ? -unit : unit));
    encodeNumeric(text, start, to, out);
  };
}

const FLOAT = new RegExp(
  "^[ \\t\\n\\v\\f\\r]*([+-]?)(?:(inf(?:inity)?)|(nan(?:\\([0-9a-z_]*\\))?)|" +
    "(0x(?:[0-9a-f]+\\.?[0-9a-f]*|\\.[0-9a-f]+)(?:p[+-]?\\d+)?)|" +
    "(?:(\\d+)\\.?(\\d*)|\\.(\\d+))(?:e([+-]?\\d+))?)",
  "i",
);

/**
 * Writes the key of `-g`: numbers as C's `strtod` reads them, decimal ones without rounding. Texts
 * that are not numbers come first, then NaN, then numbers by value.
 */
export function encodeGeneral(
  text: Uint8Array,
  from: number,
  to: number,
  out: KeyBuffer,
): void {
  if (putPlainNumber(text, from, to, out)) return;
  const found = FLOAT.exec(asText(text, from, to));
  out.reserve(1);
  if (found === null) return out.push(NONE);
  const [, sign, infinity, nan, hex, whole = "", fraction = "", only, power] = found;
  const negative = sign === "-";
  if (nan !== undefined) return out.push(NAN);
  if (infinity !== undefined) return out.push(negative ? MINUS_INFINITY : INFINITE);
  let all = whole + fraction + (only ?? "");
  let exponent = whole.length + clampPower(power);
  if (hex !== undefined) {
    const value = parseDouble(hex).value;
    if (value === Infinity) return out.push(negative ? MINUS_INFINITY : INFINITE);
    const [mantissa = "0", digits] = value.toExponential().split("e");
    all = mantissa.replace(".", "");
    exponent = 1 + Number(digits);
  }
  const first = all.search(/[1-9]/);
  if (first < 0) return out.push(ZERO);
  exponent -= first;
  const digits = all.slice(first).replace(/0+$/, "");
  const bytes = Uint8Array.from(digits, (digit) => digit.charCodeAt(0));
  putDecimal(bytes, 0, bytes.length, exponent, negative, out);
}

/**
 * Writes the key of a number with or without a point, as most are; returns false for any other
 * text.
 */
function putPlainNumber(text: Uint8Array, from: number, to: number, out: KeyBuffer): boolean {
  let at = skipBlanks(text, from, to);
  const negative = at < to && text[at] === 45;
  if (negative) at++;
  const start = at;
  let point = -1;
  let first = -1;
  let end = -1;
  for (; at < to; at++) {
    const byte = text[at] as number;
    if (byte === 46 && point < 0) point = at;
    else if (!isDigit(byte)) break;
    else if (byte !== 48) {
      if (first < 0) first = at;
      end = at + 1;
    }
  }
  // The caller handles powers, hexadecimal numbers, a plus sign and words.
  const next = at < to ? (text[at] as number) | 32 : 0;
  const digits = at - start - (point < 0 ? 0 : 1);
  if (digits < 1 || next === 101 || next === 120) return false;
  if (first < 0) {
    out.reserve(1);
    out.push(ZERO);
    return true;
  }
  const whole = point < 0 ? at : point;
  putDecimal(text, first, end, first < whole ? whole - first : whole + 1 - first, negative, out);
  return true;
}

function asText(text: Uint8Array, from: number, to: number): string {
  let result = "";
  for (let i = from; i < to; i++) {
    const byte = text[i] as number;
    // A number has ASCII characters only, and ends before any other.
    if (byte >= 128 || byte === 0) break;
    result += String.fromCharCode(byte);
  }
  return result;
}

function clampPower(power: string | undefined): number {
  return Math.max(-1e6, Math.min(1e6, Number(power ?? 0)));
}

const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

/** Writes the key of `-M`: the month that the first three letters name; unknown ones come first. */
export function encodeMonth(
  text: Uint8Array,
  from: number,
  to: number,
  out: KeyBuffer,
): void {
  const at = skipBlanks(text, from, to);
  const name = asText(text, at, Math.min(to, at + 3)).toUpperCase();
  out.reserve(1);
  out.push(MONTHS.indexOf(name) + 1);
}

/**
 * Writes the key of `-d`, `-i` and `-f`: without ignored bytes, and with small letters as capitals.
 */
export function encodeFiltered(
  ignore: "none" | "dictionary" | "nonprinting",
  fold: boolean,
): Encoder {
  const to = new Uint8Array(256);
  const kept = new Uint8Array(256);
  for (let byte = 0; byte < 256; byte++) {
    const upper = byte >= 97 && byte <= 122;
    to[byte] = fold && upper ? byte - 32 : byte;
    const alnum = isDigit(byte) || upper || (byte >= 65 && byte <= 90);
    if (ignore === "dictionary") kept[byte] = alnum || isBlank(byte) ? 1 : 0;
    else if (ignore === "nonprinting") kept[byte] = byte >= 32 && byte < 127 ? 1 : 0;
    else kept[byte] = 1;
  }
  return (text, from, end, out) => {
    out.reserve(end - from);
    const { bytes } = out;
    let { length } = out;
    for (let i = from; i < end; i++) {
      const byte = text[i] as number;
      bytes[length] = to[byte] as number;
      length += kept[byte] as number;
    }
    out.length = length;
  };
}
