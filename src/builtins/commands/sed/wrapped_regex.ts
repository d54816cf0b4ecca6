import type { LineSet, Regex } from "../../../regex/mod.ts";

/** A regular expression that finds matches its own way, in the lines of another. */
export abstract class WrappedRegex implements Regex {
  /** The highest sub-expression number. */
  readonly groups: number;
  /** What is doubtful. */
  readonly warnings: readonly string[];
  /** Whether there are back-references. */
  readonly backReferences: boolean;
  /** The other. */
  protected readonly regex: Regex;

  /** Wraps one. */
  constructor(regex: Regex) {
    this.groups = regex.groups;
    this.warnings = regex.warnings;
    this.backReferences = regex.backReferences;
    this.regex = regex;
  }

  /** Steps that searches with back-references have taken so far. */
  get steps(): number {
    return this.regex.steps;
  }

  /** Whether a line matches. */
  abstract test(bytes: Uint8Array, start: number, end: number): boolean;

  /** The first match and its sub-expressions. */
  abstract exec(
    bytes: Uint8Array,
    start: number,
    end: number,
    from?: number,
    fresh?: boolean,
  ): Int32Array | null;

  /** The first match. */
  abstract find(
    bytes: Uint8Array,
    start: number,
    end: number,
    from?: number,
    fresh?: boolean,
  ): Int32Array | null;

  /** The lines that match. */
  matchingLines(
    block: Uint8Array,
    start: number,
    end: number,
    separator: number,
    invert: boolean,
  ): LineSet {
    return this.regex.matchingLines(block, start, end, separator, invert);
  }

  /** The same lines, and perhaps others. */
  likelyLines(block: Uint8Array, start: number, end: number, separator: number): LineSet {
    return this.regex.likelyLines(block, start, end, separator);
  }
}
