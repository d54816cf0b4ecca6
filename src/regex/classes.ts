/**
 * The named character classes of POSIX, as in C.UTF-8, and case folding.
 *
 * @module
 */

import { packedClasses } from "./_unicode.ts";
import { type CharSet, charSet, INVALID, LAST_CODE_POINT, negate, union } from "./charset.ts";

const ascii: Readonly<Record<string, readonly number[]>> = {
  alpha: [0x41, 0x5a, 0x61, 0x7a],
  upper: [0x41, 0x5a],
  lower: [0x61, 0x7a],
  punct: [0x21, 0x2f, 0x3a, 0x40, 0x5b, 0x60, 0x7b, 0x7e],
  space: [0x09, 0x0d, 0x20, 0x20],
  blank: [0x09, 0x09, 0x20, 0x20],
  cntrl: [0x00, 0x1f, 0x7f, 0x7f],
  digit: [0x30, 0x39],
  xdigit: [0x30, 0x39, 0x41, 0x46, 0x61, 0x66],
};

const cache = new Map<string, CharSet>();

function unpack(name: string): number[] {
  const out = [...(ascii[name] ?? [])];
  const packed = packedClasses[name];
  if (packed === undefined) return out;
  let at = 0;
  packed.split(" ").forEach((digits, i) => {
    at += parseInt(digits, 36);
    out.push(at);
    if (i % 2 === 1) at = out[out.length - 1] as number;
  });
  return out;
}

function build(name: string): CharSet | undefined {
  switch (name) {
    case "alnum":
      return union(characterClass("alpha") ?? [], [0x30, 0x39]);
    case "graph":
      return union(characterClass("alnum") ?? [], characterClass("punct") ?? []);
    case "print":
      // The class `space` is printable except for control characters and line and paragraph
      // separators.
      return union(
        characterClass("graph") ?? [],
        [
          0x20,
          0x20,
          0x1680,
          0x1680,
          0x2000,
          0x2006,
          0x2008,
          0x200a,
          0x205f,
          0x205f,
          0x3000,
          0x3000,
        ],
      );
    case "word":
      return union(characterClass("alnum") ?? [], [0x5f, 0x5f]);
    default:
      return Object.hasOwn(ascii, name) ? unpack(name) : undefined;
  }
}

/**
 * The set of `[:name:]` (POSIX base definitions 7.3.1), or of the additional class `word`: letters,
 * digits and the underscore. `undefined` for an unknown class.
 */
export function characterClass(name: string): CharSet | undefined {
  const known = cache.get(name);
  if (known !== undefined) return known;
  const made = build(name);
  if (made !== undefined) cache.set(name, made);
  return made;
}

/** Upper-case form by Unicode's simple mapping. */
function upper(point: number): number {
  if (point >= 0x1f80 && point <= 0x1faf) return point | 8;
  if (point === 0x1fb3 || point === 0x1fc3 || point === 0x1ff3) return point + 9;
  const text = String.fromCodePoint(point).toUpperCase();
  const first = text.codePointAt(0) ?? point;
  return text.length === (first > 0xffff ? 2 : 1) ? first : point;
}

/** Ranges that contain all letters with case; nothing outside is folded. */
const cased: readonly number[] = [
  0x41,
  0x7a,
  0xb5,
  0x24f,
  0x250,
  0x2af,
  0x345,
  0x556,
  0x561,
  0x587,
  0x10a0,
  0x10ff,
  0x13a0,
  0x13fd,
  0x1c80,
  0x1cbf,
  0x1d79,
  0x1d8e,
  0x1e00,
  0x1fff,
  0x2126,
  0x2132,
  0x214e,
  0x214e,
  0x2160,
  0x2188,
  0x24b6,
  0x24e9,
  0x2c00,
  0x2d2d,
  0xa640,
  0xa7ff,
  0xab53,
  0xabbf,
  0xff21,
  0xff5a,
  0x10400,
  0x104fb,
  0x10570,
  0x105bc,
  0x10c80,
  0x10cf2,
  0x118a0,
  0x118df,
  0x16e40,
  0x16e7f,
  0x1e900,
  0x1e943,
];

let others: Map<number, number[]> | undefined;

/**
 * All letters with the same upper-case form, by that form. Built when the first letter beyond ASCII
 * is folded.
 */
function sharers(): Map<number, number[]> {
  if (others !== undefined) return others;
  others = new Map();
  for (let i = 0; i + 1 < cased.length; i += 2) {
    for (let point = cased[i] as number; point <= (cased[i + 1] as number); point++) {
      const big = upper(point);
      const list = others.get(big);
      if (list === undefined) others.set(big, [point]);
      else list.push(point);
    }
  }
  return others;
}

/** `set` and the other cases of all its letters. */
export function foldCase(set: CharSet): CharSet {
  const out = [...set];
  for (let i = 0; i + 1 < set.length; i += 2) {
    const low = set[i] as number;
    const high = set[i + 1] as number;
    if (low === 0 && high >= LAST_CODE_POINT) return set;
    if (low >= INVALID) continue;
    for (let k = 0; k + 1 < cased.length; k += 2) {
      const from = Math.max(low, cased[k] as number);
      const to = Math.min(high, cased[k + 1] as number);
      for (let point = from; point <= to; point++) {
        if (point < 0x80 && !/[iks]/i.test(String.fromCharCode(point))) {
          const flipped = point ^ 0x20;
          if (point >= 0x41 && (point & 0x5f) <= 0x5a && (point & 0x5f) >= 0x41) {
            out.push(flipped, flipped);
          }
          continue;
        }
        for (const other of sharers().get(upper(point)) ?? []) out.push(other, other);
      }
    }
  }
  return charSet(out);
}

/**
 * A case-insensitive range as glibc reads it: the symbols whose upper-case forms are between those
 * of the ends. So `[A-z]` does not contain `_`, and `[a-Z]` is valid. `undefined` if the range is
 * empty. Only for ends in ASCII.
 */
export function foldRange(first: number, last: number): CharSet | undefined {
  const low = upper(first);
  const high = upper(last);
  if (low > high) return undefined;
  const ranges: number[] = [];
  let from = low;
  for (let point = low; point <= high; point++) {
    const big = upper(point);
    if (big >= low && big <= high) continue;
    if (from < point) ranges.push(from, point - 1);
    from = point + 1;
  }
  if (from <= high) ranges.push(from, high);
  return foldCase(ranges);
}

/** Characters that are neither word characters nor invalid bytes. */
export function nonWord(): CharSet {
  return negate(characterClass("word") ?? []);
}
