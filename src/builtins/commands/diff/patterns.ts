import { compileRegex, type Regex, RegexError } from "../../../regex/mod.ts";
import { InvalidArgument } from "../../core/mod.ts";

/** True if a line matches, given without its newline. */
export type LineTest = (bytes: Uint8Array, start: number, end: number) => boolean;

/** The patterns of `-F` or `-I`; a line matches if one of them does. */
export class DiffPatterns {
  readonly #patterns: string[] = [];

  /**
   * Adds a pattern.
   *
   * @throws {InvalidArgument} If it is not a valid regular expression.
   */
  add(pattern: string): void {
    compile(pattern);
    this.#patterns.push(pattern);
  }

  /**
   * Joins all patterns to one, with their groups numbered across it; `undefined` if there are none.
   */
  test(): LineTest | undefined {
    if (this.#patterns.length === 0) return undefined;
    const regex = compile(this.#patterns.join("\\|"));
    return (bytes, start, end) => regex.test(bytes, start, end);
  }
}

function compile(pattern: string): Regex {
  try {
    return compileRegex(withAlternatives(pattern), { syntax: "basic", dialect: "diff" });
  } catch (error) {
    if (!(error instanceof RegexError)) throw error;
    throw new InvalidArgument(`${pattern}: ${error.message}`);
  }
}

/** A bracket expression, an escaped character, or a newline. */
const PARTS = /\[\^?\]?(?:\[:[^]*?:\]|\[\.[^]*?\.\]|\[=[^]*?=\]|[^\]])*\]|\\[^]|\n/g;

/** Newlines outside of brackets separate alternatives. */
function withAlternatives(pattern: string): string {
  return pattern.replace(PARTS, (part) => part === "\n" ? "\\|" : part);
}
