import assert from "node:assert/strict";
import { ask, chunk, event, events, fakeFetch, sse } from "./_fixtures_test.ts";
import { LlmError } from "./errors.ts";
import { openaiClient, type OpenAIClientOptions } from "./openai_client.ts";

function askFor(response: Response, more: Partial<OpenAIClientOptions> = {}) {
  const { fetch } = fakeFetch(response);
  return ask(openaiClient({ apiKey: "k", fetch, maxRetries: 0, ...more }));
}

const SAYS_X = [{ type: "text", content: "x" }, { type: "finish", reason: "stop" }];
const X = event(chunk({ content: "x" }));
const END = event(chunk({}, "stop"));

Deno.test("openaiClient reads event streams as servers and proxies really frame them", async () => {
  const streams: Record<string, string> = {
    "comments as data": `data: : OPENROUTER PROCESSING\n\n${X}data:: beat\n\n${END}`,
    "empty data": `data:\n\ndata: \n\n${X}data\n\n${END}`,
    "an event's name without data": `event: ping\n\n${X}event: done\n\n${END}`,
    "an event's name with data that is no JSON": `event: ping\ndata: now\n\n${X}${END}`,
    "events with names": `event: completion\n${X}event: completion\n${END}`,
    "[DONE] with spaces": `${X}${END}data:  [DONE] \n\n`,
    "[DONE] without a space": `${X}${END}data:[DONE]\n\n`,
    "what comes after [DONE]": `${X}${END}data: [DONE]\n\ndata: {\n\n`,
    "ids, retry and unknown fields": `id: 7\nretry: 10\nfoo: bar\n${X}${END}`,
    "CRLF": `${X}${END}`.replaceAll("\n", "\r\n"),
    "CR": `${X}${END}`.replaceAll("\n", "\r"),
    "a byte order mark": `\ufeff${X}${END}`,
    "blank lines first": `\n\n${X}${END}`,
    "data on two lines": `data: {"choices":\ndata: ${
      JSON.stringify([
        { index: 0, delta: { content: "x" }, finish_reason: "stop" },
      ])
    }}\n\n`,
    "no blank line at the end": `${X}${END}`.trimEnd(),
  };
  for (const [name, text] of Object.entries(streams)) {
    const { deltas, error } = await askFor(events(text));
    assert.equal(error, undefined, name);
    assert.deepEqual(deltas, SAYS_X, name);
  }
});

Deno.test("openaiClient goes by what a body begins with, whatever type it is said to have", async () => {
  const whole = JSON.stringify({
    choices: [{ message: { content: "x" }, finish_reason: "stop" }],
  });
  const bodies = [`${X}${END}`, `: hello\n\n${X}${END}`, `event: a\n${X}${END}`, ` \n${whole}`];
  for (const type of ["", "text/plain; charset=utf-8", "text/event-stream", "application/json"]) {
    for (const body of bodies) {
      const response = new Response(body);
      response.headers.delete("content-type");
      if (type !== "") response.headers.set("content-type", type);
      const { deltas, error } = await askFor(response);
      assert.equal(error, undefined, `${type}: ${body}`);
      assert.deepEqual(deltas, SAYS_X, `${type}: ${body}`);
    }
  }
  const plain = new Response("date: today");
  assert.match(String((await askFor(plain)).error), /sent text\/plain instead of .*: date: today$/);
});

Deno.test("openaiClient decides on the type of a body that comes byte by byte", async () => {
  for (const text of [`${X}${END}`, `:\n\n${X}${END}`]) {
    const bytes = new TextEncoder().encode(text);
    const body = ReadableStream.from(Array.from(bytes, (byte) => Uint8Array.of(byte)));
    assert.deepEqual((await askFor(new Response(body))).deltas, SAYS_X);
  }
});

Deno.test("openaiClient joins the text of content that is a list of parts", async () => {
  const parts = (text: string) => [
    { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
    { type: "text", text },
    null,
    "!",
  ];
  const streamed = sse(chunk({ content: parts("a") }), chunk({ content: parts("b") }, "stop"));
  const message = { content: parts("ab") };
  const whole = Response.json({ choices: [{ message, finish_reason: "stop" }] });
  for (const response of [streamed, whole]) {
    const { deltas } = await askFor(response);
    const text = deltas.flatMap((delta) => delta.type === "text" ? [delta.content] : []).join("");
    assert.equal(text.replaceAll("!", ""), "ab");
  }
});

Deno.test("openaiClient takes function_call for a call", async () => {
  const pieces = sse(
    chunk({ function_call: { name: "read", arguments: "" } }),
    chunk({ function_call: { arguments: '{"fd":3}' } }),
    chunk({}, "function_call"),
  );
  assert.deepEqual((await askFor(pieces)).deltas, [
    { type: "tool_call", name: "read" },
    { type: "tool_call", arguments: '{"fd":3}' },
    { type: "finish", reason: "function_call" },
  ]);
  const message = { content: null, function_call: { name: "read", arguments: "{}" } };
  const whole = Response.json({ choices: [{ message, finish_reason: "function_call" }] });
  assert.deepEqual((await askFor(whole)).deltas, [
    { type: "tool_call", name: "read", arguments: "{}" },
    { type: "finish", reason: "function_call" },
  ]);
});

Deno.test("openaiClient leaves the marks of a model's notation out of the names of functions", async () => {
  const names: [string, string | undefined][] = [
    ["functions.read", "read"],
    ["read<|channel|>commentary", "read"],
    [" read\n", "read"],
    ["my-functions.read", "my-functions.read"],
    ["functions", "functions"],
    ["<|channel|>", undefined],
  ];
  for (const [sent, name] of names) {
    const call = { index: 0, id: "a", function: { name: sent, arguments: "{}" } };
    const { deltas } = await askFor(
      events(event(chunk({ tool_calls: [call] })), event(chunk({}, "tool_calls"))),
    );
    const expected = { type: "tool_call", index: 0, id: "a", arguments: "{}" };
    assert.deepEqual(deltas[0], name === undefined ? expected : { ...expected, name }, sent);
  }
});

Deno.test("openaiClient fails when an answer failed, and keeps what came before", async () => {
  const bad: [unknown, RegExp][] = [
    [chunk({}, "error"), /finish_reason "error"/],
    [chunk({}, "abort"), /finish_reason "abort"/],
    [
      {
        choices: [{ delta: {}, error: { code: 502, message: "Upstream" }, finish_reason: "error" }],
      },
      /^LlmError: Endpoint broke off with an error: Upstream$/,
    ],
    [chunk({}, "tool_calls"), /finish_reason tool_calls, but sent no call$/],
    [{ object: "x", error: "Out of memory" }, /broke off with an error: Out of memory$/],
  ];
  for (const [last, message] of bad) {
    const { deltas, error } = await askFor(sse(chunk({ content: "x" }), last));
    assert.deepEqual(deltas, [{ type: "text", content: "x" }]);
    assert(error instanceof LlmError);
    assert.match(String(error), message);
    if (error.status === undefined) {
      assert.equal(error.code === "protocol", !/memory/.test(error.message));
    }
  }
  const whole = Response.json({ choices: [{ message: { content: "x" }, finish_reason: "error" }] });
  assert.match(String((await askFor(whole)).error), /finish_reason "error"/);
});

Deno.test("openaiClient passes an answer that says nothing on: whether it is an end is not its to say", async () => {
  const { deltas, error } = await askFor(sse(chunk({ content: "" }), chunk({}, "stop")));
  assert.equal(error, undefined);
  assert.deepEqual(deltas, [{ type: "finish", reason: "stop" }]);
});

Deno.test("openaiClient gives a <think> block as thought, not as text", async () => {
  const { deltas } = await askFor(
    sse(
      ...["<th", "ink>hm</think>", "\nHi", " <think>"].map((content) => chunk({ content })),
      chunk({}, "stop"),
    ),
  );
  const of = (type: string) =>
    deltas.flatMap((it) => "content" in it && it.type === type ? [it.content] : []).join("");
  assert.equal(of("thought"), "<think>hm</think>\n");
  assert.equal(of("text"), "Hi <think>");
});

Deno.test("openaiClient bounds one event as it does a whole answer", async () => {
  const body = ReadableStream.from(
    (function* () {
      const bytes = new TextEncoder().encode("data: " + "x".repeat(1000));
      for (;;) yield bytes;
    })(),
  );
  const { error } = await askFor(new Response(body), { maxAnswerBytes: 100_000 });
  assert.equal(
    String(error),
    "LlmError: Endpoint sent more than 100000 bytes in one answer",
  );
});

Deno.test("openaiClient trims the key", async () => {
  const { fetch, seen } = fakeFetch(sse(...[chunk({ content: "x" }, "stop")]));
  await ask(openaiClient({ apiKey: " sk-1\r\n", fetch }));
  assert.equal(new Headers(seen[0]?.init.headers).get("authorization"), "Bearer sk-1");
});
