import { Hono } from "hono";
import type { FetchApp } from "../http/mod.ts";

/** An app and the path where it is mounted. */
export interface Mount {
  /** The path that all its paths begin with, such as `/mock`. */
  path: string;
  /** A description for people. */
  about: string;
  /** The app. It gets the whole path, so its own `base` must be the same path. */
  app: FetchApp;
}

/**
 * Joins apps into one: `GET /` lists the mounted apps, `GET /health` says that the server runs.
 * Everything else is 404.
 *
 * @example
 * ```ts
 * import { serverApp } from "@llmcmd/llmcmd/web";
 *
 * const hello = { fetch: (request: Request) => new Response(new URL(request.url).pathname) };
 * const server = serverApp([{ path: "/hello", about: "Says its path", app: hello }]);
 * const response = await server.fetch(new Request("http://localhost/hello/world"));
 * if (await response.text() !== "/hello/world") throw new Error("unexpected");
 * ```
 */
export function serverApp(mounts: readonly Mount[]): FetchApp {
  const app = new Hono();
  const listed = Object.fromEntries(mounts.map(({ path, about }) => [path, about]));
  app.get("/", (context) => context.json({ name: "llmcmd", mounts: listed }));
  app.get("/health", (context) => context.json({ status: "ok", mounts: Object.keys(listed) }));
  for (const { path, app: mounted } of mounts) {
    // The request is passed on as it is: copying it would read its signal, which Deno warns about.
    app.mount(path, (request) => mounted.fetch(request), { replaceRequest: false });
  }
  app.notFound((context) =>
    context.json({ error: { message: `Nothing at ${context.req.path}; see GET /` } }, 404)
  );
  return { fetch: (request) => app.fetch(request) };
}
