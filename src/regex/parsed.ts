/**
 * What a pattern is read as, and what it gives.
 *
 * @module
 */

import type { Node } from "./ast.ts";
import type { RegexError } from "./errors.ts";

/** How a pattern is read. */
export interface ParseOptions {
  /** Extended (`-E`) or basic syntax. */
  readonly extended: boolean;
  /** The tool whose special cases apply, or glibc's own. */
  readonly dialect: "grep" | "sed" | "library" | "diff";
  /** Folds case. */
  readonly ignoreCase: boolean;
  /** `^` and `$` at newlines too, which `.` and `[^x]` then don't match. */
  readonly multiline: boolean;
  /** Keeps `^` and `$` from newlines with `multiline`: lines end otherwise (`sed -z`). */
  readonly plainAnchors?: boolean;
  /** Takes an unmatched `)` for itself (`sed --posix`). */
  readonly strayParenthesis?: boolean;
}

/** A parsed pattern. */
export interface Parsed {
  readonly tree: Node;
  /** Number of sub-expressions. */
  readonly groups: number;
  /** Whether the tree has back-references. */
  readonly backrefs: boolean;
  /** What grep says on standard error about constructs of doubtful meaning. */
  readonly warnings: readonly string[];
  /**
   * What the text must match besides `tree`. GNU's tools have two matchers, of glibc and of gnulib,
   * which take a repetition after an anchor differently; a line must suit both.
   */
  readonly also?: Node;
  /** Whether `also` alone tells what lines match, and `tree` only where; not for whole words. */
  readonly alsoDecides?: boolean;
  /** What gnulib's parser refuses in a pattern that glibc takes. */
  readonly refused?: RegexError;
}
