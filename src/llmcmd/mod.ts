/**
 * The program `llmcmd` as a library: an LLM that works on open descriptors with the tools `read`,
 * `write`, `pipe` and `exit`. docs/llmcmd.md describes them for users.
 *
 * It is for running one task to its end on descriptors that the caller opened. It does not open
 * files, read configuration, print progress or choose exit codes; the command in `cli/` does that.
 * The package's main entry has what programs need of this room; the first request is for the
 * command's `--dry-run`.
 *
 * @module
 */
export { defaultLimits, type LlmcmdLimits } from "./limits.ts";
export type { LlmcmdOptions, LlmcmdResult } from "./options.ts";
export { DEFAULT_MAX_TOKENS, firstRequest } from "./request.ts";
export { run } from "./run.ts";
export { splitWords } from "./command/mod.ts";
