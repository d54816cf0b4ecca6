/**
 * Searches for a string of bytes, in linear time for any string.
 *
 * @module
 */

import { lineEnd, type Spans } from "./lines.ts";

/** Wasted comparisons after which the search switches to Knuth-Morris-Pratt. */
const PATIENCE = 1 << 12;

/** Finds one string of bytes. */
export class ByteSearch {
  readonly needle: Uint8Array;
  /** For each prefix of the string, the length of its longest border (KMP's failure function). */
  #borders: Int32Array | undefined;

  /** Takes a string that is not empty. */
  constructor(needle: Uint8Array) {
    this.needle = needle;
  }

  /** Offset of the first occurrence in `bytes[from..end)`, or -1. */
  find(bytes: Uint8Array, from: number, end: number): number {
    const { needle } = this;
    const first = needle[0] as number;
    const last = end - needle.length;
    let wasted = 0;
    for (let at = from; at <= last; at++) {
      if (bytes[at] !== first) continue;
      let i = 1;
      while (i < needle.length && bytes[at + i] === needle[i]) i++;
      if (i === needle.length) return at;
      wasted += i;
      if (wasted > PATIENCE + 2 * (at - from)) return this.#findPeriodic(bytes, at + 1, end);
    }
    return -1;
  }

  /** The same with the algorithm of Knuth, Morris and Pratt. */
  #findPeriodic(bytes: Uint8Array, from: number, end: number): number {
    const { needle } = this;
    const borders = this.#borders ??= bordersOf(needle);
    let matched = 0;
    for (let at = from; at < end; at++) {
      const byte = bytes[at];
      while (matched > 0 && byte !== needle[matched]) matched = borders[matched] as number;
      if (byte === needle[matched]) matched++;
      if (matched === needle.length) return at + 1 - matched;
    }
    return -1;
  }

  /** Adds the lines of `block[start..end)` that contain the string to `out`. */
  lines(block: Uint8Array, start: number, end: number, separator: number, out: Spans): void {
    if (this.needle.includes(separator)) return;
    for (let at = start; at < end;) {
      const found = this.find(block, at, end);
      if (found < 0) return;
      const line = found === 0 ? 0 : block.lastIndexOf(separator, found - 1) + 1;
      at = lineEnd(block, found, end, separator);
      out.push(Math.max(start, line), at);
      out.matched++;
    }
  }
}

function bordersOf(needle: Uint8Array): Int32Array {
  const borders = new Int32Array(needle.length + 1);
  let border = 0;
  for (let length = 2; length <= needle.length; length++) {
    const byte = needle[length - 1];
    while (border > 0 && byte !== needle[border]) border = borders[border] as number;
    if (byte === needle[border]) border++;
    borders[length] = border;
  }
  return borders;
}
