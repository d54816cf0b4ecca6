import type { LineSet } from "./lines.ts";
/**
 * A compiled regular expression over bytes. Text is UTF-8: `.` and `[^x]` match one whole valid
 * character, and never a byte that is not part of one.
 */
export interface Regex {
  /** The highest sub-expression number. */
  readonly groups: number;
  /** What grep prints on standard error, after `grep: warning: `. */
  readonly warnings: readonly string[];
  /** Whether there are back-references, so that a search may take long for its text. */
  readonly backReferences: boolean;
  /** Steps that searches with back-references have taken so far: some ten nanoseconds each. */
  readonly steps: number;
  /**
   * Whether the text `bytes[start..end)`, a line without its separator, has a match.
   *
   * @throws {RegexLimitError} When back-references need more steps than they may take.
   * @throws {RegexPause} With `slice`, when the search is not finished yet.
   */
  test(bytes: Uint8Array, start: number, end: number): boolean;
  /**
   * The leftmost and there longest match in `bytes[start..end)` that begins at `from` (default
   * `start`) or later; what stands before `from` is seen by `^`, `\<` and `\b`. Gives the offsets
   * `[start0, end0, start1, end1, ...]` of the match and its sub-expressions, -1 where one took no
   * part. The array is reused by the next call.
   *
   * A call with `from` above `start` goes on with the text of the call before if `bytes`, `start`
   * and `end` are the same: the bytes must not have changed since. A new text begins with a call
   * without `from`, or with `fresh`.
   *
   * @throws {RegexLimitError} When back-references need more steps than they may take.
   * @throws {RegexPause} With `slice`, when the search is not finished yet.
   */
  exec(
    bytes: Uint8Array,
    start: number,
    end: number,
    from?: number,
    fresh?: boolean,
  ): Int32Array | null;
  /** Like {@linkcode exec}, but finds only `[start0, end0]`: faster where groups don't matter. */
  find(
    bytes: Uint8Array,
    start: number,
    end: number,
    from?: number,
    fresh?: boolean,
  ): Int32Array | null;
  /**
   * The lines of `block[start..end)` that match, in order, one span a line. With `invert` the
   * others, where one span takes in all that follow each other. Lines end at `separator` (10 or
   * 0); the last may lack it. With `slice` it may stop at the start of any line, also of the first,
   * so that the caller can do something else in between: look at `end`, and call it again for the
   * rest.
   *
   * @throws {RegexLimitError} When back-references need more steps than they may take.
   */
  matchingLines(
    block: Uint8Array,
    start: number,
    end: number,
    separator: number,
    invert: boolean,
  ): LineSet;
  /**
   * Like {@linkcode matchingLines}, but lines that do not match may be among them: for who then
   * looks for the matches anyway.
   */
  likelyLines(block: Uint8Array, start: number, end: number, separator: number): LineSet;
}

/** How {@linkcode compileRegex} reads its patterns. */
export interface RegexOptions {
  /** The syntax of all patterns. */
  readonly syntax: RegexSyntax;
  /** Matches letters of either case (simple case folding of Unicode). */
  readonly ignoreCase?: boolean;
  /** Only matches of a whole line (`grep -x`), or without a word character beside it (`-w`). */
  readonly whole?: "line" | "word";
  /**
   * sed's `M`: `^` and `$` match at newlines too, and `.` and `[^x]` don't match a newline. Else
   * `^` and `$` stand for the ends of the text.
   */
  readonly multiline?: boolean;
  /** With `multiline`: `^` and `$` match at the ends of the text only (`sed -z`). */
  readonly plainAnchors?: boolean;
  /** Takes an unmatched `)` for itself, as `sed --posix` does. */
  readonly strayParenthesis?: boolean;
  /**
   * The tool whose special cases apply; "library" is glibc's own reading of POSIX's basic syntax,
   * for tools that ask nobody else, as `nl`: `.` does not match NUL, and a range may be empty.
   * "diff" is the same without these two.
   * Default: "grep".
   */
  readonly dialect?: "grep" | "sed" | "library" | "diff";
  /** Nodes the pattern may have once its intervals are written out. Default: 100,000. */
  readonly maxNodes?: number;
  /**
   * Steps that all searches of a text with back-references may take, besides 32 for each of its
   * bytes: some ten nanoseconds each. Default: 5,000,000.
   */
  readonly maxSteps?: number;
  /**
   * Work, in nanoseconds or so, after which a search stops in the middle, so that its caller can
   * do something else: `test`, `find` and `exec` throw {@linkcode RegexPause}, and go on when they
   * are called once more with the same arguments. Default: none does.
   */
  readonly slice?: number;
}

/** Basic (grep, sed), extended (`-E`) or no syntax at all (`grep -F`). */
export type RegexSyntax = "basic" | "extended" | "fixed";
