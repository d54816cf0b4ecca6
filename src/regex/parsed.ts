/**
 * Options and result of parsing a pattern.
 *
 * @module
 */

import type { Node } from "./ast.ts";
import type { RegexError } from "./errors.ts";

/** Options of parsing a pattern. */
export interface ParseOptions {
  /** True for extended (`-E`), false for basic syntax. */
  readonly extended: boolean;
  /** The tool whose special cases apply; "library" and "diff" are glibc's own. */
  readonly dialect: "grep" | "sed" | "library" | "diff";
  /** Folds case. */
  readonly ignoreCase: boolean;
  /** `^` and `$` also match at newlines, which `.` and `[^x]` then don't match. */
  readonly multiline: boolean;
  /** With `multiline`: `^` and `$` don't match at newlines, as lines end differently (`sed -z`). */
  readonly plainAnchors?: boolean;
  /** Treats an unmatched `)` as a literal (`sed --posix`). */
  readonly strayParenthesis?: boolean;
}

/** A parsed pattern. */
export interface Parsed {
  readonly tree: Node;
  /** Number of sub-expressions. */
  readonly groups: number;
  /** True if the tree has back-references. */
  readonly backrefs: boolean;
  /** grep's warnings about constructs of doubtful meaning. */
  readonly warnings: readonly string[];
  /**
   * A second tree that the text must match. GNU's tools have two matchers, glibc's and gnulib's,
   * which treat a repetition after an anchor differently; a line must match both.
   */
  readonly also?: Node;
  /** True if `also` alone selects lines and `tree` only finds positions; not for whole words. */
  readonly alsoDecides?: boolean;
  /** The error of gnulib's parser for a pattern that glibc accepts. */
  readonly refused?: RegexError;
}
