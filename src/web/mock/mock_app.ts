import { type Context, Hono } from "hono";
import {
  chatApi,
  geminiApi,
  messagesApi,
  Mock,
  type MockOptions,
  type WireApi,
  wireApiAt,
} from "../../mock/mod.ts";
import { BodyError, type FetchApp, readBody } from "../http/mod.ts";
import { playScript } from "./play.ts";

/** Options of {@linkcode mockApp}. */
export interface MockAppOptions extends MockOptions {
  /**
   * The path that all endpoints begin with, such as `/mock`. Default: no such path, which is right
   * for Hono's `mount()`, too, as it takes its own path off.
   */
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
 * The mock LLM's endpoints: those of OpenAI's chat completions and Responses APIs, of Anthropic's
 * Messages API and of Gemini's API (docs/mock.md lists them), the models in the form of each, and
 * `GET /__mock/journal` for the requests so far, with `DELETE` to forget them. No key is needed.
 * Any other path is answered with 404 and an error body of the API that the request seems to speak.
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
  const { base = "" } = options;
  const app = new Hono().basePath(base);
  for (const root of base === "" ? ["/"] : ["", "/"]) app.get(root, describe);
  for (const folder of ["", "/v1", "/v1beta"]) {
    app.get(
      `${folder}/models`,
      (context) => Response.json(shapeOf(context, base).models(mock.models)),
    );
    app.get(`${folder}/models/:name{.+}`, async (context, next) => {
      // Gemini's methods have paths that begin like those of models.
      if (wireApiAt(context.req.path.slice(base.length)) !== undefined) return await next();
      return Response.json(shapeOf(context, base).model(context.req.param("name")));
    });
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
  app.post("*", async (context, next) => {
    const { raw, path } = context.req;
    const api = wireApiAt(path.slice(base.length));
    if (api === undefined) return await next();
    const script = mock.serve(api, {
      path,
      query: new URL(raw.url).search.slice(1),
      headers: raw.headers,
      body: await readBody(raw, mock.limits),
    });
    return await playScript(script, raw, options.signal);
  });
  app.notFound((context) => {
    const { method, path } = context.req;
    const api = wireApiAt(path.slice(base.length));
    const message = api === undefined
      ? `Invalid URL (${method} ${path})`
      : `Not allowed: ${method}; use POST`;
    const headers: Record<string, string> = api === undefined ? {} : { allow: "POST" };
    return refuse(shapeOf(context, base), api === undefined ? 404 : 405, message, headers);
  });
  app.onError((error, context) =>
    error instanceof BodyError
      ? refuse(shapeOf(context, base), error.status, error.message, error.headers)
      : refuse(shapeOf(context, base), 500, error.message)
  );
  return { mock, fetch: (request) => app.fetch(request) };
}

/** Says what is here: to people, and to clients that look whether anything is. */
function describe(context: Context): Response {
  return context.json({
    name: "llmcmd mock",
    endpoints: [
      "POST /v1/chat/completions",
      "POST /v1/responses",
      "POST /v1/messages",
      "POST /v1/messages/count_tokens",
      "POST /v1beta/models/MODEL:generateContent",
      "POST /v1beta/models/MODEL:streamGenerateContent?alt=sse",
      "POST /v1beta/models/MODEL:countTokens",
      "GET /v1/models",
      "GET /__mock/journal",
    ],
  });
}

/** The API in whose form a request without an answer of a scenario is answered. */
function shapeOf({ req }: Context, base: string): WireApi {
  const path = req.path.slice(base.length);
  const served = wireApiAt(path);
  if (served !== undefined) return served;
  if (path.startsWith("/v1beta/") || req.header("x-goog-api-key") !== undefined) return geminiApi;
  return req.header("anthropic-version") !== undefined ? messagesApi : chatApi;
}

/** An error that no scenario asks for. The code of a status would say too much here. */
function refuse(
  api: WireApi,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json(api.error({ message, code: null }, status), { status, headers });
}
