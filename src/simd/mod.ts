/**
 * Searches blocks of bytes, sixteen bytes at a time: lines with a literal, counts of words, lines
 * in reverse, groups of equal lines.
 *
 * It is for inner loops that plain TypeScript cannot bring to the machine's speed. Callers need
 * another way as well: without WebAssembly SIMD there is no kernel. It knows nothing of patterns,
 * commands or streams. Only the other rooms import it: it is not an entry of the package.
 *
 * @module
 */

export { blockSize, type Group, GROUPS, LINE_HIT, Needles, TextKernel } from "./kernel.ts";
