/**
 * Reads one symbol at a time from bytes, forwards and backwards.
 *
 * @module
 */

import { INVALID } from "./charset.ts";

/** The symbol that starts at `at` < `end`: a code point, or {@linkcode INVALID} + the byte. */
export function symbolAt(bytes: Uint8Array, at: number, end: number): number {
  const a = bytes[at] as number;
  if (a < 0x80) return a;
  if (a < 0xc2 || a > 0xf4 || at + 1 >= end) return INVALID + a;
  const b = bytes[at + 1] as number;
  if ((b & 0xc0) !== 0x80) return INVALID + a;
  if (a < 0xe0) return (a & 0x1f) << 6 | b & 0x3f;
  if (at + 2 >= end) return INVALID + a;
  const c = bytes[at + 2] as number;
  if ((c & 0xc0) !== 0x80) return INVALID + a;
  if (a < 0xf0) {
    const point = (a & 0xf) << 12 | (b & 0x3f) << 6 | c & 0x3f;
    return point < 0x800 || point >= 0xd800 && point < 0xe000 ? INVALID + a : point;
  }
  if (at + 3 >= end) return INVALID + a;
  const d = bytes[at + 3] as number;
  if ((d & 0xc0) !== 0x80) return INVALID + a;
  const point = (a & 7) << 18 | (b & 0x3f) << 12 | (c & 0x3f) << 6 | d & 0x3f;
  return point < 0x10000 || point > 0x10ffff ? INVALID + a : point;
}

/** The symbol that ends at `at` > `start`. Splits bytes exactly as {@linkcode symbolAt} does. */
export function symbolBefore(bytes: Uint8Array, at: number, start: number): number {
  const last = bytes[at - 1] as number;
  if (last < 0x80) return last;
  if (last >= 0xc0) return INVALID + last;
  const floor = at - 4 > start ? at - 4 : start;
  for (let i = at - 2; i >= floor; i--) {
    const byte = bytes[i] as number;
    if ((byte & 0xc0) === 0x80) continue;
    if (byte < 0xc0) break;
    const symbol = symbolAt(bytes, i, at);
    return symbol < INVALID && i + symbolLength(symbol) === at ? symbol : INVALID + last;
  }
  return INVALID + last;
}

/** Number of bytes of a symbol: 1 to 4. */
export function symbolLength(symbol: number): number {
  return symbol < 0x80 || symbol >= INVALID ? 1 : symbol < 0x800 ? 2 : symbol < 0x10000 ? 3 : 4;
}

/** All symbols of `bytes`. */
export function symbolsOf(bytes: Uint8Array): number[] {
  const symbols: number[] = [];
  for (let i = 0; i < bytes.length;) {
    const symbol = symbolAt(bytes, i, bytes.length);
    symbols.push(symbol);
    i += symbolLength(symbol);
  }
  return symbols;
}

/**
 * End of the character at `at`, at least `at + 1`. A search continues here after an empty match, so
 * that it never starts inside a character.
 */
export function nextSymbol(bytes: Uint8Array, at: number, end: number): number {
  return at + symbolLength(symbolAt(bytes, at, end));
}
