/**
 * What can be wrong with a pattern.
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
   * How many sub-expressions the pattern has, where it is well formed and GNU's second parser
   * refuses it: other faults, also of further patterns, are then told first.
   */
  readonly groups: number | undefined;
  /** What grep warns of before it tells the fault; see `Regex.warnings`. */
  readonly warnings: readonly string[];

  /** Makes the error; `groups` says that the pattern is well formed. */
  constructor(message: string, groups?: number, warnings: readonly string[] = []) {
    super(message);
    this.groups = groups;
    this.warnings = warnings;
  }
}

/** The pattern, or a search for its back-references, needs more than its limit allows. */
export class RegexLimitError extends RangeError {
  /** The class's name, for logs. */
  override readonly name: string = "RegexLimitError";
  /** Name of the option that sets the limit. */
  readonly limit: "maxNodes" | "maxSteps";
  /** The limit that was reached. */
  readonly max: number;

  /** Says what needs too much and the way out in `message`, and names the limit. */
  constructor(message: string, limit: "maxNodes" | "maxSteps", max: number) {
    super(message);
    this.limit = limit;
    this.max = max;
  }
}
