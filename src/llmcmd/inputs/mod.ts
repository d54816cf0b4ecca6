/**
 * Inputs that can be read in pieces and piped from: files, streams that are kept, the output of a
 * pipe; and pieces of bytes as text.
 *
 * @module
 */
export { FileInput } from "./file_input.ts";
export type { Input } from "./input.ts";
export { KeptInput } from "./kept_input.ts";
export { StreamInput } from "./stream_input.ts";
export { LOOKAHEAD, sliceText, unfinished } from "./text_slice.ts";
