/**
 * Combines a pattern with long strings. An automaton would need a state for each byte of such a
 * string, and in a repetitive text it would be in many of them at once.
 *
 * @module
 */

import { BaseRegex, type RegexLines, type RegexSearch } from "./base_regex.ts";
import { ByteSearch } from "./bytes.ts";
import { type LineSet, Spans } from "./lines.ts";
import type { Regex, RegexOptions } from "./regex.ts";

/**
 * Length in bytes from which a string is searched separately, and the largest number of such
 * strings.
 */
const LONG_STRING = 1000;
const MOST_STRINGS = 16;
/** Bytes that are special in some syntax. */
const SPECIAL: ReadonlySet<number> = new Set(new TextEncoder().encode("\\[]{}()*+?.^$|\n"));

/** The patterns that are long literal strings. At least one pattern is left over. */
export function longStrings(
  patterns: readonly Uint8Array[],
  { syntax, ignoreCase = false, whole }: RegexOptions,
): Uint8Array[] {
  if (ignoreCase || whole !== undefined) return [];
  const strings = patterns.filter((pattern) =>
    pattern.length > LONG_STRING &&
    pattern.every((byte) => byte < 0x80 && (syntax === "fixed" || !SPECIAL.has(byte)))
  );
  if (strings.length === patterns.length) strings.pop();
  return strings.length > MOST_STRINGS ? [] : strings;
}

/** Matches what a pattern or one of several strings matches. */
export class EitherRegex extends BaseRegex {
  readonly #regex: Regex;
  readonly #strings: readonly ByteSearch[];
  /** Next occurrence of each string in the text; -1 if there is none. */
  readonly #next: Int32Array;
  readonly #registers: Int32Array;
  /** The first two registers. */
  readonly #pair: Int32Array;
  #lines = new Spans();
  #spare = new Spans();
  readonly #found = new Spans();

  /** Takes strings that are not empty. */
  constructor(regex: Regex, strings: readonly Uint8Array[]) {
    super(regex);
    this.#regex = regex;
    this.#strings = strings.map((each) => new ByteSearch(each));
    this.#next = new Int32Array(strings.length);
    this.#registers = new Int32Array(2 * regex.groups + 2);
    this.#pair = this.#registers.subarray(0, 2);
  }

  override test(bytes: Uint8Array, start: number, end: number): boolean {
    return this.#strings.some((each) => each.find(bytes, start, end) >= 0) ||
      this.#regex.test(bytes, start, end);
  }

  protected override readonly search: RegexSearch = (bytes, start, end, from, fresh, groups) => {
    const found = groups
      ? this.#regex.exec(bytes, start, end, from, fresh)
      : this.#regex.find(bytes, start, end, from, fresh);
    if (!this.#isBetter(found, bytes, end, from, fresh)) return found;
    return groups ? this.#registers : this.#pair;
  };

  /**
   * True if a string matches before `found`, or at the same position and longer. Its match is then
   * in `#registers`.
   */
  #isBetter(
    found: Int32Array | null,
    bytes: Uint8Array,
    end: number,
    from: number,
    fresh: boolean,
  ): boolean {
    let [start, stop] = found === null ? [Infinity, 0] : [found[0] as number, found[1] as number];
    let isBetter = false;
    for (const [i, string] of this.#strings.entries()) {
      let at = this.#next[i] as number;
      if (fresh || at >= 0 && at < from) {
        at = string.find(bytes, from, end);
        this.#next[i] = at;
      }
      const to = at + string.needle.length;
      if (at < 0 || at > start || at === start && to <= stop) continue;
      [start, stop, isBetter] = [at, to, true];
    }
    if (!isBetter) return false;
    this.#registers.fill(-1);
    this.#registers[0] = start;
    this.#registers[1] = stop;
    return true;
  }

  protected override readonly lines: RegexLines = {
    matchingLines: (block, start, end, separator, invert) => {
      const some = this.#regex.matchingLines(block, start, end, separator, false);
      const lines = this.#with(some, block, start, separator);
      if (!invert) return lines;
      this.#spare.complement(lines, start, lines.end);
      return this.#spare;
    },
    likelyLines: (block, start, end, separator) => {
      const some = this.#regex.likelyLines(block, start, end, separator);
      return this.#with(some, block, start, separator);
    },
  };

  /** The lines `some`, and the lines up to `some.end` that contain a string. */
  #with(some: LineSet, block: Uint8Array, start: number, separator: number): Spans {
    const { end } = some;
    this.#lines.clear();
    merge(some, this.#found, this.#lines);
    for (const string of this.#strings) {
      this.#found.clear();
      string.lines(block, start, end, separator, this.#found);
      this.#spare.clear();
      merge(this.#lines, this.#found, this.#spare);
      [this.#lines, this.#spare] = [this.#spare, this.#lines];
    }
    this.#found.clear();
    this.#lines.end = end;
    return this.#lines;
  }
}

/** Adds the spans of both lists in order, without duplicates. */
function merge(a: LineSet, b: LineSet, out: Spans): void {
  let i = 0;
  for (let j = 0; j < b.length; j += 2) {
    const start = b.spans[j] as number;
    for (; i < a.length && (a.spans[i] as number) < start; i += 2) add(a, i, out);
    if (i < a.length && a.spans[i] === start) i += 2;
    add(b, j, out);
  }
  for (; i < a.length; i += 2) add(a, i, out);
}

function add({ spans }: LineSet, at: number, out: Spans): void {
  out.push(spans[at] as number, spans[at + 1] as number);
  out.matched++;
}
