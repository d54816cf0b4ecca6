/**
 * The parser of POSIX basic and extended regular expressions with GNU's extensions: bytes of a
 * pattern in, a tree of `ast.ts` out.
 *
 * @module
 */
export { parsePattern } from "./parse.ts";
