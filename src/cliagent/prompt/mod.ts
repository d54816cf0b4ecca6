/**
 * The prompt that a CLI gets, made of the repository's agent file and the request's messages.
 *
 * @module
 */
export { escapeCommand, escapeReferences } from "./escape.ts";
export { buildPrompt, lastUserText, type PromptOptions } from "./prompt.ts";
