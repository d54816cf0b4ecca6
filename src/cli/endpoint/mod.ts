/**
 * The settings of a run of `llmcmd`, and the client for its endpoint. `llmcmd fsproxy --llm` uses
 * them, too.
 *
 * @module
 */
export { chatClientOf, hostOf } from "./chat_client.ts";
export { LIMIT_NAMES, readRunSettings, type RunSettings } from "./run_settings.ts";
