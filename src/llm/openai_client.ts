import { readableFrom } from "../streams/mod.ts";
import { attempt, type Endpoint } from "./_attempt.ts";
import { HttpError, messageCleaner } from "./_failure.ts";
import { outgoing } from "./_outgoing.ts";
import { type Quirk, refusedParts } from "./_quirks.ts";
import { backoff, isRetryable, MAX_PATIENT_BACKOFF, retryAfter } from "./_retry.ts";
import { watchLimits } from "./_watch.ts";
import type { ChatBody, ChatClient, ChatDelta, StreamOptions } from "./client.ts";
import { type Clock, systemClock } from "./clock.ts";
import { LlmError } from "./errors.ts";
import type { Quota } from "./quota.ts";
import type { ChatRequest, Usage } from "./wire.ts";

/** The address of an OpenAI-compatible endpoint, the key, and the limits of one answer. */
export interface OpenAIClientOptions {
  /**
   * Sent as a Bearer token, without white space at its ends. Never appears in errors. Empty: no
   * Authorization header.
   */
  apiKey: string;
  /** Default `https://api.openai.com/v1`. A query string is kept, credentials are refused. */
  baseUrl?: string | undefined;
  /** Default: the global `fetch`. */
  fetch?: ((input: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Retries after the first attempt. Default 2. */
  maxRetries?: number | undefined;
  /**
   * Milliseconds since the first failure in which the number of retries is not limited, with pauses
   * that grow up to a minute. Only for an endpoint that has answered this client before, if only
   * with an error: a wrong address fails at once. Default 0.
   */
  retryTime?: number | undefined;
  /**
   * Milliseconds from sending a request to the first token of the answer, which local models take
   * minutes for; `Infinity` for no limit. Default 120,000.
   */
  firstTokenTimeout?: number | undefined;
  /**
   * Milliseconds between two pieces of the body after the first token, keep-alive comments
   * included. Default 60,000, or `firstTokenTimeout` where that is longer: some servers, such as
   * Ollama, hold a tool call back until all of it is there.
   */
  idleTimeout?: number | undefined;
  /** Bytes of one answer. Default 64 MiB. */
  maxAnswerBytes?: number | undefined;
  /**
   * The longest wait that `Retry-After` is given, in milliseconds; an endpoint that asks for more
   * is not asked again. Default 60,000.
   */
  maxRetryWait?: number | undefined;
  /** Names of these limits in errors: the settings that raise them. Default: the fields' names. */
  names?: { readonly firstTokenTimeout?: string; readonly maxRetryWait?: string } | undefined;
  /** Sent with every request, such as `User-Agent`. */
  headers?: Record<string, string> | undefined;
  /** Default: the real time. */
  clock?: Clock | undefined;
  /** From 0 to below 1, for the jitter of the back-off. Default `Math.random`. */
  random?: (() => number) | undefined;
}

/** The body that {@linkcode openaiClient} sends for `request`. */
export function streamingBody(request: ChatBody): ChatRequest {
  return { ...request, stream: true, stream_options: { include_usage: true } };
}

/**
 * A client of an OpenAI-compatible endpoint, on `fetch`.
 *
 * - An answer counts only when it is complete: an event stream (or a whole JSON completion, from
 *   endpoints that do not stream) of any declared type, with a `finish_reason` that means success.
 *   An empty answer passes: the caller decides whether it is an end. Redirects are refused.
 * - 408, 409, 429, 5xx and socket errors are retried before any content arrived, with a back-off of
 *   at most 8 s (60 s with `retryTime`), or as long as `Retry-After` asks, if that is within the deadline and
 *   `maxRetryWait`. Time-outs are not retried.
 * - An endpoint or model that refuses `max_tokens`, `temperature`, `stream_options` or `content`
 *   that is null is asked again without it, and from then on (`max_completion_tokens` replaces
 *   `max_tokens`). One that does not stream is asked for whole answers.
 * - Fields of a message that the API does not have, such as `reasoning_content`, are kept in its
 *   `extras` and sent back to the same endpoint and model, unless it refuses them. Answers of other
 *   models get what DeepSeek and Gemini want instead, when they ask for it.
 * - Half a character (a lone surrogate) in what is sent becomes U+FFFD.
 *
 * Throws a `TypeError` for a base URL or a key that cannot be sent.
 *
 * @example A client that talks to a function instead of a network
 * ```ts
 * import { openaiClient } from "@llmcmd/llmcmd/llm";
 * import assert from "node:assert/strict";
 *
 * const client = openaiClient({
 *   apiKey: "sk-secret",
 *   fetch: () =>
 *     Promise.resolve(Response.json({
 *       choices: [{ index: 0, message: { content: "Hi" }, finish_reason: "stop" }],
 *     })),
 * });
 * const { signal } = new AbortController();
 * const answer = client.stream({ model: "m", messages: [] }, { signal });
 * const deltas = [];
 * for await (const delta of answer) deltas.push(delta);
 * assert.deepEqual(deltas, [
 *   { type: "text", content: "Hi" },
 *   { type: "finish", reason: "stop" },
 * ]);
 * ```
 */
export function openaiClient(options: OpenAIClientOptions): ChatClient {
  const client = new OpenAIClient(options);
  return {
    stream: (request, streamOptions) =>
      readableFrom((stopped) => client.stream(request, streamOptions, stopped), {
        signal: streamOptions.signal,
      }),
  };
}

class OpenAIClient {
  readonly #endpoint: Endpoint;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #maxRetries: number;
  readonly #maxRetryWait: number;
  readonly #retryTime: number;
  readonly #names: NonNullable<OpenAIClientOptions["names"]>;
  readonly #redact: (text: string) => string;
  /** True once the endpoint has answered. */
  #answered = false;
  /** The features that each model refused. */
  readonly #refused = new Map<string, ReadonlySet<Quirk>>();

  constructor(options: OpenAIClientOptions) {
    this.#endpoint = endpointOf(options);
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#maxRetries = options.maxRetries ?? 2;
    this.#retryTime = options.retryTime ?? 0;
    this.#maxRetryWait = options.maxRetryWait ?? 60_000;
    this.#names = options.names ?? {};
    this.#redact = messageCleaner(secretsOf(options, this.#endpoint.url));
  }

  async *stream(
    request: ChatBody,
    { quota, deadline = Infinity }: StreamOptions,
    signal: AbortSignal,
  ): AsyncGenerator<ChatDelta, void, void> {
    const quirks = new Set(this.#refused.get(request.model));
    signal.throwIfAborted();
    quota?.startCall();
    const origin = `${this.#endpoint.url.origin}${this.#endpoint.url.pathname} ${request.model}`;
    let retries = 0;
    let failing: number | undefined;
    for (let number = 1;; number++) {
      const sent = outgoing(streamingBody(request), origin, quirks);
      let accepted = false;
      let delivered = false;
      let failure: LlmError;
      try {
        const deltas = attempt(this.#endpoint, { json: sent.json, origin }, signal, onUsage);
        for await (const delta of deltas) {
          if (!accepted) this.#remember(request.model, quirks);
          accepted = this.#answered = true;
          // A thought is not yet the answer.
          delivered ||= delta.type !== "extra" && delta.type !== "thought";
          yield delta;
        }
        return;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof LlmError)) throw error;
        failure = error;
        this.#answered ||= error.status !== undefined;
      }
      if (delivered) throw this.#clean(failure);
      const refused = refusedParts(failure, sent, quirks);
      refused.forEach((quirk) => quirks.add(quirk));
      const { delay, note } = refused.length > 0
        ? { delay: 0, note: "" }
        : this.#delay(failure, ++retries, failing ??= this.#clock.now(), deadline);
      startAgain(quota, this.#clean(failure));
      yield { type: "retry", attempt: number, delay, error: this.#redact(failure.message) + note };
      await this.#clock.sleep(delay, signal);
    }

    function onUsage(usage: Usage): void {
      quota?.addUsage(usage);
    }
  }

  /** Only what made an answer come: an error can name a parameter that is not at fault. */
  #remember(model: string, quirks: ReadonlySet<Quirk>): void {
    const known = this.#refused.get(model) ?? [];
    this.#refused.set(model, new Set([...known, ...quirks]));
  }

  /**
   * The delay before retry number `retry`, and a note on it. Throws where no retry is due. `since`
   * is the time of the first failure.
   */
  #delay(
    failure: LlmError,
    retry: number,
    since: number,
    deadline: number,
  ): { delay: number; note: string } {
    if (!isRetryable(failure)) throw this.#clean(failure);
    const patient = this.#answered && this.#clock.now() - since < this.#retryTime;
    if (retry > this.#maxRetries && !patient) {
      throw this.#clean(failure, ` (${retry} attempts)`);
    }
    const left = deadline - this.#clock.now();
    const asked = failure instanceof HttpError
      ? retryAfter(failure.headers, this.#clock.now()) ?? failure.details.retryDelay
      : undefined;
    const delay = asked ??
      backoff(retry, this.#random, patient ? MAX_PATIENT_BACKOFF : undefined);
    if (delay <= Math.min(left, asked === undefined ? Infinity : this.#maxRetryWait)) {
      return { delay, note: asked === undefined ? "" : `; it asks to wait ${seconds(asked)}` };
    }
    const most = this.#maxRetryWait < left
      ? `${this.#names.maxRetryWait ?? "maxRetryWait"} (${seconds(this.#maxRetryWait)})`
      : `the ${seconds(Math.max(0, left))} left`;
    const wait = asked === undefined
      ? "no time is left to try again"
      : `it asks to wait ${seconds(asked)}, longer than ${most}`;
    throw this.#clean(failure, `; ${wait}`);
  }

  /** The error as callers may see it: without secrets, and without what only retries need. */
  #clean(error: LlmError, more = ""): LlmError {
    const { status, code } = error;
    return new LlmError(this.#redact(error.message) + more, {
      status,
      code: code === undefined ? undefined : this.#redact(code),
    });
  }
}

/** Counts the next attempt. A spent budget ends the run, and keeps the failure as its cause. */
function startAgain(quota: Quota | undefined, failure: LlmError): void {
  try {
    quota?.startCall();
  } catch (error) {
    if (error instanceof Error) error.cause = failure;
    throw error;
  }
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`;
}

function endpointOf(options: OpenAIClientOptions): Endpoint {
  const { baseUrl = "https://api.openai.com/v1", headers = {} } = options;
  // Keys come from files and from the output of commands, which end with a newline.
  const apiKey = options.apiKey.trim();
  if (/[^\x21-\x7e]/.test(apiKey)) {
    throw new TypeError(
      "Cannot send the API key: it contains a space, a line break or a character outside ASCII",
    );
  }
  const sent = new Headers(headers);
  sent.set("accept", "text/event-stream, application/json");
  sent.set("content-type", "application/json");
  if (apiKey !== "") sent.set("authorization", `Bearer ${apiKey}`);
  return {
    url: completionsUrl(baseUrl),
    headers: sent,
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    ...watchLimits(options),
  };
}

/**
 * Texts that errors must not show: the key, secret headers, and a query string that may hold a key.
 */
function secretsOf({ apiKey, headers = {} }: OpenAIClientOptions, url: URL): string[] {
  const secretHeaders = Object.entries(headers).filter(([name]) => /auth|key|token/i.test(name));
  return [apiKey.trim(), url.search, ...secretHeaders.map(([, value]) => value)];
}

/**
 * The address that requests go to for a base URL, which may already be the whole address.
 *
 * @throws {TypeError} For what is no web address, and for one with a user name or password.
 */
export function completionsUrl(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    const shown = baseUrl.replace(/^.*@/, "...@").replace(/\?.*$/, "");
    throw new TypeError(
      `Cannot use ${JSON.stringify(shown)} as base URL: give one like https://api.openai.com/v1`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new TypeError("Cannot use a base URL with a user name or password: leave them out");
  }
  url.hash = "";
  // People also give the whole address.
  const path = url.pathname.replace(/\/+$/, "").replace(/\/chat\/completions$/, "");
  url.pathname = `${path}/chat/completions`;
  return url;
}
