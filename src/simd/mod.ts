/**
 * Searches of blocks of bytes, sixteen at a time: lines that hold a literal, counts of words,
 * lines in reverse, groups of equal lines.
 *
 * It is for inner loops that plain TypeScript cannot bring to the machine's speed. It is not for
 * anything that must be there: where WebAssembly with SIMD is missing there is no kernel, and who
 * uses one has a way without. It knows nothing of patterns, commands or streams. For the other rooms
 * only, not an entry of the package.
 *
 * @module
 */

export { blockSize, type Group, GROUPS, LINE_HIT, Needles, TextKernel } from "./kernel.ts";
