import type { Regex } from "../../../regex/mod.ts";
import { findByte } from "../../text/mod.ts";
import { WrappedRegex } from "./wrapped_regex.ts";

/**
 * A regular expression with the flag `M` under `-z`: looks for matches in each of the lines that a
 * pattern space holds, one after the other, so that none goes beyond a line's end.
 */
export class LinewiseRegex extends WrappedRegex {
  readonly #separator: number;
  /** The line that the last search came to, where it has not ended, and from where it looked. */
  #line = -1;
  #at = 0;
  #from = 0;

  /** Makes one of a regular expression whose anchors stand for the ends of a text. */
  constructor(regex: Regex, separator: number) {
    super(regex);
    this.#separator = separator;
  }

  /** Whether a line matches. */
  override test(bytes: Uint8Array, start: number, end: number): boolean {
    return this.find(bytes, start, end) !== null;
  }

  /** The first match. */
  override find(
    bytes: Uint8Array,
    start: number,
    end: number,
    from: number = start,
    fresh: boolean = from === start,
  ): Int32Array | null {
    return this.#search(bytes, start, end, from, fresh, false);
  }

  /** The first match and its sub-expressions. */
  override exec(
    bytes: Uint8Array,
    start: number,
    end: number,
    from: number = start,
    fresh: boolean = from === start,
  ): Int32Array | null {
    return this.#search(bytes, start, end, from, fresh, true);
  }

  #search(
    bytes: Uint8Array,
    start: number,
    end: number,
    from: number,
    fresh: boolean,
    groups: boolean,
  ): Int32Array | null {
    let at = from;
    let line = from;
    if (this.#line >= 0 && this.#from === from) {
      // It has paused.
      line = this.#line;
      at = this.#at;
    } else {
      while (line > start && bytes[line - 1] !== this.#separator) line--;
    }
    for (;;) {
      this.#line = line;
      this.#at = at;
      this.#from = from;
      const found = findByte(bytes, this.#separator, at);
      const stop = found < 0 || found > end ? end : found;
      const match = groups
        ? this.regex.exec(bytes, line, stop, at, fresh || at === line)
        : this.regex.find(bytes, line, stop, at, fresh || at === line);
      if (match !== null || stop === end) {
        this.#line = -1;
        return match;
      }
      line = at = stop + 1;
    }
  }
}
