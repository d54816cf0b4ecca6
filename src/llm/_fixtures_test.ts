import type { ChatClient, ChatDelta, StreamOptions } from "./client.ts";
import type { Clock } from "./clock.ts";

/** A clock that does not wait: sleeping moves it on. */
export class FakeClock implements Clock {
  /** What was slept, in order. */
  readonly slept: number[] = [];
  constructor(public time = 1_000_000) {}
  now(): number {
    return this.time;
  }
  sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.slept.push(milliseconds);
    this.time += milliseconds;
    return Promise.resolve();
  }
}

/** One request that a fake fetch saw. */
export interface Seen {
  url: string;
  init: RequestInit;
  body: Record<string, unknown>;
}

/** A fetch that gives these answers, one a request, and keeps the requests. */
export function fakeFetch(...answers: (Response | Error | ((seen: Seen) => Response))[]): {
  fetch: (input: string, init: RequestInit) => Promise<Response>;
  seen: Seen[];
} {
  const seen: Seen[] = [];
  return {
    seen,
    // deno-lint-ignore require-await -- what it throws must be a rejection
    fetch: async (url, init) => {
      const request = { url, init, body: JSON.parse(String(init.body)) };
      seen.push(request);
      const answer = answers[seen.length - 1];
      if (answer === undefined) throw new Error(`No answer for request ${seen.length}`);
      if (answer instanceof Error) throw answer;
      return typeof answer === "function" ? answer(request) : answer;
    },
  };
}

/** An event stream of these texts, as they are. */
export function events(...parts: string[]): Response {
  return new Response(parts.join(""), { headers: { "content-type": "text/event-stream" } });
}

/** The events of chunks, with `[DONE]` at the end. */
export function sse(...chunks: unknown[]): Response {
  return events(...chunks.map(event), "data: [DONE]\n\n");
}

/** One event. */
export function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

/** A chunk with this delta. */
export function chunk(delta: unknown, finish: string | null = null): unknown {
  return { choices: [{ index: 0, delta, finish_reason: finish }] };
}

/** A whole small answer. */
export function hello(): Response {
  return sse(chunk({ role: "assistant", content: "Hel" }), chunk({ content: "lo" }, "stop"));
}

/** An error answer as OpenAI makes it. */
export function failure(
  status: number,
  error: unknown = { message: `Status ${status}`, type: "t", code: null, param: null },
  headers: Record<string, string> = {},
): Response {
  return Response.json({ error }, { status, headers });
}

/** Everything a client answers, and how it ended. */
export async function ask(
  client: ChatClient,
  options: Partial<StreamOptions> = {},
  request: Parameters<ChatClient["stream"]>[0] = { model: "m", messages: [] },
): Promise<{ deltas: ChatDelta[]; error?: unknown }> {
  const deltas: ChatDelta[] = [];
  try {
    const { signal = new AbortController().signal, ...others } = options;
    for await (const delta of client.stream(request, { signal, ...others })) deltas.push(delta);
    return { deltas };
  } catch (error) {
    return { deltas, error };
  }
}
