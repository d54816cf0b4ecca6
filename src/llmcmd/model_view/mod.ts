/**
 * The texts that the model reads besides data: the system prompt, the descriptions of the tools, and
 * the form of their results.
 *
 * @module
 */
export { systemPrompt } from "./prompt.ts";
export { describeFailure, jsonResult } from "./result.ts";
export { defaultReadSize, EXIT_SPEC, MAX_READ, PIPE_SPEC, readSpec, WRITE_SPEC } from "./specs.ts";
