import { BaseRegex, type Regex, type RegexSearch } from "../../../regex/mod.ts";
import { findByte, type Space } from "../../text/mod.ts";

/** The regular expression `^` or `$`, which needs no search and is common, as in `s/^/> /`. */
export class AnchorRegex extends BaseRegex {
  protected override readonly lines: Regex;
  readonly #atEnd: boolean;
  readonly #pair = new Int32Array(2);

  /**
   * Creates one that matches at the end or at the start; `regex` is the same expression, compiled.
   */
  constructor(atEnd: boolean, regex: Regex) {
    super(regex);
    this.lines = regex;
    this.#atEnd = atEnd;
  }

  /** Always true, as each line has an anchor. */
  override test(): boolean {
    return true;
  }

  protected override readonly search: RegexSearch = (_bytes, start, end, from) => {
    const at = this.#atEnd ? end : start;
    if (at < from) return null;
    this.#pair.fill(at);
    return this.#pair;
  };

  /** Adds the lines of `bytes[start..end)` to `into`, each with `text` at the anchor. */
  insert(
    into: Space,
    bytes: Uint8Array,
    start: number,
    end: number,
    separator: number,
    text: Uint8Array,
  ): void {
    let done = start;
    for (let line = start; line < end;) {
      const found = findByte(bytes, separator, line);
      const stop = found < 0 || found > end ? end : found;
      const at = this.#atEnd ? stop : line;
      into.append(bytes, done, at);
      into.append(text);
      done = at;
      line = stop + 1;
    }
    into.append(bytes, done, end);
  }
}
