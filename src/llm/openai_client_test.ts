import assert from "node:assert/strict";
import { ask, chunk, event, events, failure, fakeFetch, hello, sse } from "./_fixtures_test.ts";
import { LlmError } from "./errors.ts";
import { openaiClient, type OpenAIClientOptions } from "./openai_client.ts";
import { Quota } from "./quota.ts";

const KEY = "sk-very-secret";

function clientOf(fetch: OpenAIClientOptions["fetch"], more: Partial<OpenAIClientOptions> = {}) {
  return openaiClient({
    apiKey: KEY,
    baseUrl: "http://llm.test/v1",
    fetch,
    maxRetries: 0,
    ...more,
  });
}

/** How a client ends that gets this answer. */
async function errorOf(response: Response): Promise<LlmError> {
  const { error } = await ask(clientOf(fakeFetch(response).fetch));
  assert(error instanceof LlmError, String(error));
  return error;
}

Deno.test("openaiClient posts the streaming body with the key and refuses redirects", async () => {
  const { fetch, seen } = fakeFetch(hello());
  const client = clientOf(fetch, {
    headers: { "User-Agent": "llmcmd/1", "Authorization": "Basic x" },
  });
  const messages = [{ role: "user" as const, content: "\u3042" }];
  await ask(client, {}, { model: "m", messages, temperature: 0.1, max_tokens: 4096 });
  assert.equal(seen.length, 1);
  assert.equal(seen[0]?.url, "http://llm.test/v1/chat/completions");
  assert.deepEqual(seen[0]?.body, {
    model: "m",
    messages,
    temperature: 0.1,
    max_tokens: 4096,
    stream: true,
    stream_options: { include_usage: true },
  });
  assert.equal(seen[0]?.init.redirect, "manual");
  assert.equal(seen[0]?.init.method, "POST");
  assert.deepEqual(Object.fromEntries(new Headers(seen[0]?.init.headers)), {
    "user-agent": "llmcmd/1",
    "accept": "text/event-stream, application/json",
    "content-type": "application/json",
    "authorization": `Bearer ${KEY}`,
  });
});

Deno.test("openaiClient normalises the base URL and keeps its query", async () => {
  const expected: Record<string, string> = {
    "http://a.test": "http://a.test/chat/completions",
    "http://a.test/": "http://a.test/chat/completions",
    "http://a.test/v1//": "http://a.test/v1/chat/completions",
    "http://a.test/v1/?api-version=2": "http://a.test/v1/chat/completions?api-version=2",
    "http://a.test/v1/chat/completions/": "http://a.test/v1/chat/completions",
    "http://a.test/v1#x": "http://a.test/v1/chat/completions",
  };
  for (const [baseUrl, url] of Object.entries(expected)) {
    const { fetch, seen } = fakeFetch(hello());
    await ask(clientOf(fetch, { baseUrl }));
    assert.equal(seen[0]?.url, url);
  }
  const { fetch, seen } = fakeFetch(hello());
  await ask(openaiClient({ apiKey: "", fetch }));
  assert.equal(seen[0]?.url, "https://api.openai.com/v1/chat/completions");
  assert.equal(new Headers(seen[0]?.init.headers).get("authorization"), null);
});

Deno.test("openaiClient refuses base URLs and keys that cannot be sent, without showing the key", () => {
  for (
    const baseUrl of [
      "",
      "api.openai.com",
      "ftp://a.test",
      "http://u:pass@a.test/v1",
      "u:pass@a.test",
    ]
  ) {
    assert.throws(() => openaiClient({ apiKey: KEY, baseUrl }), (error) => {
      assert(error instanceof TypeError);
      assert(!error.message.includes("pass@"), error.message);
      return true;
    });
  }
  for (const apiKey of ["sk-a\nb", "sk a", "sk-\u3042"]) {
    assert.throws(() => openaiClient({ apiKey }), (error) => {
      assert(error instanceof TypeError && !error.message.includes(apiKey));
      return true;
    });
  }
});

Deno.test("openaiClient yields text, calls, finish and usage in order, and counts them", async () => {
  const usage = {
    prompt_tokens: 10,
    completion_tokens: 5,
    total_tokens: 15,
    prompt_tokens_details: { cached_tokens: 4 },
  };
  const call = (index: number, more: object) => ({ tool_calls: [{ index, ...more }] });
  const { fetch } = fakeFetch(sse(
    { choices: [], prompt_filter_results: [] },
    chunk({ role: "assistant", content: "" }),
    chunk({ content: "Hi" }),
    chunk(call(0, { id: "a", type: "function", function: { name: "read", arguments: "" } })),
    chunk(call(0, { function: { arguments: "{}" } })),
    chunk({}, "tool_calls"),
    { choices: [], usage },
  ));
  const quota = new Quota();
  const { deltas, error } = await ask(clientOf(fetch), { quota });
  assert.equal(error, undefined);
  assert.deepEqual(deltas, [
    { type: "text", content: "Hi" },
    { type: "tool_call", index: 0, id: "a", name: "read" },
    { type: "tool_call", index: 0, arguments: "{}" },
    { type: "finish", reason: "tool_calls" },
    { type: "usage", usage },
  ]);
  assert.deepEqual(quota.usage, usage);
  assert.equal(quota.calls, 1);
});

Deno.test("openaiClient counts usage once when every event repeats it", async () => {
  const usage = (n: number) => ({ prompt_tokens: 10, completion_tokens: n });
  const { fetch } = fakeFetch(sse(
    { ...chunk({ content: "a" }) as object, usage: usage(1) },
    { ...chunk({ content: "b" }, "stop") as object, usage: usage(2) },
  ));
  const quota = new Quota();
  await ask(clientOf(fetch), { quota });
  assert.equal(quota.usage.prompt_tokens, 10);
  assert.equal(quota.usage.completion_tokens, 2);
  assert.equal(quota.usage.total_tokens, 12);
});

Deno.test("openaiClient takes what endpoints really send", async () => {
  const answers: [Response, unknown[]][] = [
    [
      events(
        ": comment\n\n",
        "event: message\r\n",
        `data: ${JSON.stringify(chunk({ content: "x" }, "stop"))}\r\n\r\n`,
      ),
      [{ type: "text", content: "x" }, { type: "finish", reason: "stop" }],
    ],
    // No blank line and no [DONE] at the end.
    [
      events(event(chunk({ content: "x" })), event(chunk({}, "length")).trimEnd()),
      [{ type: "text", content: "x" }, { type: "finish", reason: "length" }],
    ],
    // Unknown reasons, empty reasons, other choices, odd shapes.
    [
      sse(
        null,
        7,
        { choices: "x" },
        { choices: [null, { index: 1, delta: { content: "no" }, finish_reason: "stop" }] },
        chunk({ content: "x", tool_calls: [null, {}] }, ""),
        chunk(null, "eos"),
      ),
      [{ type: "text", content: "x" }, { type: "tool_call" }, { type: "finish", reason: "stop" }],
    ],
    [
      sse(chunk({ refusal: "No" }), chunk({ content: null }, "stop")),
      [{ type: "refusal", content: "No" }, { type: "finish", reason: "stop" }],
    ],
    [
      sse(
        chunk({ tool_calls: [{ id: "a", function: { name: "r", arguments: { fd: 3 } } }] }, "stop"),
      ),
      [
        { type: "tool_call", id: "a", name: "r", arguments: '{"fd":3}' },
        { type: "finish", reason: "stop" },
      ],
    ],
  ];
  for (const [response, expected] of answers) {
    const { deltas, error } = await ask(clientOf(fakeFetch(response).fetch));
    assert.equal(error, undefined);
    assert.deepEqual(deltas, expected);
  }
});

Deno.test("openaiClient takes a whole completion from an endpoint that does not stream", async () => {
  const message = {
    role: "assistant",
    content: "Hi",
    tool_calls: [{ id: "a", type: "function", function: { name: "exit", arguments: "{}" } }],
  };
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
  const body = { choices: [{ index: 0, message, finish_reason: "tool_calls" }], usage };
  const quota = new Quota();
  const { deltas, error } = await ask(clientOf(fakeFetch(Response.json(body)).fetch), { quota });
  assert.equal(error, undefined);
  assert.deepEqual(deltas, [
    { type: "text", content: "Hi" },
    { type: "tool_call", id: "a", name: "exit", arguments: "{}" },
    { type: "finish", reason: "tool_calls" },
    { type: "usage", usage },
  ]);
  assert.equal(quota.usage.total_tokens, 3);
});

Deno.test("openaiClient refuses HTML with 200, naming the content type and the title", async () => {
  const title = `\x1b[31m Sign &amp; in\n${"x".repeat(10_000)}`;
  const html = `<!DOCTYPE html>\n<html><head><title>${title}</title></head>${"y".repeat(100_000)}`;
  const error = await errorOf(new Response(html, { headers: { "content-type": "text/html" } }));
  assert.match(
    error.message,
    /^Endpoint sent text\/html instead of text\/event-stream \(check the base URL\): an HTML page, "\[31m Sign & in x+\.\.\.$/,
  );
  assert.equal(error.message.length, 403);
  assert.equal(error.status, 200);
  assert.equal(error.code, "protocol");
  const untitled = await errorOf(new Response("<html><body>Hi", { status: 403 }));
  assert.equal(untitled.message, "Endpoint answered 403: an HTML page");
  const plain = new Response("Hi", { headers: { "content-type": "text/plain" } });
  assert.match((await errorOf(plain)).message, /^Endpoint sent text\/plain instead of .*: Hi$/);
  const none = await errorOf(new Response(null, { status: 204 }));
  assert.match(none.message, /^Endpoint sent no content type instead of .*: an empty body$/);
});

Deno.test("openaiClient refuses JSON with 200 that is an error, malformed, or no completion", async () => {
  const json = (text: string) =>
    errorOf(new Response(text, { headers: { "content-type": "application/json; charset=utf-8" } }));
  const reported = await json('{"error":{"message":"No such model","code":"model_not_found"}}');
  assert.equal(reported.message, "Endpoint answered with an error: No such model");
  assert.equal(reported.code, "model_not_found");
  assert.equal((await json("{")).message, "Endpoint sent malformed JSON: {");
  assert.equal(
    (await json('{"a":1}')).message,
    'Endpoint sent JSON that is not a completion: {"a":1}',
  );
  assert.match(
    (await json('{"choices":[{"message":{"content":"x"}}]}')).message,
    /without finish_reason/,
  );
});

Deno.test("openaiClient refuses a stream that ends without finish_reason", async () => {
  for (const response of [events(event(chunk({ content: "x" }))), sse(chunk({ content: "x" }))]) {
    const { deltas, error } = await ask(clientOf(fakeFetch(response).fetch));
    assert.deepEqual(deltas, [{ type: "text", content: "x" }]);
    assert(error instanceof LlmError);
    assert.equal(
      error.message,
      "Endpoint ended its answer without finish_reason: it may be incomplete",
    );
  }
});

Deno.test("openaiClient says what a stream without an answer holds instead", async () => {
  const cases: [string, string][] = [
    ["", "an empty body"],
    ["data: [DONE]\n\n", "data: [DONE]"],
    [": PROCESSING\n\n", ": PROCESSING"],
    ["upstream connect error", "upstream connect error"],
    ["<html><head><title>Sign in</title></head>no", 'an HTML page, "Sign in"'],
    [event({ choices: null, base: { msg: "no" } }), 'data: {"choices":null,"base":{"msg":"no"}}'],
  ];
  for (const [body, said] of cases) {
    assert.equal((await errorOf(events(body))).message, `Endpoint sent no answer: ${said}`);
  }
});

Deno.test("openaiClient refuses malformed JSON in the stream and prints nothing", async () => {
  const printed: unknown[] = [];
  const { error: original } = console;
  console.error = (...args: unknown[]) => printed.push(args);
  try {
    const error = await errorOf(events(event(chunk({ content: "x" })), 'data: {"choices"\n\n'));
    assert.equal(error.message, 'Endpoint sent an event that is not JSON: {"choices"');
  } finally {
    console.error = original;
  }
  assert.deepEqual(printed, []);
});

Deno.test("openaiClient reports an error object inside the stream", async () => {
  const error = { message: "The server\nhad an error", code: "server_error", param: null };
  const forms = [{ error }, { object: "error", ...error }];
  for (const bad of [...forms.map(event), `event: error\n${event(error)}`]) {
    const { deltas, error } = await ask(
      clientOf(fakeFetch(events(event(chunk({ content: "x" })), bad)).fetch),
    );
    assert.deepEqual(deltas, [{ type: "text", content: "x" }]);
    assert(error instanceof LlmError);
    assert.equal(error.message, "Endpoint broke off with an error: The server had an error");
    assert.equal(error.code, "server_error");
  }
});

Deno.test("openaiClient counts the tokens of an answer that breaks off", async () => {
  const usage = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 };
  const { fetch } = fakeFetch(
    events(event({ ...chunk({ content: "x" }) as object, usage }), "data: {\n\n"),
  );
  const quota = new Quota();
  await ask(clientOf(fetch), { quota });
  assert.equal(quota.usage.total_tokens, 6);
});

Deno.test("openaiClient reads the error bodies of many servers", async () => {
  const bodies: [string, string][] = [
    ['{"error":{"message":"A","code":"c"}}', "A"],
    ['{"error":"B"}', "B"],
    ['{"object":"error","message":"C","code":400}', "C"],
    ['{"detail":"D"}', "D"],
    ['{"detail":[{"loc":["body"],"msg":"E"}]}', '[{"loc":["body"],"msg":"E"}]'],
    ['[{"error":{"code":400,"message":"F"}}]', "F"],
    [
      '{"error":{"message":"G","metadata":{"raw":"{\\"error\\":{\\"message\\":\\"H\\"}}"}}}',
      "G: H",
    ],
    ['{"error":{"message":"G","metadata":{"raw":"busy"}}}', "G: busy"],
    ['{"error":{"message":"G","metadata":{"provider_name":"X"}}}', "G"],
    ['{"error":{"message":"<html><title>Bad Gateway</title>no"}}', 'an HTML page, "Bad Gateway"'],
    ["<html><title> A&amp;B\n</title>no", 'an HTML page, "A&B"'],
    ["plain\n text", "plain text"],
    ["", "no message"],
  ];
  for (const [body, message] of bodies) {
    const error = await errorOf(new Response(body, { status: 401 }));
    assert.equal(error.message, `Endpoint answered 401: ${message}`);
    assert.equal(error.status, 401);
  }
});

Deno.test("openaiClient names the address that answers 404", async () => {
  const error = await errorOf(new Response("page not found", { status: 404 }));
  assert.equal(
    error.message,
    "Endpoint http://llm.test/v1/chat/completions answered 404: page not found",
  );
  const { fetch } = fakeFetch(new Response("page not found", { status: 404 }));
  const bare = await ask(openaiClient({ apiKey: "k", fetch, baseUrl: "http://llm.test" }));
  assert.equal(
    String(bare.error),
    "LlmError: Endpoint http://llm.test/chat/completions answered 404: page not found; " +
      "most base URLs have a path, such as /v1",
  );
});

Deno.test("openaiClient joins text that is split between any two bytes", async () => {
  const text = "a\u00e9\u3042\u{1f600}\r\nz";
  const bytes = new TextEncoder().encode(
    event(chunk({ content: text })) + event(chunk({}, "stop")) + "data: [DONE]\r\n\r\n",
  );
  for (let cut = 0; cut <= bytes.length; cut++) {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes.slice(0, cut));
        controller.enqueue(bytes.slice(cut));
        controller.close();
      },
    });
    const headers = { "content-type": "text/event-stream; charset=utf-8" };
    const { deltas } = await ask(clientOf(fakeFetch(new Response(body, { headers })).fetch));
    assert.deepEqual(deltas, [{ type: "text", content: text }, { type: "finish", reason: "stop" }]);
  }
});

Deno.test("openaiClient never shows the key, though the endpoint echoes it", async () => {
  const echo = { message: `Bad key ${KEY} in Bearer ${KEY}`, code: `code_${KEY}` };
  const answers = [
    failure(401, echo),
    failure(400, `plain ${KEY}`),
    new Response(`<html>${KEY}`, { headers: { "content-type": "text/html" } }),
    events(event({ error: echo })),
    Response.json({ error: echo }),
    Response.json({ nothing: KEY }),
    ...Array.from({ length: 30 }, (_, i) => failure(400, "x".repeat(370 + i) + KEY)),
    new TypeError(`error sending request for url (http://llm.test/v1/chat/completions?k=${KEY})`),
  ];
  for (const answer of answers) {
    const client = clientOf(fakeFetch(answer).fetch, { baseUrl: `http://llm.test/v1?k=${KEY}` });
    const { error } = await ask(client);
    assert(error instanceof LlmError);
    const shown = JSON.stringify([error.message, error.code, error.stack, Deno.inspect(error)]);
    assert(!shown.includes(KEY), shown);
    assert(!shown.includes(KEY.slice(0, 3)), shown);
    assert.equal(error.cause, undefined);
  }
});

Deno.test("openaiClient passes a missing permission on unchanged", async () => {
  const denied = new Deno.errors.NotCapable('Requires net access to "llm.test:80"');
  const { error } = await ask(clientOf(fakeFetch(denied).fetch, { maxRetries: 2 }));
  assert.equal(error, denied);
});

Deno.test("openaiClient takes time-outs that are too long for a timer as none", async () => {
  const none = { firstTokenTimeout: Infinity, idleTimeout: 2 ** 31 };
  const { deltas } = await ask(clientOf(fakeFetch(hello()).fetch, none));
  assert.equal(deltas.length, 3);
});

Deno.test("openaiClient refuses an answer larger than maxAnswerBytes", async () => {
  const { fetch } = fakeFetch(sse(chunk({ content: "x".repeat(5000) }, "stop")));
  const { error } = await ask(clientOf(fetch, { maxAnswerBytes: 4096 }));
  assert(error instanceof LlmError);
  assert.equal(error.message, "Endpoint sent more than 4096 bytes in one answer");
});

Deno.test("openaiClient sends nothing before the first read, nor when cancelled before", async () => {
  const { fetch, seen } = fakeFetch(hello());
  const { signal } = new AbortController();
  const stream = clientOf(fetch).stream({ model: "m", messages: [] }, { signal });
  await new Promise((resolve) => setTimeout(resolve, 0));
  await stream.cancel();
  assert.equal(seen.length, 0);
});

Deno.test("openaiClient fails with the signal's reason, without a call, when it has fired", async () => {
  const { fetch, seen } = fakeFetch(hello());
  const quota = new Quota();
  const reason = new Error("stop");
  const { error } = await ask(clientOf(fetch), { signal: AbortSignal.abort(reason), quota });
  assert.equal(error, reason);
  assert.equal(seen.length, 0);
  assert.equal(quota.calls, 0);
});

Deno.test("openaiClient stops at an abort between two events, and keeps no listener", async () => {
  let listeners = 0;
  const stop = new AbortController();
  const { addEventListener, removeEventListener } = stop.signal;
  stop.signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners++;
    addEventListener.apply(stop.signal, args);
  };
  stop.signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners--;
    removeEventListener.apply(stop.signal, args);
  };
  const { fetch } = fakeFetch(hello(), hello());
  const client = clientOf(fetch);
  await ask(client, { signal: stop.signal });
  assert.equal(listeners, 0);
  const reader = client.stream({ model: "m", messages: [] }, { signal: stop.signal }).getReader();
  assert.deepEqual(await reader.read(), { done: false, value: { type: "text", content: "Hel" } });
  stop.abort(new Error("enough"));
  await assert.rejects(reader.read(), { message: "enough" });
  assert.equal(listeners, 0);
});
