import type { Extra } from "./extras.ts";
import type { Quota } from "./quota.ts";
import type { ChatRequest, FinishReason, Usage } from "./wire.ts";

/** One piece of a streamed answer. */
export type ChatDelta =
  | { type: "text"; content: string }
  /**
   * A piece of the `<think>` block that some models begin their text with, white space around it
   * included. It belongs to the message, in front of its text, but is not what the model says.
   */
  | { type: "thought"; content: string }
  /** A piece of the reason why the model refuses to answer. */
  | { type: "refusal"; content: string }
  /**
   * A piece of a tool call. `arguments` pieces of one call are joined. Which call a piece belongs
   * to is the business of `DeltaAccumulator`: endpoints leave out `index` or `id`, or repeat them.
   */
  | {
    type: "tool_call";
    index?: number;
    id?: string;
    name?: string;
    arguments?: string;
    extra?: Extra;
  }
  /** Pieces of fields that the message has besides those of the API, such as `reasoning_content`. */
  | { type: "extra"; extra: Extra }
  | { type: "usage"; usage: Usage }
  /** The model is done. Always present in a stream that ends without an error. */
  | { type: "finish"; reason: FinishReason }
  /**
   * Attempt number `attempt`, from 1, failed before any content arrived; the next begins after
   * `delay` milliseconds. What it sent of `thought` and `extra` does not count.
   */
  | { type: "retry"; attempt: number; delay: number; error: string };

/** A request as callers make it: the client itself decides how it is streamed. */
export type ChatBody = Omit<ChatRequest, "stream" | "stream_options">;

/** Options of one streamed chat. */
export interface StreamOptions {
  /** Ends the request, its retries and its back-off. */
  signal: AbortSignal;
  /** Counts attempts and tokens. Its `LimitError` ends the stream. */
  quota?: Quota | undefined;
  /** Epoch milliseconds after which no retry may begin; a `Retry-After` beyond it is not waited for. */
  deadline?: number | undefined;
}

/** Streams chat completions from wherever the model runs. */
export interface ChatClient {
  /**
   * Asks for one answer. Nothing is sent before the first read. The stream errors with an
   * `LlmError`, a `LimitError` of the quota, or the signal's reason; a permission error of the
   * runtime passes unchanged. Cancelling the stream ends the request.
   */
  stream(request: ChatBody, options: StreamOptions): ReadableStream<ChatDelta>;
}
