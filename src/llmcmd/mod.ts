/**
 * The program `llmcmd` as a library: an LLM that works on open descriptors with the tools `read`,
 * `write`, `pipe` and `exit` (specification 000).
 *
 * It is for running one task to its end on descriptors that the caller opened. It is not for
 * opening files, reading configuration, printing progress or choosing exit codes: that is the
 * command's work, in `cli/`. The package's main entry gives what programs need of this room; the
 * first request is for the command's `--dry-run`.
 *
 * @module
 */
export { defaultLimits, type LlmcmdLimits } from "./limits.ts";
export type { LlmcmdOptions, LlmcmdResult } from "./options.ts";
export { firstRequest } from "./request.ts";
export { run } from "./run.ts";
export { splitWords } from "./split_words.ts";
