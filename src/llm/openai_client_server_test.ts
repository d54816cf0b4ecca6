import assert from "node:assert/strict";
import { ask, chunk, event, failure, FakeClock } from "./_fixtures_test.ts";
import { LlmError } from "./errors.ts";
import { openaiClient, type OpenAIClientOptions } from "./openai_client.ts";
import { Quota } from "./quota.ts";

/** Runs `use` against a server, which must have lost all its connections when it is done. */
async function withServer(
  handler: (request: Request, attempt: number) => Response | Promise<Response>,
  use: (setUp: {
    client: (more?: Partial<OpenAIClientOptions>) => ReturnType<typeof openaiClient>;
    base: string;
    attempts: () => number;
  }) => Promise<void>,
): Promise<void> {
  let attempts = 0;
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => handler(request, ++attempts),
  );
  const base = `http://127.0.0.1:${server.addr.port}`;
  const client = (more: Partial<OpenAIClientOptions> = {}) =>
    openaiClient({
      apiKey: "sk-secret",
      baseUrl: base,
      clock: new FakeClock(),
      random: () => 0,
      ...more,
    });
  try {
    await use({ client, base, attempts: () => attempts });
  } finally {
    await server.shutdown();
  }
}

const encoder = new TextEncoder();

/** A body of these parts that then hangs, and says when its reader left. */
function hanging(...parts: string[]): { response: Response; left: Promise<void> } {
  let leave = () => {};
  const left = new Promise<void>((resolve) => leave = resolve);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(encoder.encode(part));
    },
    cancel: () => leave(),
  });
  return {
    response: new Response(body, { headers: { "content-type": "text/event-stream" } }),
    left,
  };
}

const stream = (...parts: string[]) =>
  new Response(parts.join(""), { headers: { "content-type": "text/event-stream" } });

const X = event(chunk({ content: "x" }));
const END = event(chunk({}, "stop")) + "data: [DONE]\n\n";

Deno.test("openaiClient streams from a server", async () => {
  const handler = async (request: Request) => {
    assert.equal(request.headers.get("authorization"), "Bearer sk-secret");
    assert.equal(new URL(request.url).pathname, "/chat/completions");
    assert.equal((await request.json()).stream, true);
    return stream(X, END);
  };
  await withServer(handler, async ({ client }) => {
    const { deltas, error } = await ask(client());
    assert.equal(error, undefined);
    assert.deepEqual(deltas, [{ type: "text", content: "x" }, { type: "finish", reason: "stop" }]);
  });
});

Deno.test("openaiClient takes [DONE] for the end though the server stays connected", async () => {
  const { response, left } = hanging(X, END);
  await withServer(() => response, async ({ client }) => {
    const { deltas, error } = await ask(client());
    assert.equal(error, undefined);
    assert.equal(deltas.length, 2);
    await left;
  });
});

Deno.test("openaiClient refuses a redirect, names where it leads, and sends nothing there", async () => {
  const targets: [location: string | undefined, to: string, base: string][] = [
    ["/elsewhere?token=secret", " to BASE/elsewhere", "where it leads"],
    ["/v2/chat/completions", " to BASE/v2/chat/completions", "BASE/v2"],
    [
      "https://a:b@llm.test/v1/chat/completions/",
      " to https://llm.test/v1/chat/completions/",
      "https://llm.test/v1",
    ],
    [undefined, "", "where it leads"],
  ];
  for (const [index, status] of [301, 302, 307, 308].entries()) {
    const [location, to, leads] = targets[index] ?? assert.fail();
    const handler = () =>
      new Response(null, { status, headers: location === undefined ? {} : { location } });
    await withServer(handler, async ({ client, base, attempts }) => {
      const { error } = await ask(client());
      assert(error instanceof LlmError);
      assert.equal(
        error.message,
        `Endpoint ${base}/chat/completions redirects${to}, which is refused: set the base URL to ${leads}`
          .replaceAll("BASE", base),
      );
      assert.equal(error.code, "redirect");
      assert.equal(attempts(), 1);
    });
  }
});

Deno.test("openaiClient refuses HTML with 200 from a server", async () => {
  const handler = () =>
    new Response("<html>".repeat(1e5), { headers: { "content-type": "text/html" } });
  await withServer(handler, async ({ client, attempts }) => {
    const { error } = await ask(client());
    assert(error instanceof LlmError);
    assert.match(error.message, /^Endpoint sent text\/html instead of text\/event-stream/);
    assert.equal(attempts(), 1);
  });
});

Deno.test("openaiClient retries 429, then succeeds; three times 500 is the end", async () => {
  const handler = (_: Request, attempt: number) => attempt === 1 ? failure(429) : stream(X, END);
  await withServer(handler, async ({ client, attempts }) => {
    const quota = new Quota();
    const { deltas } = await ask(client(), { quota });
    assert.deepEqual(deltas.map((delta) => delta.type), ["retry", "text", "finish"]);
    assert.equal(attempts(), 2);
    assert.equal(quota.calls, 2);
  });
  await withServer(() => failure(500), async ({ client, attempts }) => {
    const { error } = await ask(client());
    assert(error instanceof LlmError);
    assert.equal(error.message, "Endpoint answered 500: Status 500 (3 attempts)");
    assert.equal(attempts(), 3);
  });
});

Deno.test("openaiClient fails at once on Retry-After 300 with less time left", async () => {
  const handler = () => failure(429, "slow", { "retry-after": "300" });
  await withServer(handler, async ({ client, attempts }) => {
    const clock = new FakeClock();
    const { error } = await ask(client({ clock }), { deadline: clock.now() + 60_000 });
    assert(error instanceof LlmError);
    assert.match(error.message, /it asks to wait 300 s, longer than the 60 s left$/);
    assert.equal(attempts(), 1);
  });
});

Deno.test("openaiClient ends a request that hangs before the first byte, without a retry", async () => {
  // Without headers, and with headers but without a body.
  for (const early of [true, false]) {
    const { response, left } = hanging();
    let release = () => {};
    const released = new Promise<void>((resolve) => release = resolve);
    const handler = async () => {
      if (!early) await released;
      return response;
    };
    await withServer(handler, async ({ client, attempts }) => {
      const { error } = await ask(client({ firstTokenTimeout: 50 }));
      assert(error instanceof LlmError);
      assert.equal(
        error.message,
        "Endpoint did not begin its answer within 0.05 s; raise firstTokenTimeout to wait longer",
      );
      assert.equal(error.code, "timeout");
      assert.equal(attempts(), 1);
      release();
      await left;
    });
  }
});

Deno.test("openaiClient ends a stream that stalls, and keeps what came before", async () => {
  const { response, left } = hanging(X);
  await withServer(() => response, async ({ client, attempts }) => {
    const { deltas, error } = await ask(client({ idleTimeout: 50 }));
    assert.deepEqual(deltas, [{ type: "text", content: "x" }]);
    assert(error instanceof LlmError);
    assert.equal(
      error.message,
      "Endpoint stopped in the middle of its answer for 0.05 s; raise idleTimeout to wait longer",
    );
    assert.equal(attempts(), 1);
    await left;
  });
});

Deno.test("openaiClient takes a stream that stalls after finish_reason for complete", async () => {
  const { response, left } = hanging(X, event(chunk({}, "stop")));
  await withServer(() => response, async ({ client }) => {
    const { deltas, error } = await ask(client({ idleTimeout: 50 }));
    assert.equal(error, undefined);
    assert.deepEqual(deltas.map((delta) => delta.type), ["text", "finish"]);
    await left;
  });
});

Deno.test("openaiClient does not count the time its reader takes as idle", async () => {
  await withServer(() => stream(X, X, END), async ({ client }) => {
    const { signal } = new AbortController();
    const answer = client({ idleTimeout: 30 }).stream({ model: "m", messages: [] }, { signal });
    let deltas = 0;
    for await (const _ of answer) {
      deltas++;
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    assert.equal(deltas, 3);
  });
});

Deno.test("openaiClient takes keep-alive comments for a sign of life", async () => {
  let timer: ReturnType<typeof setInterval> | undefined;
  const handler = () => {
    let beats = 0;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(encoder.encode(X));
        timer = setInterval(() => {
          controller.enqueue(encoder.encode(++beats < 8 ? ": beat\n\n" : END));
          if (beats === 8) clearInterval(timer);
        }, 25);
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  await withServer(handler, async ({ client }) => {
    const { error } = await ask(client({ idleTimeout: 120 }));
    assert.equal(error, undefined);
  });
});

Deno.test("openaiClient ends the request when its stream is cancelled, at once", async () => {
  const { response, left } = hanging(X);
  await withServer(() => response, async ({ client }) => {
    const { signal } = new AbortController();
    const reader = client().stream({ model: "m", messages: [] }, { signal }).getReader();
    assert.equal((await reader.read()).done, false);
    const next = reader.read();
    await reader.cancel();
    assert.equal((await next).done, true);
    await left;
  });
});

Deno.test("openaiClient ends the request when the signal fires", async () => {
  const { response, left } = hanging(X);
  await withServer(() => response, async ({ client }) => {
    const stop = new AbortController();
    const reader = client().stream({ model: "m", messages: [] }, stop).getReader();
    assert.equal((await reader.read()).done, false);
    const next = reader.read();
    stop.abort(new Error("time is up"));
    await assert.rejects(next, { message: "time is up" });
    await left;
  });
});

/** Accepts connections and answers each with these raw bytes, then closes it. */
async function withRawServer(
  answer: (attempt: number) => string,
  use: (base: string, attempts: () => number) => Promise<void>,
): Promise<void> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  let attempts = 0;
  const serving = (async () => {
    for await (const connection of listener) {
      await connection.read(new Uint8Array(65_536));
      await connection.write(encoder.encode(answer(++attempts)));
      connection.close();
    }
  })();
  try {
    await use(`http://127.0.0.1:${listener.addr.port}`, () => attempts);
  } finally {
    listener.close();
    await serving;
  }
}

const HEAD =
  "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
const raw = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

Deno.test("openaiClient takes a cut stream for an error, and keeps what came before", async () => {
  await withRawServer(() => HEAD + raw(X), async (base, attempts) => {
    const { deltas, error } = await ask(
      openaiClient({ apiKey: "sk-secret", baseUrl: base, clock: new FakeClock() }),
    );
    assert.deepEqual(deltas, [{ type: "text", content: "x" }]);
    assert(error instanceof LlmError);
    assert.equal(error.code, "connection");
    assert.match(error.message, /^Connection to http:\/\/127\.0\.0\.1:\d+ failed: /);
    assert.equal(attempts(), 1);
  });
});

Deno.test("openaiClient retries a stream that is cut before any content", async () => {
  const answers = ["", HEAD, HEAD + raw(X + END) + raw("") + "\r\n"];
  await withRawServer((attempt) => answers[attempt - 1] ?? "", async (base, attempts) => {
    const { deltas, error } = await ask(
      openaiClient({ apiKey: "sk-secret", baseUrl: base, clock: new FakeClock() }),
    );
    assert.equal(error, undefined);
    assert.deepEqual(deltas.map((delta) => delta.type), ["retry", "retry", "text", "finish"]);
    assert.equal(attempts(), 3);
  });
});

Deno.test("openaiClient takes a stream that is cut after finish_reason for complete", async () => {
  await withRawServer(() => HEAD + raw(X + event(chunk({}, "stop"))), async (base) => {
    const { deltas, error } = await ask(openaiClient({ apiKey: "sk-secret", baseUrl: base }));
    assert.equal(error, undefined);
    assert.deepEqual(deltas.map((delta) => delta.type), ["text", "finish"]);
  });
});

Deno.test("openaiClient says which endpoint it cannot reach", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const { deltas, error } = await ask(
    openaiClient({
      apiKey: "sk-secret",
      baseUrl: `http://127.0.0.1:${port}/v1?key=hidden-too`,
      clock: new FakeClock(),
    }),
  );
  assert.deepEqual(deltas.map((delta) => delta.type), ["retry", "retry"]);
  assert(error instanceof LlmError);
  assert.match(error.message, new RegExp(`^Connection to http://127\\.0\\.0\\.1:${port} failed: `));
  assert.match(error.message, /refused.* \(3 attempts\)$/);
  assert(!error.message.includes("hidden-too"), error.message);
});
