/**
 * The prompt for a CLI, made from the repository's agent file and the request's messages.
 *
 * @module
 */
export { escapeCommand, escapeReferences } from "./escape.ts";
export { buildPrompt, lastUserText, type PromptOptions } from "./prompt.ts";
