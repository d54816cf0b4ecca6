/**
 * Parses POSIX basic and extended regular expressions with GNU's extensions: the symbols of a
 * pattern in, a tree of `ast.ts` out.
 *
 * @module
 */
export { parsePattern } from "./parse.ts";
