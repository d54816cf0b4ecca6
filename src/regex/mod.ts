/**
 * POSIX regular expressions in GNU's dialect over bytes, in linear time.
 *
 * What it is for: the patterns of grep, sed and the tools like them. Basic and extended syntax and
 * plain words, parsed once to a tree, matched leftmost-longest with sub-expressions as glibc sets
 * them, UTF-8 aware (C.UTF-8), without decoding the text. Time grows with pattern times text on
 * any input; back-references, which cannot be had in linear time, end in {@linkcode RegexLimitError}.
 *
 * What it is not for: JavaScript's or Perl's syntax, other encodings than UTF-8 and ASCII, and
 * replacing text: callers copy the bytes around the offsets they get.
 *
 * @module
 */

export { BaseRegex, type RegexFacts, type RegexLines, type RegexSearch } from "./base_regex.ts";
export { RegexError, RegexLimitError } from "./errors.ts";
export type { LineSet } from "./lines.ts";
export { RegexPause, TURN_SLICE } from "./pace.ts";
export { compileRegex } from "./compile.ts";
export { type Regex, type RegexOptions, type RegexSyntax } from "./regex.ts";
export { nextSymbol } from "./utf8.ts";
export { compilePerl, type PerlOptions } from "./perl/perl.ts";
