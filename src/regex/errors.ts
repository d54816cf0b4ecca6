/**
 * The errors that a pattern can cause.
 *
 * @module
 */

/**
 * The pattern is not a regular expression. The message is exactly what the GNU tools print, for
 * example `Unmatched ( or \\(`.
 *
 * @example
 * ```ts
 * import { compileRegex, RegexError } from "@llmcmd/llmcmd/regex";
 *
 * try {
 *   compileRegex("a\\(", { syntax: "basic" });
 *   throw new Error("not reached");
 * } catch (error) {
 *   if (!(error instanceof RegexError)) throw error;
 *   if (error.message !== "Unmatched ( or \\(") throw error;
 * }
 * ```
 */
export class RegexError extends SyntaxError {
  /** The class's name, for logs. */
  override readonly name: string = "RegexError";
  /**
   * Number of sub-expressions, if the pattern is well-formed and only GNU's second parser refuses
   * it. All other errors, also of further patterns, are then reported first.
   */
  readonly groups: number | undefined;
  /** The warnings that grep prints before the error; see `Regex.warnings`. */
  readonly warnings: readonly string[];

  /** Creates the error; `groups` is given if the pattern is well-formed. */
  constructor(message: string, groups?: number, warnings: readonly string[] = []) {
    super(message);
    this.groups = groups;
    this.warnings = warnings;
  }
}

/** The pattern, or a search for its back-references, exceeds a limit. */
export class RegexLimitError extends RangeError {
  /** The class's name, for logs. */
  override readonly name: string = "RegexLimitError";
  /** Name of the option that sets the limit. */
  readonly limit: "maxNodes" | "maxSteps";
  /** The limit that was reached. */
  readonly max: number;

  /** Creates the error; `message` names the cause and the way out. */
  constructor(message: string, limit: "maxNodes" | "maxSteps", max: number) {
    super(message);
    this.limit = limit;
    this.max = max;
  }
}
