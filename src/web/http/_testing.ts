import type { FetchApp } from "./fetch_app.ts";

/** Sends a request to an app without a socket. */
export async function send(app: FetchApp, path: string, init?: RequestInit): Promise<Response> {
  return await app.fetch(new Request(`http://localhost${path}`, init));
}

/** Serves an app on a free port while `use` runs, which is called with the base URL. */
export async function serving(app: FetchApp, use: (url: string) => Promise<void>): Promise<void> {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => app.fetch(request),
  );
  try {
    await use(`http://127.0.0.1:${server.addr.port}`);
  } finally {
    await server.shutdown();
  }
}

/** Calls `check` every few milliseconds until it returns something. */
export async function eventually<T>(check: () => T | undefined): Promise<T> {
  for (let attempt = 0; attempt < 12_000; attempt++) {
    const value = check();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error("It did not happen within a minute");
}
