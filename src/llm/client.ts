import type { ChatRequest, FinishReason, Usage } from "./wire.ts";
import type { Quota } from "./quota.ts";

/** One piece of a streamed answer. */
export type ChatDelta =
  | { type: "text"; content: string }
  | { type: "tool_call"; index: number; id?: string; name?: string; arguments?: string }
  | { type: "usage"; usage: Usage }
  | { type: "finish"; reason: FinishReason }
  /** An attempt failed before any content arrived; the next begins after `delay` milliseconds. */
  | { type: "retry"; attempt: number; delay: number; error: string };

/** Options of one streamed chat. */
export interface StreamOptions {
  /** Ends the request, its retries and its back-off. */
  signal: AbortSignal;
  /** Asked before every attempt, and told the usage. Its `LimitError` ends the stream. */
  quota?: Quota;
  /** Epoch milliseconds after which no retry may begin; a `Retry-After` beyond it is not waited for. */
  deadline?: number;
}

/** Streams chat completions from wherever the model runs. */
export interface ChatClient {
  /**
   * Asks for one answer. The stream errors with an `LlmError`, a `LimitError` of the quota, or the
   * signal's reason. Cancelling the stream ends the request.
   */
  stream(
    request: Omit<ChatRequest, "stream" | "stream_options">,
    options: StreamOptions,
  ): ReadableStream<ChatDelta>;
}
