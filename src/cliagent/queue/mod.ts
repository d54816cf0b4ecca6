/**
 * Who may run when: places of a model, turns in a repository and in a conversation.
 *
 * @module
 */
export { CallQueue, type Place, type QueueCounts } from "./call_queue.ts";
