import type { Context } from "hono";
import type { ChatEngine } from "../../chat/mod.ts";
import { SECURITY_HEADERS, SSE_HEADERS, sseBody, strictCookie } from "../http/mod.ts";
import { answerBody, chatBody, clearBody } from "./bodies.ts";
import { BROWSER_COOKIE, browserOf } from "./browser.ts";
import { turnEvents } from "./event_bodies.ts";
import type { ChatLimits } from "./limits.ts";
import { refuse } from "./refusal.ts";

/** The parts that the handlers of {@linkcode chatApp} work with. */
export interface ChatParts {
  readonly engine: ChatEngine;
  readonly limits: ChatLimits;
  /** The path that the app is mounted at. */
  readonly base: string;
}

/** Handlers of the routes that begin, follow and stop turns. */
export class TurnHandlers {
  readonly #parts: ChatParts;

  constructor(parts: ChatParts) {
    this.#parts = parts;
  }

  /** `POST /chat` */
  async begin({ req: { raw, url } }: Context): Promise<Response> {
    const { engine, limits, base } = this.#parts;
    const { message, session, after } = await chatBody(raw, limits);
    const browser = browserOf(raw);
    const named = session !== undefined;
    // A client that names sessions and sends no cookie owns none.
    const owner = named && browser.isNew ? "" : browser.owner;
    const run = await engine.begin({ session, owner, message, after });
    const headers: Record<string, string> = {
      "x-session-id": run.session,
      "x-session-version": String(engine.version(run.session)),
    };
    if (!named && browser.isNew) {
      headers["set-cookie"] = strictCookie(BROWSER_COOKIE, owner, new URL(url), base);
    }
    return this.#stream(run.id, 0, headers);
  }

  /** `POST /clear` */
  async clear({ req: { raw } }: Context): Promise<Response> {
    const { engine, limits } = this.#parts;
    await engine.clear(await clearBody(raw, limits), browserOf(raw).owner);
    return Response.json({ status: "ok" });
  }

  /** `GET /runs/:id` */
  show({ req }: Context): Response {
    const { id, session, message } = this.#parts.engine.run(req.param("id") ?? "");
    return Response.json({ id, session, message });
  }

  /** `GET /runs/:id/events` */
  events({ req }: Context): Response {
    const last = req.header("last-event-id") ?? "0";
    if (!/^\d{1,15}$/.test(last)) return refuse(400, "Last-Event-ID is not a number of an event");
    return this.#stream(req.param("id") ?? "", Number(last), {});
  }

  /** `POST /runs/:id/stop` */
  stop({ req }: Context): Response {
    this.#parts.engine.run(req.param("id") ?? "").stop();
    return Response.json({ status: "ok" });
  }

  /** `POST /runs/:id/asks/:ask` */
  async answer({ req }: Context): Promise<Response> {
    const { engine, limits } = this.#parts;
    const answer = await answerBody(req.raw, limits);
    engine.answer(req.param("id") ?? "", req.param("ask") ?? "", answer);
    return Response.json({ status: "ok" });
  }

  #stream(run: string, after: number, headers: Record<string, string>): Response {
    const { engine, limits } = this.#parts;
    return new Response(sseBody(turnEvents(engine.read(run, after)), limits), {
      headers: { ...SSE_HEADERS, "x-run-id": run, ...SECURITY_HEADERS, ...headers },
    });
  }
}
