/**
 * Combines two patterns: a text must match both, or the second alone decides.
 *
 * @module
 */

import { BaseRegex, type RegexLines, type RegexSearch } from "./base_regex.ts";
import { filterLines, Spans } from "./lines.ts";
import type { Regex } from "./regex.ts";

/** Finds the matches of one pattern in texts that a second pattern matches, too. */
export class BothRegex extends BaseRegex {
  readonly #regex: Regex;
  readonly #also: Regex;
  readonly #decides: boolean;
  readonly #lines = new Spans();
  readonly #others = new Spans();

  /** With `decides`, `also` alone decides if a text matches, and `regex` finds the position. */
  constructor(regex: Regex, also: Regex, decides: boolean) {
    super(regex);
    this.#regex = regex;
    this.#also = also;
    this.#decides = decides;
  }

  override test(bytes: Uint8Array, start: number, end: number): boolean {
    return this.#also.test(bytes, start, end) &&
      (this.#decides || this.#regex.test(bytes, start, end));
  }

  protected override readonly search: RegexSearch = (bytes, start, end, from, fresh, groups) => {
    if (fresh && !this.#decides && !this.#also.test(bytes, start, end)) return null;
    return groups
      ? this.#regex.exec(bytes, start, end, from, fresh)
      : this.#regex.find(bytes, start, end, from, fresh);
  };

  protected override readonly lines: RegexLines = {
    matchingLines: (block, start, end, separator, invert) => {
      if (this.#decides) return this.#also.matchingLines(block, start, end, separator, invert);
      const some = this.#regex.matchingLines(block, start, end, separator, false);
      const lines = this.#lines;
      filterLines(some, block, separator, this.#also, lines);
      if (!invert) return lines;
      this.#others.complement(lines, start, lines.end);
      return this.#others;
    },
    likelyLines: (block, start, end, separator) =>
      this.#regex.likelyLines(block, start, end, separator),
  };
}
