import type { Context, Hono } from "hono";
import { isSessionName, queueBody, titleBody } from "./chat_body.ts";
import { exportedChat } from "./chat_export.ts";
import { refuse } from "./chat_http.ts";
import type { ChatLimits } from "./chat_limits.ts";
import type { ChatQueue } from "./chat_queue.ts";
import type { ChatRuns } from "./chat_runs.ts";
import { searchChats } from "./chat_search.ts";
import type { ChatSessions } from "./chat_sessions.ts";
import type { ChatStates, ListedSession, ListSource } from "./chat_states.ts";
import { SECURITY_HEADERS } from "./security.ts";
import { SSE_HEADERS, sseBody } from "./sse_body.ts";

/** What {@linkcode SessionRoutes} work with. */
export interface SessionParts {
  readonly limits: ChatLimits;
  readonly sessions: ChatSessions;
  readonly runs: ChatRuns;
  readonly queue: ChatQueue;
  readonly states: ChatStates;
  readonly lists: ListSource;
  /** Fires when the server ends. */
  readonly ended: AbortSignal;
  /** Begins a turn with the first message that waits, if it can begin now. */
  startNext(session: string): void;
}

/** What can be done with sessions besides turns: watch, search, rename, export, queue messages. */
export class SessionRoutes {
  readonly #parts: SessionParts;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /** Adds the routes that are about one session. */
  addTo(app: Hono): void {
    app.patch("/sessions/:id", (context) => this.#rename(context));
    app.get("/sessions/:id/export", (context) => this.#export(context));
    app.get("/sessions/:id/queue", (context) => this.#queued(context));
    app.post("/sessions/:id/queue", (context) => this.#enqueue(context));
    app.delete("/sessions/:id/queue/:message", (context) => this.#takeBack(context));
  }

  /** `GET /events` */
  watch(): Response {
    const { limits, ended, states, lists } = this.#parts;
    const { watchers } = limits;
    if (ended.aborted) return refuse(503, "The server is about to end");
    if (states.watchers >= watchers) {
      const message = `There are ${watchers} readers of lists, which is the limit`;
      return refuse(429, message, { "retry-after": "30" });
    }
    const events = states.watch(lists);
    const headers = { ...SSE_HEADERS, ...SECURITY_HEADERS };
    return new Response(sseBody(events, limits), { headers });
  }

  /** `GET /sessions?q=WORDS` */
  async search(
    sessions: readonly ListedSession[],
    words: string,
    signal: AbortSignal,
  ): Promise<Response> {
    const lines = (id: string) => this.#parts.sessions.lines(id);
    return Response.json(await searchChats(sessions, words, lines, signal));
  }

  async #rename(context: Context): Promise<Response> {
    const { sessions, states, limits } = this.#parts;
    const title = await titleBody(context.req.raw, limits);
    const id = await this.#known(context);
    if (id === undefined) return noSession();
    const problem = await sessions.problem(id);
    if (problem !== undefined) return refuse(409, problem.message);
    await sessions.rename(id, title);
    states.changed(id);
    return Response.json({ title });
  }

  async #export(context: Context): Promise<Response> {
    const { sessions } = this.#parts;
    const id = await this.#known(context);
    const session = id === undefined ? undefined : await sessions.get(id);
    if (session === undefined) return noSession();
    const problem = await sessions.problem(session.id);
    if (problem?.problem.kind === "elsewhere") return refuse(409, problem.message);
    return exportedChat(session, await sessions.items(session.id));
  }

  async #queued(context: Context): Promise<Response> {
    const id = await this.#known(context);
    if (id === undefined) return noSession();
    return Response.json({ queued: await this.#parts.queue.read(id) });
  }

  async #enqueue(context: Context): Promise<Response> {
    const { limits, sessions, queue, states, ended, startNext } = this.#parts;
    const message = await queueBody(context.req.raw, limits);
    if (ended.aborted) return refuse(503, "The server is about to end");
    const id = await this.#known(context);
    if (id === undefined) return noSession();
    const problem = await sessions.problem(id);
    if (problem !== undefined) return refuse(409, problem.message);
    const { queued } = limits;
    if ((await queue.read(id)).length >= queued) {
      const why = `There are ${queued} messages waiting, which is the limit: take one back`;
      return refuse(429, why);
    }
    const added = await queue.add(id, message);
    states.changed(id);
    // The turn may have ended meanwhile.
    if (queue.of(id)[0]?.id === added.id) startNext(id);
    return Response.json({ id: added.id }, { status: 202 });
  }

  async #takeBack(context: Context): Promise<Response> {
    const { queue, states } = this.#parts;
    const id = await this.#known(context);
    if (id === undefined) return noSession();
    await queue.read(id);
    const taken = queue.take(id, context.req.param("message"));
    if (taken === undefined) return refuse(404, "There is no such message, or it was sent already");
    states.changed(id);
    return Response.json(taken);
  }

  /** The session that a request is about, if there is one of that name, or it is about to be. */
  async #known(context: Context): Promise<string | undefined> {
    const { sessions, runs } = this.#parts;
    const id = context.req.param("id") ?? "";
    if (!isSessionName(id)) return undefined;
    return runs.of(id) !== undefined || await sessions.get(id) !== undefined ? id : undefined;
  }
}

function noSession(): Response {
  return refuse(404, "There is no such session");
}
