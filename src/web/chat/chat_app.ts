import { Hono } from "hono";
import { getPath } from "hono/utils/url";
import { ChatEngine } from "../../chat/mod.ts";
import { addSecurityHeaders, basePath, type FetchApp, pathBelow, Security } from "../http/mod.ts";
import { SHARED_FOLDER } from "../page/mod.ts";
import { defaultChatLimits } from "./limits.ts";
import type { ChatAppOptions } from "./options.ts";
import { PageHandlers } from "./page_handlers.ts";
import { PAGE_FOLDER } from "./page/page.ts";
import { refusalFor, refuse } from "./refusal.ts";
import { SessionHandlers } from "./session_handlers.ts";
import { TurnHandlers } from "./turn_handlers.ts";

/** The chat as a server. */
export interface ChatApp extends FetchApp {
  /** The number of running turns. */
  readonly running: number;
  /** Accepts no more turns, stops those that run, and waits until they have ended. */
  stop(): Promise<void>;
}

/**
 * The chat with the coding agent. docs/agent.md has its interface for users.
 *
 * - `GET /`: the page; `GET /chat/page/:name`, `GET /page/:name`: its style sheets and modules.
 * - `POST /chat` `{message, session?, after?}`: one turn, as server-sent events. `text` `{content}`,
 *   `tool` `{name, input}` and at last `done` `{}`; also `tool_output`, `tool_result`, `usage`,
 *   `warning`, `error` and `gap`, which has the number of events that the reader missed. The headers
 *   `X-Run-Id` and `X-Session-Id` name turn and session. 409 while another turn of the session runs.
 *   With `after`, only so many turns of the session stay, and this one comes after them.
 * - `POST /clear` `{session?}`: forgets the conversation; `{"status":"ok"}`.
 * - `GET /runs/:id`: the session of a turn that runs, and what the user said.
 * - `GET /runs/:id/events`: the events of a turn after `Last-Event-ID`, then live.
 * - `POST /runs/:id/stop`: stops a turn.
 * - `POST /runs/:id/asks/:ask` `{answer}`: answers the event `ask` of a turn with `once`, `session` or
 *   `no`; 404 when it needs no answer any more.
 * - `GET /sessions`, `POST /sessions`, `GET /sessions/:id`, `DELETE /sessions/:id`: those of the
 *   browser. `GET /sessions?q=WORDS`: those in which all the words occur together.
 *   `PATCH /sessions/:id` `{title}`; `GET /sessions/:id/export`: as Markdown.
 * - `GET /events`: the browser's sessions as events, `sessions` first, then `session` with each that
 *   changes and `removed`.
 * - `POST /sessions/:id/queue` `{message}`: says it when the turn that runs is done. If that fails or
 *   is stopped, messages wait. `GET /sessions/:id/queue`; `DELETE /sessions/:id/queue/:message`: takes
 *   one back.
 * - `GET /about`: folder, model and sandbox. `GET /health`: whether it is there.
 *
 * A browser is recognised by a cookie; its session is the one used last. A client that names a
 * session in the body needs no cookie. Whoever knows a session's name can use it, so names must be
 * hard to guess, as those made here are.
 *
 * A turn goes on to its end when its readers leave, unless a limit says for how long.
 *
 * @example
 * ```ts
 * import { Registry, runAgent } from "@llmcmd/llmcmd/agent";
 * import { memorySessionStore } from "@llmcmd/llmcmd/store";
 * import { chatApp } from "@llmcmd/llmcmd/web";
 *
 * const client = {
 *   stream: () =>
 *     ReadableStream.from([
 *       { type: "text" as const, content: "Hi!" },
 *       { type: "finish" as const, reason: "stop" as const },
 *     ]),
 * };
 * const app = chatApp({
 *   store: memorySessionStore(),
 *   about: { root: "/work", model: "any" },
 *   startTurn: ({ messages, message, signal }) =>
 *     runAgent({
 *       client,
 *       model: "any",
 *       messages: [...messages, { role: "user", content: message }],
 *       tools: new Registry([]),
 *       signal,
 *     }),
 * });
 * const response = await app.fetch(
 *   new Request("http://localhost/chat", {
 *     method: "POST",
 *     headers: { "content-type": "application/json" },
 *     body: JSON.stringify({ message: "hello" }),
 *   }),
 * );
 * const events = await response.text();
 * const expected = 'event: text\nid: 1\ndata: {"content":"Hi!"}\n\nevent: done\nid: 2\ndata: {}\n\n';
 * if (events !== expected) throw new Error(events);
 * ```
 */
export function chatApp(options: ChatAppOptions): ChatApp {
  const base = basePath(options.base ?? "");
  const security = new Security(options);
  const engine = new ChatEngine(options);
  const parts = { engine, base, limits: { ...defaultChatLimits, ...options.limits } };
  const pages = new PageHandlers(security, base);
  const turns = new TurnHandlers(parts);
  const sessions = new SessionHandlers(parts);
  const app = new Hono({ getPath: (request) => pathBelow(base, getPath(request)) });
  app.use(async (context, next) => {
    const { raw, url, path } = context.req;
    const refusal = await security.refusal(raw, new URL(url), path);
    if (refusal === undefined) await next();
    else context.res = refuse(refusal.status, refusal.message);
    addSecurityHeaders(context.res.headers);
  });
  app.get("/", (context) => pages.page(context));
  app.get(`${PAGE_FOLDER}:name`, (context) => pages.file(context));
  app.get(`${SHARED_FOLDER}:name`, (context) => pages.sharedFile(context));
  app.get("/health", () => Response.json({ name: "llmcmd", status: "ok" }));
  app.get("/about", () => Response.json(options.about));
  app.post("/chat", (context) => turns.begin(context));
  app.post("/clear", (context) => turns.clear(context));
  app.get("/runs/:id", (context) => turns.show(context));
  app.get("/runs/:id/events", (context) => turns.events(context));
  app.post("/runs/:id/stop", (context) => turns.stop(context));
  app.post("/runs/:id/asks/:ask", (context) => turns.answer(context));
  app.get("/events", () => sessions.watch());
  app.get("/sessions", (context) => sessions.list(context));
  app.post("/sessions", () => sessions.create());
  app.get("/sessions/:id", (context) => sessions.show(context));
  app.patch("/sessions/:id", (context) => sessions.rename(context));
  app.delete("/sessions/:id", (context) => sessions.remove(context));
  app.get("/sessions/:id/export", (context) => sessions.export(context));
  app.get("/sessions/:id/queue", (context) => sessions.queued(context));
  app.post("/sessions/:id/queue", (context) => sessions.enqueue(context));
  app.delete("/sessions/:id/queue/:message", (context) => sessions.takeBack(context));
  app.notFound((context) => refuse(404, `There is no ${context.req.method} here; see GET /`));
  app.onError((error) => {
    const refusal = refusalFor(error);
    if (refusal === undefined) options.onError?.(error);
    return refusal ?? refuse(500, "Something went wrong inside");
  });
  return {
    fetch: (request) => app.fetch(request),
    get running() {
      return engine.running;
    },
    stop: () => engine.stop(),
  };
}
