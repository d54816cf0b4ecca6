/**
 * Reads a pattern as GNU's tools do. Some of them have two parsers, which differ.
 *
 * @module
 */

import { asksMatcher, relaxed } from "../ast.ts";
import { RegexError } from "../errors.ts";
import type { Parsed, ParseOptions } from "../parsed.ts";
import { Parser, REFUSED_INTERVAL } from "./parser.ts";

/** Parses the symbols of one pattern. */
export function parsePattern(symbols: readonly number[], options: ParseOptions): Parsed {
  const { dialect } = options;
  if (dialect === "library" || dialect === "diff") {
    return new Parser(symbols, options, "glibc").parse();
  }
  const first = new Parser(symbols, options, dialect === "grep" ? "gnulib" : "glibc");
  const parsed = attempt(first);
  if (!first.differs) return succeed(parsed);
  const other = new Parser(symbols, options, dialect === "grep" ? "glibc" : "gnulib");
  const [glibc, gnulib] = dialect === "grep" ? [attempt(other), parsed] : [parsed, attempt(other)];
  if (glibc instanceof RegexError) throw glibc;
  const { tree, groups, backrefs } = glibc;
  if (gnulib instanceof RegexError) {
    // The only errors that gnulib's parser has and glibc's does not.
    const isBig = gnulib.message === "Regular expression too big";
    const message = isBig ? "regular expression too big" : REFUSED_INTERVAL;
    const parser = dialect === "grep" ? first : other;
    throw new RegexError(message, groups, parser.warnings);
  }
  if (gnulib.refused !== undefined) throw gnulib.refused;
  return {
    tree,
    groups,
    backrefs,
    warnings: gnulib.warnings,
    also: relaxed(gnulib.tree),
    alsoDecides: dialect === "grep" && !asksMatcher(gnulib.tree),
  };
}

function attempt(parser: Parser): Parsed | RegexError {
  try {
    return parser.parse();
  } catch (error) {
    if (!(error instanceof RegexError)) throw error;
    return error;
  }
}

function succeed(parsed: Parsed | RegexError): Parsed {
  if (parsed instanceof RegexError) throw parsed;
  if (parsed.refused !== undefined) throw parsed.refused;
  return parsed;
}
