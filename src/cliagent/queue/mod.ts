/**
 * The queue of calls: places of a model, and turns in a repository and in a conversation.
 *
 * @module
 */
export { CallQueue, type Place, type QueueCounts } from "./call_queue.ts";
