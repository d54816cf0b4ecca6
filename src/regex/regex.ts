import type { LineSet } from "./lines.ts";
/**
 * A compiled regular expression over bytes. Text is UTF-8: `.` and `[^x]` match one whole valid
 * character, and never a byte that is not part of one.
 */
export interface Regex {
  /** The highest sub-expression number. */
  readonly groups: number;
  /** grep's warnings, without `grep: warning: `. */
  readonly warnings: readonly string[];
  /** True if the pattern has back-references, so that a search may be slow. */
  readonly backReferences: boolean;
  /** Steps that searches with back-references have taken so far, each about ten nanoseconds. */
  readonly steps: number;
  /**
   * True if the text `bytes[start..end)`, a line without its separator, has a match.
   *
   * @throws {RegexLimitError} When back-references need more steps than the limit.
   * @throws {RegexPause} With `slice`, when the search is not finished yet.
   */
  test(bytes: Uint8Array, start: number, end: number): boolean;
  /**
   * The leftmost match in `bytes[start..end)` that begins at or after `from` (default `start`), and
   * there the longest. `^`, `\<` and `\b` see the bytes before `from`. Returns the offsets
   * `[start0, end0, start1, end1, ...]` of the match and its sub-expressions, -1 for unused ones.
   * The next call overwrites the array.
   *
   * A call with `from` above `start` continues in the text of the previous call if `bytes`, `start`
   * and `end` are the same; the bytes must not have changed. A call without `from`, or with
   * `fresh`, starts a new text.
   *
   * @throws {RegexLimitError} When back-references need more steps than the limit.
   * @throws {RegexPause} With `slice`, when the search is not finished yet.
   */
  exec(
    bytes: Uint8Array,
    start: number,
    end: number,
    from?: number,
    fresh?: boolean,
  ): Int32Array | null;
  /** Like {@linkcode exec}, but returns only `[start0, end0]`: faster if groups don't matter. */
  find(
    bytes: Uint8Array,
    start: number,
    end: number,
    from?: number,
    fresh?: boolean,
  ): Int32Array | null;
  /**
   * The matching lines of `block[start..end)` in order, one span a line. With `invert` the other
   * lines, adjacent ones joined to one span. Lines end at `separator` (10 or 0); the last may lack
   * it. With `slice` it may stop at the start of any line, even of the first, so that the caller
   * can yield: check `end`, and call it again for the rest.
   *
   * @throws {RegexLimitError} When back-references need more steps than the limit.
   */
  matchingLines(
    block: Uint8Array,
    start: number,
    end: number,
    separator: number,
    invert: boolean,
  ): LineSet;
  /**
   * Like {@linkcode matchingLines}, but may include lines that do not match, for callers that
   * search each line anyway.
   */
  likelyLines(block: Uint8Array, start: number, end: number, separator: number): LineSet;
}

/** Options of {@linkcode compileRegex}. */
export interface RegexOptions {
  /** The syntax of all patterns. */
  readonly syntax: RegexSyntax;
  /** Matches letters of either case (simple case folding of Unicode). */
  readonly ignoreCase?: boolean;
  /** Matches whole lines only (`grep -x`), or only text without adjacent word characters (`-w`). */
  readonly whole?: "line" | "word";
  /**
   * sed's `M`: `^` and `$` also match at newlines, and `.` and `[^x]` don't match a newline.
   * Otherwise `^` and `$` match at the ends of the text only.
   */
  readonly multiline?: boolean;
  /** With `multiline`: `^` and `$` match at the ends of the text only (`sed -z`). */
  readonly plainAnchors?: boolean;
  /** Treats an unmatched `)` as a literal, as `sed --posix` does. */
  readonly strayParenthesis?: boolean;
  /**
   * The tool whose special cases apply. "library" is glibc's own reading of POSIX basic syntax, for
   * tools such as `nl` that only use glibc: `.` does not match NUL, and a range may be empty.
   * "diff" is the same without these two exceptions. Default: "grep".
   */
  readonly dialect?: "grep" | "sed" | "library" | "diff";
  /** Maximum number of nodes of the pattern, with intervals expanded. Default: 100,000. */
  readonly maxNodes?: number;
  /**
   * Maximum number of steps for all searches of a text with back-references, in addition to 32 for
   * each of its bytes. A step takes about ten nanoseconds. Default: 5,000,000.
   */
  readonly maxSteps?: number;
  /**
   * Work, in about nanoseconds, after which a search stops so that its caller can yield: `test`,
   * `find` and `exec` throw {@linkcode RegexPause}, and continue when called again with the same
   * arguments. Default: searches never pause.
   */
  readonly slice?: number;
}

/** Basic (grep, sed), extended (`-E`) or no syntax (`grep -F`). */
export type RegexSyntax = "basic" | "extended" | "fixed";
