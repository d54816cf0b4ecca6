/**
 * POSIX regular expressions in GNU's dialect over bytes, in linear time.
 *
 * Goals: the patterns of grep, sed and similar tools. Basic and extended syntax and plain words are
 * parsed once to a tree and matched leftmost-longest, with sub-expressions as glibc sets them, in
 * UTF-8 (C.UTF-8) without decoding the text. Time is proportional to pattern times text for any
 * input; back-references need more and are limited: {@linkcode RegexLimitError}.
 *
 * Non-goals: the syntax of JavaScript, encodings other than UTF-8 and ASCII, and replacing text:
 * callers copy the bytes around the offsets they get. Of Perl's syntax it has the part that works
 * in linear time ({@linkcode compilePerl}).
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
