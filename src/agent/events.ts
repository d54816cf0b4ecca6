import type { FinishReason, Message, Usage } from "../llm/mod.ts";

/**
 * The reason of a run's end. `stop`: a final answer. `tool`: a tool ended it (`exit`). `length`:
 * the answer was cut at the token limit. `content_filter`: the endpoint withheld the answer, or the
 * model refused. `abort`: the signal fired or the events were cancelled. `error`: the endpoint
 * failed or a budget is spent.
 */
export type RunEndReason = "stop" | "tool" | "length" | "content_filter" | "error" | "abort";

/** A failure as events carry it: plain data, without secrets. */
export interface EventError {
  /** The error class, such as `LlmError`, `LimitError`, `AbortError`, `NotCapable`. */
  name: string;
  /** The failure in words, for people. */
  message: string;
  /** The HTTP status of the endpoint, when there is one. */
  status?: number;
  /** The endpoint's error code or the client's own, when there is one (see `LlmError`). */
  code?: string;
  /** The name of the limit that was reached, such as `apiCalls`. */
  limit?: string;
}

/**
 * The events of a run, in order. `run_start` is first and `run_end` last, always. An `error` is the
 * last event before `run_end`. A turn that fails has no `turn_end`; a call that began has its
 * `tool_end`.
 */
export type AgentEvent =
  | { type: "run_start"; model: string }
  /** A request to the model begins. `turn` counts from 1. */
  | { type: "turn_start"; turn: number }
  /** A piece of the model's text. */
  | { type: "text"; content: string }
  /** An attempt failed; the next begins after `delay` milliseconds. */
  | { type: "retry"; attempt: number; delay: number; error: string }
  /** Before a call runs, once a call. `input` is the decoded JSON, or the raw text if malformed. */
  | { type: "tool_start"; id: string; name: string; input: unknown }
  /** After a call. `content` is what the model reads, `details` what only watchers see. */
  | {
    type: "tool_end";
    id: string;
    name: string;
    content: string;
    error: boolean;
    details?: unknown;
  }
  /** Tokens of one answer, and of the run so far with the number of API calls. */
  | { type: "usage"; usage: Usage; total: Usage; api_calls: number; weighted_tokens: number }
  /**
   * A message has joined the conversation: an answer as soon as it is complete, before any of its
   * calls begins; the result of each call right before its `tool_end`, or when its turn would have
   * been if it does not run. They come in the order of the conversation, and the run goes on when
   * the next event is asked for, so that a reader can store a message first. Not to be changed.
   *
   * An answer that was cut or broke off is not a complete message and has no event. Its beginning
   * is at the end of the result's `messages`.
   */
  | { type: "message"; message: Message }
  /** A turn is complete, its calls included. */
  | { type: "turn_end"; turn: number; finish_reason: FinishReason }
  /** News for the user, such as which instructions the program follows. */
  | { type: "notice"; message: string }
  /** A problem that does not end the run. */
  | { type: "warning"; message: string }
  | { type: "error"; error: EventError }
  /** The run is over. `seconds` is how long it took. */
  | { type: "run_end"; reason: RunEndReason; api_calls: number; seconds: number };
