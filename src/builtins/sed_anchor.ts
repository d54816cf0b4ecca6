import type { LineSet, Regex } from "../regex/mod.ts";

/** The regular expression `^` or `$`, which needs no search: `s/^/> /` is most common. */
export class AnchorRegex implements Regex {
  /** There are no sub-expressions. */
  readonly groups = 0;
  /** There is nothing doubtful. */
  readonly warnings: readonly string[] = [];
  readonly #atEnd: boolean;
  readonly #regex: Regex;
  readonly #pair = new Int32Array(2);

  /** Makes one that matches at the end, or at the start; `regex` is the same, compiled. */
  constructor(atEnd: boolean, regex: Regex) {
    this.#atEnd = atEnd;
    this.#regex = regex;
  }

  /** Always true. */
  test(): boolean {
    return true;
  }

  /** The empty match at the anchor. */
  find(_bytes: Uint8Array, start: number, end: number, from: number = start): Int32Array | null {
    const at = this.#atEnd ? end : start;
    if (at < from) return null;
    this.#pair[0] = at;
    this.#pair[1] = at;
    return this.#pair;
  }

  /** The same as {@linkcode find}. */
  exec(bytes: Uint8Array, start: number, end: number, from: number = start): Int32Array | null {
    return this.find(bytes, start, end, from);
  }

  /** All lines. */
  matchingLines(
    block: Uint8Array,
    start: number,
    end: number,
    separator: number,
    invert: boolean,
  ): LineSet {
    return this.#regex.matchingLines(block, start, end, separator, invert);
  }

  /** The same lines, and perhaps others. */
  likelyLines(block: Uint8Array, start: number, end: number, separator: number): LineSet {
    return this.#regex.likelyLines(block, start, end, separator);
  }
}
