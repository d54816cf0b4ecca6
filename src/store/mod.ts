/**
 * Storage of sessions and events: the ports {@linkcode SessionStore} and {@linkcode EventBus}, in
 * memory and, for sessions, in SQLite.
 *
 * Lines and events are opaque text here: the callers know what they mean. This room knows no agent
 * and no HTTP, and opens no databases; `sys` opens them.
 *
 * @module
 */
export type { BusEvent, BusReader, EventBus } from "./event_bus.ts";
export { defaultEventBusLimits, type EventBusLimits, memoryEventBus } from "./memory_event_bus.ts";
export { memorySessionStore } from "./memory_session_store.ts";
export type {
  NewStoredSession,
  SessionFilter,
  SessionStore,
  StoredSession,
  TurnChange,
} from "./session_store.ts";
export type { SqlDatabase, SqlStatement, SqlValue } from "../ports/mod.ts";
export { sqliteSessionStore, type SqliteStoreOptions } from "./sqlite_session_store.ts";
