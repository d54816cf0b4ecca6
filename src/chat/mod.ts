/**
 * The engine of a chat with the coding agent: {@linkcode ChatEngine} runs turns, at most one per
 * session, and keeps sessions, their states and titles, queued messages and open questions.
 *
 * It knows no HTTP, no page and no terminal: a front asks it and reads its events. The agent itself,
 * the store and the event bus are given to it.
 *
 * @module
 */
export { ChatEngine, type ShownSession } from "./chat_engine.ts";
export { ChatError, type ChatErrorKind } from "./chat_error.ts";
export type { ExportedChat } from "./export.ts";
export type { ChatItem } from "./items.ts";
export { type ChatEngineLimits, defaultChatEngineLimits } from "./limits.ts";
export type { ListEvent, ListReader } from "./list_watcher.ts";
export type { ListedSession, ShownWriter } from "./listed_session.ts";
export type { ChatAbout, ChatEngineOptions, TurnStart } from "./options.ts";
export type { QueuedMessage } from "./records.ts";
export type { ChatRun, RunOutcome } from "./runs.ts";
export type { FoundSession, FoundSessions } from "./search.ts";
export { isSessionName, SESSION_NAME } from "./session_name.ts";
export type { SessionView } from "./sessions.ts";
export type { TurnRequest } from "./turns.ts";
