import { BaseRegex, type Regex, type RegexSearch } from "../../../regex/mod.ts";
import { findByte } from "../../text/mod.ts";

/**
 * A regular expression with the flag `M` under `-z`. Searches each line of the pattern space
 * separately, so that no match extends beyond the end of a line.
 */
export class LinewiseRegex extends BaseRegex {
  protected override readonly lines: Regex;
  readonly #separator: number;
  /**
   * Of a paused search: its current line (-1: not paused), its position, and its first argument
   * `from`.
   */
  #line = -1;
  #at = 0;
  #from = 0;

  /** Wraps a regular expression whose anchors match at the ends of a text. */
  constructor(regex: Regex, separator: number) {
    super(regex);
    this.lines = regex;
    this.#separator = separator;
  }

  /** True if a line matches. */
  override test(bytes: Uint8Array, start: number, end: number): boolean {
    return this.find(bytes, start, end) !== null;
  }

  protected override readonly search: RegexSearch = (bytes, start, end, from, fresh, groups) => {
    let at = from;
    let line = from;
    if (this.#line >= 0 && this.#from === from) {
      // Continues after a pause.
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
        ? this.lines.exec(bytes, line, stop, at, fresh || at === line)
        : this.lines.find(bytes, line, stop, at, fresh || at === line);
      if (match !== null || stop === end) {
        this.#line = -1;
        return match;
      }
      line = at = stop + 1;
    }
  };
}
