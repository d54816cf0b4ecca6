import { type Context, Hono } from "hono";
import { Grants, SessionError } from "../coder/mod.ts";
import { memoryEventBus } from "../store/mod.ts";
import { answerBody, ChatAsks } from "./chat_asks.ts";
import { chatBody, clearBody, isSessionName } from "./chat_body.ts";
import { BROWSER_COOKIE, browserOf, refuse } from "./chat_http.ts";
import { type ChatLimits, defaultChatLimits } from "./chat_limits.ts";
import type { ChatAppOptions } from "./chat_options.ts";
import { LiveOutput } from "./chat_live_output.ts";
import { OtherPrograms } from "./chat_others.ts";
import { ChatQueue } from "./chat_queue.ts";
import { type ChatRun, ChatRuns } from "./chat_runs.ts";
import { pageLine } from "./chat_records.ts";
import { SessionRoutes } from "./chat_session_routes.ts";
import { ChatSessions } from "./chat_sessions.ts";
import { ChatStates, type ListSource, shownWriter } from "./chat_states.ts";
import { ChatTitles } from "./chat_titles.ts";
import type { FetchApp } from "./fetch_app.ts";
import { BodyError } from "./http_body.ts";
import { chatPage, PAGE_FOLDER, pageFile } from "./page/page.ts";
import { RateLimit } from "./rate_limit.ts";
import {
  addSecurityHeaders,
  Security,
  SECURITY_HEADERS,
  strictCookie,
  tokenCookieName,
} from "./security.ts";
import { SSE_HEADERS } from "./sse_body.ts";

/** The chat as a server. */
export interface ChatApp extends FetchApp {
  /** Turns that run. */
  readonly running: number;
  /** Accepts no more turns, stops those that run, and waits until they have ended. */
  stop(): Promise<void>;
}

/**
 * The chat with the coding agent. docs/agent.md has its interface for users.
 *
 * - `GET /`: the page; `GET /page/:name`: its style sheets and modules.
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
  const chat = new Chat(options);
  const app = chat.routes();
  return {
    fetch: (request) => app.fetch(request),
    get running() {
      return chat.running;
    },
    stop: () => chat.stop(),
  };
}

interface TurnToStart {
  readonly session: string;
  readonly owner: string;
  readonly message: string;
  /** How many turns of the session stay. Default: all. */
  readonly after?: number | undefined;
}

class Chat {
  readonly #options: ChatAppOptions;
  readonly #limits: ChatLimits;
  readonly #security: Security;
  readonly #sessions: ChatSessions;
  readonly #runs: ChatRuns;
  readonly #rate: RateLimit;
  readonly #end = new AbortController();
  readonly #titles: ChatTitles;
  readonly #queue: ChatQueue;
  readonly #states: ChatStates;
  readonly #lists: ListSource;
  readonly #more: SessionRoutes;
  /** Sessions whose turn is being stopped for an operation, with the number of such operations. */
  readonly #halting: Map<string, number> = new Map();
  readonly #asks = new ChatAsks();
  /** What was allowed for sessions. */
  readonly #grants: Map<string, Grants> = new Map();
  /** The session that a browser without one is about to begin. */
  readonly #first: Map<string, string> = new Map();

  constructor(options: ChatAppOptions) {
    const { now = Date.now, bus = memoryEventBus() } = options;
    this.#options = options;
    this.#limits = { ...defaultChatLimits, ...options.limits };
    this.#security = new Security(options);
    this.#sessions = new ChatSessions(options.store, options.about, now, options.writers);
    this.#titles = new ChatTitles(this.#sessions, this.#end.signal, {
      ...options,
      onTitle: (session) => this.#states.changed(session),
    });
    this.#runs = new ChatRuns(bus, this.#limits);
    this.#queue = new ChatQueue(this.#sessions, (error) => options.onError?.(error));
    this.#states = new ChatStates(this.#runs, this.#queue, now());
    this.#lists = {
      list: async () => {
        const { listed, listedElsewhere } = this.#limits;
        const sessions = await this.#sessions.list(listed, listedElsewhere);
        return sessions.map((it) => this.#states.of(it));
      },
      get: async (id) => {
        const session = await this.#sessions.inList(id);
        return session === undefined ? undefined : this.#states.of(session);
      },
    };
    this.#states.lookWith(
      new OtherPrograms({
        pause: this.#limits.others,
        changes: () => options.store.changes(),
        list: () => this.#lists.list(),
        rewritten: (session) => this.#states.rewrittenElsewhere(session),
        changed: (session) => this.#states.changedElsewhere(session),
        onError: (error) => options.onError?.(error),
      }),
    );
    this.#more = new SessionRoutes({
      limits: this.#limits,
      sessions: this.#sessions,
      runs: this.#runs,
      queue: this.#queue,
      states: this.#states,
      lists: this.#lists,
      ended: this.#end.signal,
      startNext: (session) => this.#startNext(session),
    });
    this.#rate = new RateLimit(this.#limits.turnsPerMinute, 60_000, now);
  }

  get running(): number {
    return this.#runs.size;
  }

  async stop(): Promise<void> {
    this.#end.abort(new DOMException("The server ends", "AbortError"));
    this.#states.stop();
    await this.#runs.stopAll();
    await this.#titles.ended();
  }

  routes(): Hono {
    const app = new Hono();
    app.use(async (context, next) => {
      const url = new URL(context.req.url);
      const refusal = await this.#security.refusal(context.req.raw, url);
      if (refusal === undefined) await next();
      else context.res = refuse(refusal.status, refusal.message);
      addSecurityHeaders(context.res.headers);
    });
    app.get("/", (context) => this.#page(context));
    app.get(`${PAGE_FOLDER}:name`, (context) => this.#pageFile(context));
    app.get("/health", () => Response.json({ name: "llmcmd", status: "ok" }));
    app.post("/chat", (context) => this.#chat(context));
    app.post("/clear", (context) => this.#clear(context));
    app.get("/about", () => Response.json(this.#options.about));
    app.get("/events", () => this.#more.watch());
    app.get("/sessions", (context) => this.#list(context));
    app.post("/sessions", () => Response.json({ id: crypto.randomUUID() }, { status: 201 }));
    app.get("/sessions/:id", (context) => this.#show(context.req.param("id")));
    app.delete("/sessions/:id", (context) => this.#remove(context.req.param("id")));
    this.#more.addTo(app);
    app.get("/runs/:id", (context) => this.#showRun(context.req.param("id")));
    app.get("/runs/:id/events", (context) => this.#events(context));
    app.post("/runs/:id/stop", (context) => this.#stopRun(context.req.param("id")));
    app.post("/runs/:id/asks/:ask", (context) => this.#answer(context));
    app.notFound((context) => refuse(404, `There is no ${context.req.method} here; see GET /`));
    app.onError((error) => this.#failure(error));
    return app;
  }

  async #page(context: Context): Promise<Response> {
    const url = new URL(context.req.url);
    const pass = await this.#security.pass(url);
    const page = chatPage(pass?.key);
    const setCookie = (name: string, value: string) =>
      page.headers.append("set-cookie", strictCookie(name, value, url));
    if (pass !== undefined) setCookie(tokenCookieName(context.req.raw, url), pass.cookie);
    const { owner, isNew } = browserOf(context.req.raw);
    if (isNew) setCookie(BROWSER_COOKIE, owner);
    return page;
  }

  async #pageFile(context: Context): Promise<Response> {
    const name = context.req.param("name") ?? "";
    return await pageFile(name, context.req.header("if-none-match")) ??
      refuse(404, `The page has no file ${name}`);
  }

  async #chat(context: Context): Promise<Response> {
    const { message, session: named, after } = await chatBody(context.req.raw, this.#limits);
    const browser = browserOf(context.req.raw);
    const session = named ?? await this.#currentOrNew(browser.owner);
    const problem = await this.#sessions.problem(session);
    if (problem !== undefined) return this.#failure(problem);
    if (after !== undefined) {
      const turns = await this.#sessions.turns(session);
      if (after > turns) return refuse(409, `This session has ${turns} turns, not ${after}`);
    }
    if (this.#end.signal.aborted) return refuse(503, "The server is about to end");
    if (this.#runs.of(session) !== undefined) {
      return refuse(409, "Another turn of this session is running", { "retry-after": "2" });
    }
    if (this.#halting.has(session)) {
      return refuse(409, "This session is about to be cleared or deleted", { "retry-after": "2" });
    }
    const refusal = this.#overload();
    if (refusal !== undefined) {
      this.#first.delete(browser.owner);
      return refusal;
    }
    const owner = named === undefined || !browser.isNew ? browser.owner : "";
    const run = this.#start({ session, owner, message, after });
    const headers: Record<string, string> = {
      "x-run-id": run.id,
      "x-session-id": session,
      "x-session-version": String(this.#states.version(session)),
    };
    if (named === undefined && browser.isNew) {
      headers["set-cookie"] = strictCookie(BROWSER_COOKIE, owner, new URL(context.req.url));
    }
    return this.#stream(run.id, 0, headers);
  }

  /** Why no further turn can begin now, if so. */
  #overload(): Response | undefined {
    const { turns, turnsPerMinute } = this.#limits;
    if (this.#runs.size >= turns) {
      const message = `There are ${turns} turns running, which is the limit`;
      return refuse(503, message, { "retry-after": "5" });
    }
    const wait = this.#rate.take();
    if (wait === 0) return undefined;
    const message = `More than ${turnsPerMinute} turns were begun in a minute`;
    return refuse(429, message, { "retry-after": String(Math.ceil(wait / 1000)) });
  }

  #start({ session, owner, message, after }: TurnToStart): ChatRun {
    const { startTurn, onError = () => {} } = this.#options;
    let title: () => void = () => {};
    let release = () => Promise.resolve();
    let output: LiveOutput | undefined;
    const run = this.#runs.start({
      session,
      message,
      onError,
      begin: async (signal, show) => {
        const kept = await this.#sessions.open(session, owner, after);
        release = () => kept.release();
        const { messages, lines, titled, log } = kept;
        const live = output = new LiveOutput(this.#limits.liveOutput, show);
        const turn = startTurn({
          ...{ session, message, messages, log, signal },
          onOutput: (_, chunk) => live.add(chunk),
          ask: this.#asks.askerOf({
            run: () => run.id,
            show,
            waits: (waiting) => {
              this.#runs.setWaiting(run.id, waiting);
              this.#states.changed(session);
            },
          }),
          grants: this.#grantsOf(session),
        });
        if (!titled) title = () => this.#titles.make(session, turn.result);
        this.#states.changed(session);
        return { run: turn, lines };
      },
      keep: (event, shown) => {
        if (event.type === "tool_end") output?.end();
        // By then the session is kept, and has a name.
        if (event.type === "turn_start") this.#states.changed(session);
        const line = pageLine(event, shown);
        return line === undefined ? undefined : this.#sessions.keep(session, line).catch(onError);
      },
      finish: () => {
        output?.end();
        this.#first.delete(owner);
        if (this.#grants.get(session)?.empty === true) this.#grants.delete(session);
        title();
        return release();
      },
    });
    // A cut is a change of its own, beside that of the turn: the page counts with both.
    if (after !== undefined) this.#states.rewritten(session);
    this.#states.rewritten(session);
    run.ended.then((outcome) => {
      this.#states.ended(session, outcome);
      if (outcome === "done") this.#startNext(session);
    }).catch(onError);
    return run;
  }

  /** Begins a turn with the first message that waits in a session, if it can begin now. */
  #startNext(session: string): void {
    if (this.#end.signal.aborted || this.#halting.has(session)) return;
    if (this.#queue.of(session).length === 0 || this.#runs.of(session) !== undefined) return;
    if (this.#overload() !== undefined) return;
    const { message } = this.#queue.take(session) ?? {};
    // The session is there, and has an owner already.
    if (message !== undefined) this.#start({ session, owner: "", message });
  }

  #grantsOf(session: string): Grants {
    const grants = this.#grants.get(session) ?? new Grants();
    this.#grants.set(session, grants);
    return grants;
  }

  async #answer(context: Context): Promise<Response> {
    const answer = await answerBody(context.req.raw, this.#limits);
    const { id = "", ask = "" } = context.req.param();
    if (this.#asks.answer(id, ask, answer)) return Response.json({ status: "ok" });
    return refuse(404, "This needs no answer any more");
  }

  async #clear(context: Context): Promise<Response> {
    const { session: named } = await clearBody(context.req.raw, this.#limits);
    const session = named ?? await this.#sessions.latest(browserOf(context.req.raw).owner);
    if (session !== undefined) {
      await this.#halted(session, () => this.#sessions.clear(session));
      this.#states.rewritten(session);
    }
    return Response.json({ status: "ok" });
  }

  async #list(context: Context): Promise<Response> {
    const sessions = await this.#lists.list();
    const words = context.req.query("q")?.trim() ?? "";
    return words === ""
      ? Response.json({ sessions })
      : await this.#more.search(sessions, words, context.req.raw.signal);
  }

  async #show(id: string): Promise<Response> {
    const session = isSessionName(id) ? await this.#sessions.get(id) : undefined;
    if (session === undefined) return refuse(404, "There is no such session");
    const problem = (await this.#sessions.problem(id))?.problem;
    if (problem?.kind === "elsewhere") return this.#failure(new SessionError(problem));
    // The lines of the running turn are left out: they come with its events.
    const run = this.#runs.of(id);
    const version = this.#states.version(id);
    const view = await this.#sessions.view(id, this.#limits.items, run?.lines);
    return Response.json({
      id,
      title: session.title,
      version,
      ...view,
      queued: await this.#queue.read(id),
      writer: shownWriter(problem?.kind === "busy" ? problem.writer : undefined),
      run: run === undefined ? null : { id: run.id, message: run.message },
    });
  }

  async #remove(id: string): Promise<Response> {
    if (!isSessionName(id) || await this.#sessions.get(id) === undefined) {
      return refuse(404, "There is no such session");
    }
    await this.#halted(id, () => this.#sessions.remove(id));
    this.#queue.forget(id);
    this.#states.removed(id);
    return Response.json({ status: "ok" });
  }

  #events(context: Context): Response {
    const last = context.req.header("last-event-id") ?? "0";
    if (!/^\d{1,15}$/.test(last)) return refuse(400, "Last-Event-ID is not a number of an event");
    return this.#stream(context.req.param("id") ?? "", Number(last), {});
  }

  #showRun(id: string): Response {
    const run = this.#runs.get(id);
    if (run === undefined) return refuse(404, "There is no such turn, or it has ended");
    return Response.json({ id, session: run.session, message: run.message });
  }

  #stopRun(id: string): Response {
    const run = this.#runs.get(id);
    if (run === undefined) return refuse(404, "There is no such turn, or it has ended");
    run.stop();
    return Response.json({ status: "ok" });
  }

  #stream(run: string, after: number, headers: Record<string, string>): Response {
    const body = this.#runs.read(run, after);
    if (body === undefined) return refuse(404, "There is no such turn, or it is forgotten");
    if (body === "busy") {
      return refuse(429, "This turn has too many readers", { "retry-after": "5" });
    }
    return new Response(body, {
      headers: {
        ...SSE_HEADERS,
        "x-run-id": run,
        ...SECURITY_HEADERS,
        ...headers,
      },
    });
  }

  /** Stops the turn of a session, if one runs, and does something before another can begin. */
  async #halted(session: string, action: () => Promise<void>): Promise<void> {
    const count = (change: number) => {
      const left = (this.#halting.get(session) ?? 0) + change;
      if (left === 0) this.#halting.delete(session);
      else this.#halting.set(session, left);
    };
    count(+1);
    try {
      const run = this.#runs.of(session);
      run?.stop();
      await run?.ended;
      this.#grants.delete(session);
      await action();
    } finally {
      count(-1);
    }
  }

  /** If a browser sends its first two messages at the same time, both go to one session. */
  async #currentOrNew(owner: string): Promise<string> {
    const session = await this.#sessions.latest(owner) ?? this.#first.get(owner);
    if (session !== undefined) return session;
    const first = crypto.randomUUID();
    this.#first.set(owner, first);
    return first;
  }

  #failure(error: Error): Response {
    if (error instanceof BodyError) return refuse(error.status, error.message, error.headers);
    if (error instanceof SessionError) {
      return refuse(error.problem.kind === "missing" ? 404 : 409, error.message);
    }
    this.#options.onError?.(error);
    return refuse(500, "Something went wrong inside");
  }
}
