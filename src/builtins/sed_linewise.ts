import type { LineSet, Regex } from "../regex/mod.ts";
import { findByte } from "./_line_cursor.ts";

/**
 * A regular expression with the flag `M` under `-z`: looks for matches in each of the lines that a
 * pattern space holds, one after the other, so that none goes beyond a line's end.
 */
export class LinewiseRegex implements Regex {
  /** The highest sub-expression number. */
  readonly groups: number;
  /** What is doubtful. */
  readonly warnings: readonly string[];
  readonly #regex: Regex;
  readonly #separator: number;

  /** Makes one of a regular expression whose anchors stand for the ends of a text. */
  constructor(regex: Regex, separator: number) {
    this.groups = regex.groups;
    this.warnings = regex.warnings;
    this.#regex = regex;
    this.#separator = separator;
  }

  /** Whether a line matches. */
  test(bytes: Uint8Array, start: number, end: number): boolean {
    return this.find(bytes, start, end) !== null;
  }

  /** The first match. */
  find(
    bytes: Uint8Array,
    start: number,
    end: number,
    from: number = start,
    fresh: boolean = from === start,
  ): Int32Array | null {
    return this.#search(bytes, start, end, from, fresh, false);
  }

  /** The first match and its sub-expressions. */
  exec(
    bytes: Uint8Array,
    start: number,
    end: number,
    from: number = start,
    fresh: boolean = from === start,
  ): Int32Array | null {
    return this.#search(bytes, start, end, from, fresh, true);
  }

  /** The lines that match: each is a text of its own. */
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

  #search(
    bytes: Uint8Array,
    start: number,
    end: number,
    from: number,
    fresh: boolean,
    groups: boolean,
  ): Int32Array | null {
    let line = from;
    while (line > start && bytes[line - 1] !== this.#separator) line--;
    for (let at = from;;) {
      const found = findByte(bytes, this.#separator, at);
      const stop = found < 0 || found > end ? end : found;
      const match = groups
        ? this.#regex.exec(bytes, line, stop, at, fresh || at === line)
        : this.#regex.find(bytes, line, stop, at, fresh || at === line);
      if (match !== null || stop === end) return match;
      line = at = stop + 1;
    }
  }
}
