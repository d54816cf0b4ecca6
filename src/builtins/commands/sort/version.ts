import type { KeyBuffer } from "./encode.ts";

/** Classes of names, in their order, at the start of a key. */
const EMPTY = 0;
const DOT = 1;
const DOT_DOT = 2;
const HIDDEN = 3;
const OTHER = 4;

const TILDE = 126;
/** Ends a run of bytes that are not digits. Sorts after a tilde and before all other bytes. */
const STOP = 1;
/** Numbers of at least so many digits have their length in four more bytes. */
const LONG = 255;

/**
 * Sort weights of the bytes between numbers: a tilde, then {@linkcode STOP} (1), letters, others.
 */
const WEIGHTS: Uint8Array = weights();

function weights(): Uint8Array {
  const result = new Uint8Array(256);
  let next = STOP + 1;
  for (const letters of [true, false]) {
    for (let byte = 0; byte < 256; byte++) {
      if (isAlpha(byte) !== letters || isDigit(byte) || byte === TILDE) continue;
      result[byte] = next++;
    }
  }
  return result;
}

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57;
}

function isAlpha(byte: number): boolean {
  return (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122);
}

/**
 * Writes the first key of `-V`: the name without its suffix. Names are compared as gnulib's
 * `filenvercmp` does (`ls -v`): `a2` before `a10`, those that begin with a dot first, suffixes of
 * file names last.
 */
export function encodeVersion(text: Uint8Array, from: number, to: number, out: KeyBuffer): void {
  out.reserve(1);
  if (from === to) return out.push(EMPTY);
  if (text[from] !== 46) out.push(OTHER);
  else if (to - from === 1) return out.push(DOT);
  else if (to - from === 2 && text[from + 1] === 46) return out.push(DOT_DOT);
  else out.push(HIDDEN);
  putRuns(text, from, suffixStart(text, from, to), out);
}

/**
 * Writes the second key of `-V`, for names that are the same without their suffixes: the whole
 * name.
 */
export function encodeWholeVersion(
  text: Uint8Array,
  from: number,
  to: number,
  out: KeyBuffer,
): void {
  putRuns(text, from, to, out);
}

/**
 * Adds a text as runs of other bytes than digits, each with a {@linkcode STOP} and the number after
 * it. Every text ends as if an empty run and the number 0 followed, so that no key is the beginning
 * of another.
 */
function putRuns(text: Uint8Array, from: number, to: number, out: KeyBuffer): void {
  // A number has at least one digit and takes two bytes besides its digits.
  out.reserve(3 * (to - from) + 8);
  const { bytes } = out;
  let { length } = out;
  let at = from;
  for (;;) {
    while (at < to && !isDigit(text[at] as number)) {
      bytes[length++] = WEIGHTS[text[at++] as number] as number;
    }
    bytes[length++] = STOP;
    // At the end of the text, a missing number is 0.
    while (at < to && text[at] === 48) at++;
    const start = at;
    while (at < to && isDigit(text[at] as number)) at++;
    const digits = at - start;
    bytes[length++] = Math.min(LONG, digits);
    if (digits >= LONG) {
      for (let shift = 24; shift >= 0; shift -= 8) bytes[length++] = (digits >>> shift) & 255;
    }
    for (let i = start; i < at; i++) bytes[length++] = text[i] as number;
    if (at === to) break;
  }
  bytes[length++] = STOP;
  out.length = length;
}

/** Returns the start of a name's suffix, `(\.[A-Za-z~][A-Za-z0-9~]*)*$`. */
function suffixStart(text: Uint8Array, from: number, to: number): number {
  for (let i = from;; i++) {
    const prefix = i;
    while (i + 1 < to && text[i] === 46 && startsSuffix(text[i + 1] as number)) {
      i += 2;
      while (i < to && continuesSuffix(text[i] as number)) i++;
    }
    if (i >= to) return Math.min(prefix, to);
  }
}

function startsSuffix(byte: number): boolean {
  return isAlpha(byte) || byte === TILDE;
}

function continuesSuffix(byte: number): boolean {
  return startsSuffix(byte) || isDigit(byte);
}
