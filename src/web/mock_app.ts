import { type Context, Hono } from "hono";
import { chatApi, Mock, type MockOptions } from "../mock/mod.ts";
import type { FetchApp } from "./fetch_app.ts";
import { BodyError, readBody } from "./http_body.ts";
import { playScript } from "./_play.ts";

/** Options of {@linkcode mockApp}. */
export interface MockAppOptions extends MockOptions {
  /** The path that all endpoints begin with, such as `/mock`. Default: none. */
  base?: string;
  /** Ends every response that waits, hangs or stalls. Fire it before shutting the server down. */
  signal?: AbortSignal;
}

/** The mock LLM as a server. */
export interface MockApp extends FetchApp {
  /** The mock that answers, with its journal. */
  readonly mock: Mock;
}

/**
 * The mock LLM's endpoints: `POST /chat/completions`, `GET /models`, `GET /models/:id`, all of them
 * under `/v1` too; `GET /__mock/journal` for the requests so far and `DELETE` to forget them. No
 * key is needed. Any other path is answered with 404 and OpenAI's error body.
 *
 * @example
 * ```ts
 * import { parseScenarios } from "@llmcmd/llmcmd/mock";
 * import { mockApp } from "@llmcmd/llmcmd/web";
 *
 * const app = mockApp({
 *   scenarios: parseScenarios({
 *     scenarios: [{ name: "hi", trigger: "hello", steps: [{ response: { content: "Hi!" } }] }],
 *   }, "scenarios.json"),
 * });
 * const response = await app.fetch(
 *   new Request("http://localhost/v1/chat/completions", {
 *     method: "POST",
 *     body: JSON.stringify({ model: "any", messages: [{ role: "user", content: "hello" }] }),
 *   }),
 * );
 * const { choices } = await response.json();
 * if (choices[0].message.content !== "Hi!") throw new Error("unexpected");
 * ```
 */
export function mockApp(options: MockAppOptions): MockApp {
  const mock = new Mock(options);
  const app = new Hono().basePath(options.base ?? "");
  for (const base of ["", "/v1"]) {
    app.post(`${base}/chat/completions`, async (context) => {
      const { raw } = context.req;
      const script = mock.serve(chatApi, {
        path: context.req.path,
        headers: raw.headers,
        body: await readBody(raw, mock.limits),
      });
      return playScript(script, raw, options.signal);
    });
    app.get(
      `${base}/models`,
      (context) => context.json({ object: "list", data: mock.models.map(describeModel) }),
    );
    app.get(
      `${base}/models/:id{.+}`,
      (context) => context.json(describeModel(context.req.param("id"))),
    );
    app.all(
      `${base}/chat/completions`,
      (context) =>
        refuse(context, 405, `Not allowed: ${context.req.method}; use POST`, { allow: "POST" }),
    );
  }
  app.get("/__mock/journal", (context) => {
    const { journalEntries, journalCharacters } = mock.limits;
    const { total, entries } = mock.journal;
    return context.json({ limits: { journalEntries, journalCharacters }, total, entries });
  });
  app.delete("/__mock/journal", (context) => {
    mock.journal.clear();
    return context.body(null, 204);
  });
  app.notFound((context) =>
    refuse(context, 404, `Invalid URL (${context.req.method} ${context.req.path})`)
  );
  app.onError((error, context) =>
    error instanceof BodyError
      ? refuse(context, error.status, error.message, error.headers)
      : refuse(context, 500, error.message, {}, "server_error")
  );
  return { mock, fetch: (request) => app.fetch(request) };
}

function describeModel(id: string): object {
  return { id, object: "model", created: 0, owned_by: "mock" };
}

function refuse(
  context: Context,
  status: 400 | 404 | 405 | 408 | 413 | 500,
  message: string,
  headers: Record<string, string> = {},
  type = "invalid_request_error",
): Response {
  return context.json({ error: { message, type, code: null, param: null } }, status, headers);
}
