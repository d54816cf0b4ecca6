/**
 * The chat with the coding agent over HTTP, with its page: an app that can be mounted in any server.
 *
 * It maps requests to a `ChatEngine`, its refusals to statuses, and its events to server-sent events
 * with back-pressure. It does not decide what a turn or a session is.
 *
 * @module
 */
export { BROWSER_COOKIE } from "./browser.ts";
export { type ChatApp, chatApp } from "./chat_app.ts";
export { type ChatLimits, defaultChatLimits } from "./limits.ts";
export type { ChatAppOptions } from "./options.ts";
export type { ChatAbout, ChatEngineLimits, ChatEngineOptions, TurnStart } from "../../chat/mod.ts";
