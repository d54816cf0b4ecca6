/**
 * A pattern and long strings beside it. An automaton would have a state for each byte of such a
 * string, and in a text that repeats what the string repeats it would be in many of them at once.
 *
 * @module
 */

import { BaseRegex, type RegexLines, type RegexSearch } from "./base_regex.ts";
import { ByteSearch } from "./bytes.ts";
import { type LineSet, Spans } from "./lines.ts";
import type { Regex, RegexOptions } from "./regex.ts";

/** Bytes from which on a string is better looked for by itself, and how many there are at most. */
const LONG_STRING = 1000;
const MOST_STRINGS = 16;
/** What may mean something else than itself, in any syntax. */
const SPECIAL: ReadonlySet<number> = new Set(new TextEncoder().encode("\\[]{}()*+?.^$|\n"));

/**
 * Those of several patterns that are long strings: nothing in them means anything but itself. At
 * least one pattern is left.
 */
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

/** Matches what a pattern matches, and what is one of some strings. */
export class EitherRegex extends BaseRegex {
  readonly #regex: Regex;
  readonly #strings: readonly ByteSearch[];
  /** Where each string stands next in the text that is searched; -1 where it does no more. */
  readonly #next: Int32Array;
  readonly #registers: Int32Array;
  /** The first two of them. */
  readonly #pair: Int32Array;
  #lines = new Spans();
  #spare = new Spans();
  readonly #found = new Spans();

  /** Takes the strings, which are not empty. */
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
   * True if the match of a string begins before `found`, or there and is longer; `#registers` has
   * it then.
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

  /** Those lines, and all others up to where they end in which a string stands. */
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

/** Adds the spans of two lists in order, those that are in both once. */
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
