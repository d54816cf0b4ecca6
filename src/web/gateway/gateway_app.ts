import { type Context, Hono } from "hono";
import { getPath } from "hono/utils/url";
import * as z from "zod";
import {
  type CliAgentEvent,
  type Gateway,
  hashKey,
  matchesKey,
  type ModelStatus,
} from "../../cliagent/mod.ts";
import { linkAbort } from "../../streams/mod.ts";
import {
  addSecurityHeaders,
  basePath,
  bearerOf,
  type BodyLimits,
  type FetchApp,
  parseBody,
  pathBelow,
  readBody,
  Security,
  SSE_HEADERS,
} from "../http/mod.ts";
import { completion, completionStream } from "./completion.ts";
import { gatewayPage, gatewayPageFile } from "./page/page.ts";
import { HttpError, refuse } from "./refusal.ts";

/** Options of {@linkcode gatewayApp}. */
export interface GatewayAppOptions {
  /** The gateway that runs the CLIs. */
  readonly gateway: Gateway;
  /**
   * The key that opens everything. A key that a model's entry names in `apiKeys` opens that model.
   */
  readonly key: string;
  /** Names in the `Host` header besides those of the loopback interface; `"any"` for all. */
  readonly hosts?: readonly string[] | "any" | undefined;
  /** Size and time of a request's body. Default 10 MiB in 60 s. */
  readonly limits?: Partial<BodyLimits> | undefined;
  /** Milliseconds of silence in a stream after which a comment is sent. Default 15,000. */
  readonly keepAlive?: number | undefined;
  /**
   * The path that it is mounted at, such as `/llm`. Requests may come with the whole path, or without
   * this part of it, as Hono's `mount()` passes them on. Default: none.
   */
  readonly base?: string | undefined;
  /** The time in milliseconds since the epoch. Default: the system's. */
  readonly now?: (() => number) | undefined;
}

/** The caller of a request, by its key. */
interface Caller {
  readonly key: string;
  readonly identity: string;
  readonly isOwner: boolean;
}

const requestSchema = z.object({
  model: z.string(),
  // Checked by the builder of the prompt.
  messages: z.unknown().optional(),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  metadata: z.object({ conversation: z.string().min(1).max(200).optional() }).nullish(),
});

/**
 * The gateway's endpoints, for any client of OpenAI's API:
 *
 * - `POST /v1/chat/completions`, streamed or whole; `X-Run-Id` names the run
 * - `GET /v1/models`, `/v1/models/:name`
 * - `GET /v1/runs`, `/v1/runs/:id`, `/v1/runs/:id/patch`, `POST /v1/runs/:id/cancel`: for the
 *   gateway's own key only
 * - `GET /healthz`, and the page at `/` and `/gateway` with its files, without a key
 *
 * Everything else takes `Authorization: Bearer KEY`. Failures are OpenAI's error bodies; those that
 * come after the first byte of a stream are its last event.
 */
export function gatewayApp(options: GatewayAppOptions): FetchApp {
  const { gateway, hosts, keepAlive = 15_000, now = Date.now } = options;
  const limits = { bodyBytes: 10 * 1024 ** 2, bodyTime: 60_000, ...options.limits };
  const security = new Security({ hosts });
  const ownHash = hashKey(options.key);

  async function callerOf(request: Request): Promise<Caller> {
    const key = bearerOf(request.headers);
    if (key !== undefined) {
      const isOwner = await matchesKey(key, [await ownHash]);
      if (isOwner || await gateway.knowsKey(key)) {
        return { key, isOwner, identity: isOwner ? "owner" : await hashKey(key) };
      }
    }
    throw new HttpError(401, "The key is missing or wrong: send Authorization: Bearer KEY", "key");
  }

  async function owner(request: Request): Promise<void> {
    if (!(await callerOf(request)).isOwner) {
      throw new HttpError(403, "This takes the gateway's own key", "permission_denied");
    }
  }

  const base = basePath(options.base ?? "");
  const app = new Hono({ getPath: (request) => pathBelow(base, getPath(request)) });
  app.get("/healthz", (context) => context.json({ status: "ok" }));
  app.post("/v1/chat/completions", async ({ req: { raw } }) => {
    const caller = await callerOf(raw);
    const { model, messages, stream, stream_options, metadata } = parseBody(
      requestSchema,
      await readBody(raw, limits),
    );
    const { key, identity, isOwner } = caller;
    const stop = new AbortController();
    const unlink = linkAbort(raw.signal, stop);
    const run = gateway.call({
      model,
      messages,
      conversation: metadata?.conversation,
      identity,
      // The own key opens every model, also those with keys of their own.
      ...(isOwner ? { owner: true } : { key }),
    }, stop.signal);
    const headers = { "x-run-id": run.id };
    const head = { id: `cmpl-${run.id}`, model, created: Math.floor(now() / 1000) };
    const events = run.events.getReader();
    try {
      if (stream !== true) return Response.json(await whole(events, head), { headers });
      // A call that can't begin is refused with a status.
      await events.read();
      const body = completionStream(head, events, {
        includeUsage: stream_options?.include_usage === true,
        keepAlive,
      });
      return new Response(body, {
        headers: {
          ...headers,
          ...SSE_HEADERS,
        },
      });
    } catch (error) {
      return refuse(error, headers);
    } finally {
      // From here on, a client that leaves cancels the body.
      unlink();
    }
  });
  app.get("/v1/models", async ({ req: { raw } }) => {
    const { key, isOwner } = await callerOf(raw);
    const models = await gateway.models(isOwner ? { owner: true } : { key });
    return Response.json({ object: "list", data: models.map(modelOf) });
  });
  app.get("/v1/models/:name{.+}", async ({ req }) => {
    const { key, isOwner } = await callerOf(req.raw);
    const models = await gateway.models(isOwner ? { owner: true } : { key });
    const found = models.find(({ entry }) => entry.name === req.param("name"));
    if (found === undefined) throw new HttpError(404, "Unknown model", "model_not_found");
    return Response.json(modelOf(found));
  });
  app.get("/v1/runs", async ({ req: { raw } }) => {
    await owner(raw);
    return Response.json({ object: "list", data: gateway.runs(100) });
  });
  app.get("/v1/runs/:id", async (context) => {
    await owner(context.req.raw);
    return Response.json(gateway.run(context.req.param("id")) ?? noSuch("run"));
  });
  app.get("/v1/runs/:id/patch", async (context) => {
    await owner(context.req.raw);
    const patch = await gateway.patch(context.req.param("id")) ?? noSuch("patch");
    return new Response(patch, { headers: { "content-type": "text/x-diff; charset=utf-8" } });
  });
  app.post("/v1/runs/:id/cancel", async (context) => {
    await owner(context.req.raw);
    const id = context.req.param("id");
    if (!await gateway.cancel(id)) noSuch("run that goes on");
    return Response.json(gateway.run(id) ?? { id, state: "cancelled" });
  });
  app.all("/v1/chat/completions", ({ req: { method } }) => {
    throw new HttpError(405, `Not allowed: ${method}; use POST`, "method_not_allowed");
  });
  app.get("/", () => gatewayPage(base));
  app.get("/gateway", () => gatewayPage(base));
  const file = async ({ req }: Context) =>
    await gatewayPageFile(req.path, req.header("if-none-match")) ?? noSuch("file of the page");
  app.get("/page/:name", file);
  app.get("/gateway/page/:name", file);
  app.notFound(({ req: { method, raw } }) =>
    refuse(new HttpError(404, `Invalid URL (${method} ${getPath(raw)})`, "not_found"))
  );
  app.onError((error) => refuse(error));
  return {
    async fetch(request) {
      const refusal = await security.refusal(request, new URL(request.url));
      const response = refusal === undefined
        ? await app.fetch(request)
        : refuse(new HttpError(refusal.status, refusal.message, "refused"));
      addSecurityHeaders(response.headers);
      return response;
    },
  };
}

/** A model in the API's form, with the numbers of calls that run and wait. */
function modelOf({ entry, ...counts }: ModelStatus): Record<string, unknown> {
  return { id: entry.name, object: "model", created: 0, owned_by: entry.driver, ...counts };
}

/** The answer when it is complete. */
async function whole(
  events: ReadableStreamDefaultReader<CliAgentEvent>,
  head: Parameters<typeof completion>[0],
): Promise<unknown> {
  let answer: (CliAgentEvent & { type: "answer" }) | undefined;
  for (let next = await events.read(); !next.done; next = await events.read()) {
    if (next.value.type === "answer") answer = next.value;
  }
  if (answer === undefined) throw new Error("The run ended without an answer");
  return completion(head, answer.text, answer.usage);
}

function noSuch(what: string): never {
  throw new HttpError(404, `There is no such ${what}`, "not_found");
}
