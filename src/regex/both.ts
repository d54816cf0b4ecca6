/**
 * Two patterns for one: a text must match both, or the second tells whether it matches.
 *
 * @module
 */

import { type LineSet, Spans } from "./lines.ts";
import { RegexPause } from "./pace.ts";
import type { Regex } from "./regex.ts";

/** Matches as the first of two patterns does, in texts that have a match of the second too. */
export class BothRegex implements Regex {
  readonly groups: number;
  readonly warnings: readonly string[];
  readonly backReferences: boolean;
  readonly #regex: Regex;
  readonly #also: Regex;
  readonly #decides: boolean;
  readonly #lines = new Spans();
  readonly #others = new Spans();

  /** `decides`: whether a text matches is told by `also` alone, and by `regex` only where. */
  constructor(regex: Regex, also: Regex, decides: boolean) {
    this.groups = regex.groups;
    this.warnings = regex.warnings;
    this.backReferences = regex.backReferences;
    this.#regex = regex;
    this.#also = also;
    this.#decides = decides;
  }

  get steps(): number {
    return this.#regex.steps;
  }

  test(bytes: Uint8Array, start: number, end: number): boolean {
    return this.#also.test(bytes, start, end) &&
      (this.#decides || this.#regex.test(bytes, start, end));
  }

  find(
    bytes: Uint8Array,
    start: number,
    end: number,
    from: number = start,
    fresh: boolean = from === start,
  ): Int32Array | null {
    if (fresh && !this.#decides && !this.#also.test(bytes, start, end)) return null;
    return this.#regex.find(bytes, start, end, from, fresh);
  }

  exec(
    bytes: Uint8Array,
    start: number,
    end: number,
    from: number = start,
    fresh: boolean = from === start,
  ): Int32Array | null {
    if (fresh && !this.#decides && !this.#also.test(bytes, start, end)) return null;
    return this.#regex.exec(bytes, start, end, from, fresh);
  }

  matchingLines(
    block: Uint8Array,
    start: number,
    end: number,
    separator: number,
    invert: boolean,
  ): LineSet {
    if (this.#decides) return this.#also.matchingLines(block, start, end, separator, invert);
    const { spans, length, end: stop } = this.#regex.matchingLines(
      block,
      start,
      end,
      separator,
      false,
    );
    const lines = this.#lines;
    lines.clear();
    lines.end = stop;
    for (let i = 0; i < length; i += 2) {
      const [from, next] = [spans[i] as number, spans[i + 1] as number];
      const to = block[next - 1] === separator ? next - 1 : next;
      try {
        if (!this.#also.test(block, from, to)) continue;
      } catch (error) {
        if (!(error instanceof RegexPause)) throw error;
        lines.end = from;
        break;
      }
      lines.push(from, next);
      lines.matched++;
    }
    if (!invert) return lines;
    this.#others.complement(lines, start, lines.end);
    return this.#others;
  }

  likelyLines(block: Uint8Array, start: number, end: number, separator: number): LineSet {
    return this.#regex.likelyLines(block, start, end, separator);
  }
}
