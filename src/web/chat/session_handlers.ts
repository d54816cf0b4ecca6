import type { Context } from "hono";
import { SECURITY_HEADERS, SSE_HEADERS, sseBody } from "../http/mod.ts";
import { queueBody, titleBody } from "./bodies.ts";
import { listEvents } from "./event_bodies.ts";
import type { ChatParts } from "./turn_handlers.ts";

/** Handlers of the routes that list, show and change sessions and their queues. */
export class SessionHandlers {
  readonly #parts: ChatParts;

  constructor(parts: ChatParts) {
    this.#parts = parts;
  }

  /** `GET /events` */
  watch(): Response {
    const { engine, limits } = this.#parts;
    const headers = { ...SSE_HEADERS, ...SECURITY_HEADERS };
    return new Response(sseBody(listEvents(engine.watch()), limits), { headers });
  }

  /** `GET /sessions` and `GET /sessions?q=WORDS` */
  async list({ req }: Context): Promise<Response> {
    const { engine } = this.#parts;
    const words = req.query("q")?.trim() ?? "";
    return Response.json(
      words === "" ? { sessions: await engine.list() } : await engine.search(words, req.raw.signal),
    );
  }

  /** `POST /sessions` */
  create(): Response {
    return Response.json({ id: crypto.randomUUID() }, { status: 201 });
  }

  /** `GET /sessions/:id` */
  async show(context: Context): Promise<Response> {
    return Response.json(await this.#parts.engine.show(idOf(context)));
  }

  /** `DELETE /sessions/:id` */
  async remove(context: Context): Promise<Response> {
    await this.#parts.engine.remove(idOf(context));
    return Response.json({ status: "ok" });
  }

  /** `PATCH /sessions/:id` */
  async rename(context: Context): Promise<Response> {
    const { engine, limits } = this.#parts;
    const title = await titleBody(context.req.raw, limits);
    await engine.rename(idOf(context), title);
    return Response.json({ title });
  }

  /** `GET /sessions/:id/export` */
  async export(context: Context): Promise<Response> {
    const { fileName, markdown } = await this.#parts.engine.export(idOf(context));
    return new Response(markdown, {
      headers: {
        "content-type": "text/markdown; charset=utf-8",
        "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`,
      },
    });
  }

  /** `GET /sessions/:id/queue` */
  async queued(context: Context): Promise<Response> {
    return Response.json({ queued: await this.#parts.engine.queued(idOf(context)) });
  }

  /** `POST /sessions/:id/queue` */
  async enqueue(context: Context): Promise<Response> {
    const { engine, limits } = this.#parts;
    const message = await queueBody(context.req.raw, limits);
    const { id } = await engine.enqueue(idOf(context), message);
    return Response.json({ id }, { status: 202 });
  }

  /** `DELETE /sessions/:id/queue/:message` */
  async takeBack(context: Context): Promise<Response> {
    const message = context.req.param("message") ?? "";
    return Response.json(await this.#parts.engine.takeBack(idOf(context), message));
  }
}

function idOf({ req }: Context): string {
  return req.param("id") ?? "";
}
