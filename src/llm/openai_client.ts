import type { ChatBody, ChatClient } from "./client.ts";
import type { Clock } from "./clock.ts";
import type { ChatRequest } from "./wire.ts";

/** Where and how to reach an OpenAI-compatible endpoint. */
export interface OpenAIClientOptions {
  /** Sent as a Bearer token. Never appears in errors. Empty: no Authorization header. */
  apiKey: string;
  /** Default `https://api.openai.com/v1`. A query string is kept, credentials are refused. */
  baseUrl?: string | undefined;
  /** Default: the global `fetch`. */
  fetch?: typeof fetch;
  /** Retries after the first attempt. Default 2. */
  maxRetries?: number;
  /** Milliseconds from sending a request to the first byte of the answer's body. Default 120,000. */
  firstByteTimeout?: number;
  /** Milliseconds between two pieces of the body, keep-alive comments included. Default 60,000. */
  idleTimeout?: number;
  /** Sent with every request, such as `User-Agent`. */
  headers?: Record<string, string>;
  /** Default: the real time. */
  clock?: Clock;
  /** From 0 to below 1, for the jitter of the back-off. Default `Math.random`. */
  random?: () => number;
}

/** The body that {@linkcode openaiClient} sends for `request`. */
export function streamingBody(request: ChatBody): ChatRequest {
  return { ...request, stream: true, stream_options: { include_usage: true } };
}

/** A client of an OpenAI-compatible endpoint. */
export function openaiClient(_options: OpenAIClientOptions): ChatClient {
  throw new Error("Not there yet");
}
