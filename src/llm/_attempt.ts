// With an empty cache, a library that is only imported lazily is resolved too late for type checks.
import type {} from "eventsource-parser";
import { linkAbort, raceAbort } from "../streams/mod.ts";
import type { OnUsage } from "./_answer.ts";
import { beginning } from "./_beginning.ts";
import { connectionError, HttpError, redirectError } from "./_failure.ts";
import { Watch, type WatchLimits } from "./_watch.ts";
import type { ChatDelta } from "./client.ts";

/** Milliseconds that the body of an error may be silent, whose status says enough. */
const ERROR_BODY = 10_000;

/** The address of requests and the limits of an answer. */
export interface Endpoint extends WatchLimits {
  url: URL;
  headers: Headers;
  fetch: (input: string, init: RequestInit) => Promise<Response>;
}

/**
 * Sends one request and yields its answer. Throws an `HttpError` for a status other than 2xx, an
 * `LlmError` for a broken answer, the signal's reason, or what else `fetch` throws. Holds nothing
 * when it is done.
 */
export async function* attempt(
  endpoint: Endpoint,
  { json, origin }: { json: string; origin: string },
  signal: AbortSignal,
  onUsage: OnUsage,
): AsyncGenerator<ChatDelta, void, void> {
  const request = new AbortController();
  const unlink = linkAbort(signal, request);
  const watch = new Watch(request, endpoint);
  try {
    const sent = send(endpoint, json, request.signal);
    // Loaded while the endpoint works; the await below throws if that fails.
    const reader = import("./_answer.ts");
    reader.catch(() => {});
    const response = watch.over(await sent, endpoint.url);
    // Browsers hide the status of a redirect.
    if (response.type === "opaqueredirect" || response.status >= 300 && response.status < 400) {
      throw redirectError(endpoint.url, response.headers.get("location"));
    }
    if (!response.ok) {
      watch.begin();
      watch.hurry(ERROR_BODY);
      throw await httpError(response, endpoint.url);
    }
    const { readAnswer } = await reader;
    yield* readAnswer(response, { signal: request.signal, watch, origin, onUsage });
  } finally {
    watch.stop();
    unlink();
    request.abort();
  }
}

async function send(endpoint: Endpoint, body: string, signal: AbortSignal): Promise<Response> {
  try {
    const response = endpoint.fetch(endpoint.url.href, {
      method: "POST",
      headers: endpoint.headers,
      body,
      // Not followed: it would take the key to another host, or turn the request into a GET.
      redirect: "manual",
      signal,
    });
    return await raceAbort(response, signal);
  } catch (error) {
    throw signal.aborted ? signal.reason : connectionError(endpoint.url, error);
  }
}

async function httpError(response: Response, url: URL): Promise<HttpError> {
  // The status says enough if the body can't be read.
  const text = await beginning(response).catch(() => "");
  return new HttpError(response.status, response.headers, text, url);
}
