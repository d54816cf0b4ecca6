/**
 * A mock LLM: answers requests of a wire API from scenario files, with faults on demand. It tests
 * agents and their clients without a key, costs or chance.
 *
 * It decides what to send and when, as plain data, and so runs on any runtime. It opens no sockets
 * and sets no timers (`web` does), reads no files, and knows nothing of agents or tools.
 *
 * @module
 */
export type { ErrorBody, FinishReason, ToolCall, Usage } from "../llm/mod.ts";
export * from "./scenario.ts";
export * from "./parse_scenarios.ts";
export * from "./mock.ts";
export * from "./wire_api.ts";
export * from "./chat.ts";
export { Journal, type JournalEntry, type JournalLimits } from "./journal.ts";
export type { Frame, HttpScript } from "./_http_script.ts";
