import assert from "node:assert/strict";
import {
  ask,
  chunk,
  event,
  events,
  failure,
  FakeClock,
  fakeFetch,
  hello,
  sse,
} from "./_fixtures_test.ts";
import { LlmError } from "./errors.ts";
import { openaiClient, type OpenAIClientOptions } from "./openai_client.ts";
import { Quota } from "./quota.ts";

type Answers = Parameters<typeof fakeFetch>;

/** A client on these answers that waits in no real time, without jitter. */
function setUp(...answers: Answers) {
  return setUpWith({}, ...answers);
}

function setUpWith(options: Partial<OpenAIClientOptions>, ...answers: Answers) {
  const clock = new FakeClock();
  const { fetch, seen } = fakeFetch(...answers);
  const client = openaiClient({
    ...options,
    apiKey: "sk-secret",
    baseUrl: "http://llm.test/v1",
    fetch,
    clock,
    random: () => 0,
  });
  return { client, clock, seen };
}

const HELLO = [
  { type: "text", content: "Hel" },
  { type: "text", content: "lo" },
  { type: "finish", reason: "stop" },
];

Deno.test("openaiClient retries 408, 409, 429, 5xx and socket errors, and counts each call", async () => {
  const answers = [
    ...[408, 409, 429, 500, 502, 503, 529].map((status) => () => failure(status)),
    new TypeError("error sending request for url (http://llm.test/v1/chat/completions)"),
  ];
  for (const answer of answers) {
    const quota = new Quota();
    const { client, seen } = setUp(answer, hello());
    const { deltas, error } = await ask(client, { quota });
    assert.equal(error, undefined);
    assert.equal(seen.length, 2);
    assert.equal(quota.calls, 2);
    assert.equal(deltas[0]?.type, "retry");
    assert.deepEqual(deltas.slice(1), HELLO);
  }
});

Deno.test("openaiClient does not retry other statuses", async () => {
  for (const status of [400, 401, 403, 404, 413, 422]) {
    const { client, seen } = setUp(failure(status));
    const { error, deltas } = await ask(client);
    assert(error instanceof LlmError);
    assert.equal(error.status, status);
    assert.match(error.message, new RegExp(`answered ${status}: Status ${status}$`));
    assert.deepEqual(deltas, []);
    assert.equal(seen.length, 1);
  }
});

Deno.test("openaiClient gives up after two retries with a doubling back-off", async () => {
  const { client, clock, seen } = setUp(failure(500), failure(500), failure(503));
  const { deltas, error } = await ask(client);
  assert.deepEqual(deltas, [
    { type: "retry", attempt: 1, delay: 500, error: "Endpoint answered 500: Status 500" },
    { type: "retry", attempt: 2, delay: 1000, error: "Endpoint answered 500: Status 500" },
  ]);
  assert(error instanceof LlmError);
  assert.equal(error.message, "Endpoint answered 503: Status 503 (3 attempts)");
  assert.equal(error.status, 503);
  assert.deepEqual(clock.slept, [500, 1000]);
  assert.equal(seen.length, 3);
});

Deno.test("openaiClient's back-off never exceeds 8 s and has jitter down to half", async () => {
  const clock = new FakeClock();
  const { fetch } = fakeFetch(...Array.from({ length: 8 }, () => failure(500)));
  const random = [0, 0.5, 0.999, 0, 0, 0.5, 0][Symbol.iterator]();
  const client = openaiClient({
    apiKey: "",
    fetch,
    clock,
    maxRetries: 7,
    random: () => random.next().value ?? 0,
  });
  await ask(client);
  assert.deepEqual(clock.slept, [500, 750, 1001, 4000, 8000, 6000, 8000]);
});

Deno.test("openaiClient honours Retry-After in seconds, as a date, and in milliseconds", async () => {
  const headers: [Record<string, string>, number, string][] = [
    [{ "retry-after": "20" }, 20_000, "; it asks to wait 20 s"],
    [{ "retry-after": "0" }, 0, "; it asks to wait 0 s"],
    [{ "retry-after": "1.5" }, 1500, "; it asks to wait 1.5 s"],
    [
      { "retry-after": new Date(1_030_000).toUTCString() },
      30_000,
      "; it asks to wait 30 s",
    ],
    [{ "retry-after": new Date(0).toUTCString() }, 0, "; it asks to wait 0 s"],
    [{ "retry-after-ms": "120", "retry-after": "9" }, 120, "; it asks to wait 0.1 s"],
    [{ "retry-after": "soon" }, 500, ""],
    [{ "retry-after": "" }, 500, ""],
  ];
  for (const [header, delay, note] of headers) {
    const { client, clock } = setUp(failure(429, "slow down", header), hello());
    const { error, deltas } = await ask(client, { deadline: clock.now() + 30_000 });
    assert.equal(error, undefined);
    assert.deepEqual(deltas[0], {
      type: "retry",
      attempt: 1,
      delay,
      error: `Endpoint answered 429: slow down${note}`,
    });
    assert.deepEqual(clock.slept, [delay]);
  }
});

Deno.test("openaiClient waits as long as Gemini asks in the body", async () => {
  const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "2.5s" }];
  const error = { code: 429, message: "slow down", status: "RESOURCE_EXHAUSTED", details };
  const { client, clock } = setUp(Response.json([{ error }], { status: 429 }), hello());
  const { deltas } = await ask(client);
  assert.deepEqual(deltas[0], {
    type: "retry",
    attempt: 1,
    delay: 2500,
    error: "Endpoint answered 429: slow down; it asks to wait 2.5 s",
  });
  assert.deepEqual(clock.slept, [2500]);
});

Deno.test("openaiClient waits for Retry-After at most maxRetryWait, 60 s by default", async () => {
  const asks = (wait: string) => failure(503, "busy", { "retry-after": wait });
  const patient = setUp(asks("60"), hello());
  assert.equal((await ask(patient.client)).error, undefined);
  assert.deepEqual(patient.clock.slept, [60_000]);
  const { client, clock } = setUp(asks("61"));
  const { error } = await ask(client, { deadline: clock.now() + 300_000 });
  assert(error instanceof LlmError);
  assert.equal(
    error.message,
    "Endpoint answered 503: busy; it asks to wait 61 s, longer than maxRetryWait (60 s)",
  );
  assert.deepEqual(clock.slept, []);
  const { fetch, seen } = fakeFetch(asks("1"));
  const never = openaiClient({ apiKey: "", fetch, clock, maxRetryWait: 0 });
  assert.match(String((await ask(never)).error), /longer than maxRetryWait \(0 s\)$/);
  assert.equal(seen.length, 1);
});

Deno.test("openaiClient fails at once when Retry-After is beyond the deadline", async () => {
  const quota = new Quota();
  const { client, clock, seen } = setUp(failure(429, "slow down", { "retry-after": "300" }));
  const { error, deltas } = await ask(client, { quota, deadline: clock.now() + 12_340 });
  assert(error instanceof LlmError);
  assert.equal(
    error.message,
    "Endpoint answered 429: slow down; it asks to wait 300 s, longer than the 12.3 s left",
  );
  assert.equal(error.status, 429);
  assert.deepEqual(deltas, []);
  assert.deepEqual(clock.slept, []);
  assert.equal(seen.length, 1);
  assert.equal(quota.calls, 1);
});

Deno.test("openaiClient fails when the back-off does not fit before the deadline", async () => {
  const { client, clock, seen } = setUp(failure(500));
  const { error } = await ask(client, { deadline: clock.now() + 499 });
  assert(error instanceof LlmError);
  assert.equal(
    error.message,
    "Endpoint answered 500: Status 500; no time is left to try again",
  );
  assert.equal(seen.length, 1);
});

Deno.test("openaiClient heeds x-should-retry, and does not retry without credit", async () => {
  const never = [
    failure(500, "no", { "x-should-retry": "false" }),
    failure(429, { message: "Pay", code: "insufficient_quota" }),
  ];
  for (const answer of never) {
    const { client, seen } = setUp(answer);
    assert((await ask(client)).error instanceof LlmError);
    assert.equal(seen.length, 1);
  }
  const { client, seen } = setUp(failure(400, "yes", { "x-should-retry": "true" }), hello());
  assert.equal((await ask(client)).error, undefined);
  assert.equal(seen.length, 2);
});

Deno.test("openaiClient retries an error in the stream that has a status, before any content", async () => {
  const error = { code: 502, message: "Upstream" };
  const { client, seen } = setUp(events(event({ error })), hello());
  const { deltas } = await ask(client);
  assert.equal(seen.length, 2);
  assert.deepEqual(deltas.slice(1), HELLO);
  const late = setUp(events(event(chunk({ content: "x" })), event({ error })), hello());
  const answer = await ask(late.client);
  assert.deepEqual(answer.deltas, [{ type: "text", content: "x" }]);
  assert(answer.error instanceof LlmError);
  assert.equal(answer.error.status, 502);
  assert.equal(late.seen.length, 1);
});

Deno.test("openaiClient tells why there is no connection without the layers that pass it on", async () => {
  const sending = "error sending request for url (http://llm.test/v1/chat/completions)";
  for (
    const [cause, why] of [
      [
        new TypeError(
          `${sending}: client error (Connect): tcp connect error: Connection refused (os error 111)`,
        ),
        "Connection refused; is the server running?",
      ],
      [
        new TypeError(`${sending}: client error (Connect): dns error: Name or service not known`),
        "dns error: Name or service not known",
      ],
      [
        new TypeError("fetch failed", {
          cause: new Error("connect ECONNREFUSED http://llm.test/v1/chat/completions"),
        }),
        "connect ECONNREFUSED /v1/chat/completions; is the server running?",
      ],
      [
        new TypeError(
          `${sending}: client error (Connect): received corrupt message of type InvalidContentType`,
        ),
        "received corrupt message of type InvalidContentType; " +
        "does it speak http:// and not https://?",
      ],
      [
        new TypeError(`${sending}: client error (SendRequest): invalid HTTP version parsed`),
        "invalid HTTP version parsed; does it speak https:// and not http://?",
      ],
    ] as const
  ) {
    const { client } = setUp(cause, cause, cause);
    const { error } = await ask(client);
    assert(error instanceof LlmError);
    assert.equal(
      error.message,
      `Connection to http://llm.test failed: ${why} (3 attempts)`,
    );
  }
});

Deno.test("openaiClient does not retry a redirect", async () => {
  const causes = [
    new TypeError("Encountered redirect while redirect mode is set to 'error'"),
    new TypeError("fetch failed", { cause: new Error("unexpected redirect") }),
  ];
  for (const cause of causes) {
    const { client, seen } = setUp(cause);
    const { error } = await ask(client);
    assert(error instanceof LlmError);
    assert.equal(
      error.message,
      "Endpoint http://llm.test/v1/chat/completions redirects, which is refused: " +
        "set the base URL to where it leads",
    );
    assert.equal(error.code, "redirect");
    assert.equal(seen.length, 1);
  }
});

Deno.test("openaiClient ends with the limit when no call is left for a retry, and keeps the cause", async () => {
  const quota = new Quota({ maxCalls: 1 });
  const { client, clock, seen } = setUp(failure(500));
  const { error, deltas } = await ask(client, { quota });
  assert(error instanceof RangeError);
  assert.equal(error.name, "LimitError");
  assert.match(String(error.cause), /Endpoint answered 500/);
  assert.deepEqual(deltas, []);
  assert.deepEqual(clock.slept, []);
  assert.equal(seen.length, 1);
});

Deno.test("openaiClient's back-off ends with the signal", async () => {
  const stop = new AbortController();
  const { fetch, seen } = fakeFetch(failure(429, "slow", { "retry-after": "3600" }));
  const client = openaiClient({ apiKey: "", fetch, maxRetryWait: Infinity });
  const reader = client.stream({ model: "m", messages: [] }, { signal: stop.signal }).getReader();
  assert.equal((await reader.read()).value?.type, "retry");
  const next = reader.read();
  stop.abort(new Error("stop"));
  await assert.rejects(next, { message: "stop" });
  assert.equal(seen.length, 1);
});

Deno.test("openaiClient's back-off ends when the stream is cancelled", async () => {
  const { fetch, seen } = fakeFetch(failure(429, "slow", { "retry-after": "3600" }));
  const client = openaiClient({ apiKey: "", fetch, maxRetryWait: Infinity });
  const { signal } = new AbortController();
  const reader = client.stream({ model: "m", messages: [] }, { signal }).getReader();
  assert.equal((await reader.read()).value?.type, "retry");
  const next = reader.read();
  await reader.cancel();
  assert.deepEqual(await next, { done: true, value: undefined });
  assert.equal(seen.length, 1);
});

const REQUEST = { model: "o9", messages: [], temperature: 0.1, max_tokens: 7 };

const refuse = (param: string | null, message: string, status = 400) =>
  failure(status, { message, type: "invalid_request_error", param, code: "unsupported_parameter" });

Deno.test("openaiClient asks again without refused parameters, once, and remembers", async () => {
  const { client, clock, seen } = setUp(
    refuse("max_tokens", "Unsupported parameter"),
    refuse(null, "Unsupported value: 'temperature' does not support 0.1 with this model."),
    hello(),
    hello(),
    hello(),
  );
  const quota = new Quota();
  const { deltas, error } = await ask(client, { quota }, REQUEST);
  assert.equal(error, undefined);
  assert.deepEqual(deltas[0], {
    type: "retry",
    attempt: 1,
    delay: 0,
    error: "Endpoint answered 400: Unsupported parameter",
  });
  assert.deepEqual(deltas.slice(2), HELLO);
  assert.equal(quota.calls, 3);
  assert(clock.slept.every((delay) => delay === 0));
  const { max_tokens: _, ...withoutMax } = seen[0]?.body ?? {};
  assert.deepEqual(seen[1]?.body, { ...withoutMax, max_completion_tokens: 7 });
  const { temperature: __, ...without } = withoutMax;
  assert.deepEqual(seen[2]?.body, { ...without, max_completion_tokens: 7 });

  await ask(client, {}, REQUEST);
  assert.deepEqual(seen[3]?.body, seen[2]?.body);
  await ask(client, {}, { ...REQUEST, model: "other" });
  assert.deepEqual(seen[4]?.body, { ...seen[0]?.body, model: "other" });
});

Deno.test("openaiClient asks again without stream_options, also on 422", async () => {
  const { client, seen } = setUp(refuse(null, "body.stream_options: extra", 422), hello());
  const { error } = await ask(client);
  assert.equal(error, undefined);
  assert.deepEqual(seen[1]?.body, { model: "m", messages: [], stream: true });
});

Deno.test("openaiClient asks again without what a provider behind OpenRouter refuses", async () => {
  const raw = JSON.stringify({ error: { message: "Unknown parameter", param: "stream_options" } });
  const error = { code: 400, message: "Provider returned error", metadata: { raw } };
  const { client, seen } = setUp(Response.json({ error }, { status: 400 }), hello());
  const { deltas } = await ask(client);
  assert.deepEqual(deltas[0], {
    type: "retry",
    attempt: 1,
    delay: 0,
    error: "Endpoint answered 400: Provider returned error: Unknown parameter",
  });
  assert.deepEqual(seen[1]?.body, { model: "m", messages: [], stream: true });
});

Deno.test("openaiClient reports a refusal that leaving out does not cure, and forgets it", async () => {
  const tooLong = "Too long: shorten the messages or max_tokens";
  const { client, seen } = setUp(refuse(null, tooLong), refuse(null, tooLong), hello());
  const { error } = await ask(client, {}, REQUEST);
  assert(error instanceof LlmError);
  assert.equal(error.message, `Endpoint answered 400: ${tooLong}`);
  assert.equal(seen.length, 2);
  await ask(client, {}, REQUEST);
  assert.deepEqual(seen[2]?.body, seen[0]?.body);
});

Deno.test("openaiClient has all its retries left after a refused parameter", async () => {
  const { client, seen } = setUp(
    refuse("max_tokens", "No"),
    failure(500),
    failure(500),
    sse(chunk({ content: "x" }, "stop")),
  );
  const { error } = await ask(client, {}, REQUEST);
  assert.equal(error, undefined);
  assert.equal(seen.length, 4);
});

Deno.test("openaiClient with retryTime asks an endpoint that has answered for that long, with growing pauses", async () => {
  const failures = Array.from({ length: 20 }, () => () => failure(503));
  const { client, clock } = setUpWith({ retryTime: 120_000 }, ...failures);
  const { error } = await ask(client);
  assert(error instanceof LlmError);
  assert.deepEqual(clock.slept, [500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000]);
  assert.equal(error.message, "Endpoint answered 503: Status 503 (9 attempts)");
});

Deno.test("openaiClient with retryTime gives up soon where no endpoint has ever answered", async () => {
  const refused = () => new TypeError("tcp connect error: Connection refused (os error 111)");
  const { client, clock } = setUpWith({ retryTime: 120_000 }, refused(), refused(), refused());
  const { error } = await ask(client);
  assert(error instanceof LlmError);
  assert.deepEqual(clock.slept, [500, 1000]);
});

Deno.test("openaiClient with retryTime goes on after a connection that was lost", async () => {
  const lost = Array.from({ length: 5 }, () => new TypeError("connection reset"));
  const { client, clock } = setUpWith({ retryTime: 120_000 }, hello(), ...lost, hello());
  await ask(client);
  const { deltas, error } = await ask(client);
  assert.equal(error, undefined);
  assert.deepEqual(deltas.slice(-3), HELLO);
  assert.deepEqual(clock.slept, [500, 1000, 2000, 4000, 8000]);
});
