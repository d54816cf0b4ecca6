import assert from "node:assert/strict";
import { mockOf, payloadsOf, playAll, requestOf, user } from "./_testing.ts";
import { chatApi, type HttpScript, MockRequestError } from "./mod.ts";
import { testSeed } from "../streams/_testing.ts";

/** What the mock sends for one step whose trigger is `go`. */
function serve(step: unknown, fields: Record<string, unknown> = {}): HttpScript {
  const mock = mockOf([{ name: "go", trigger: "go", steps: [step] }]);
  const body = JSON.stringify({ model: "m", messages: [user("go")], ...fields });
  return mock.serve(chatApi, { path: "/", headers: [], body });
}

const STREAM = { stream: true, stream_options: { include_usage: true } };

/** The decoded events of a streamed answer. */
function events(step: unknown, fields: Record<string, unknown> = STREAM) {
  const payloads = payloadsOf(playAll(serve(step, fields)).text);
  assert.equal(payloads.pop(), "[DONE]");
  return payloads.map((payload) => JSON.parse(payload));
}

const text = (content: string) => ({ response: { content } });

Deno.test("chatApi.json is the completion object of OpenAI's API", () => {
  const script = serve({
    response: {
      content: "I look.",
      tool_calls: [{ id: "c1", function: { name: "read", arguments: { fd: 3 } } }],
    },
  });
  assert.equal(script.status, 200);
  assert.equal(script.headers["content-type"], "application/json");
  const { id, created, ...rest } = JSON.parse(playAll(script).text);
  assert.match(id, /^mock-[0-9a-f-]{36}$/);
  assert.ok(Math.abs(created - Date.now() / 1000) < 60);
  assert.deepEqual(rest, {
    object: "chat.completion",
    model: "m",
    choices: [{
      index: 0,
      message: {
        role: "assistant",
        content: "I look.",
        tool_calls: [{
          id: "c1",
          type: "function",
          function: { name: "read", arguments: '{"fd":3}' },
        }],
      },
      finish_reason: "tool_calls",
    }],
    usage: { prompt_tokens: 1, completion_tokens: 5, total_tokens: 6 },
  });
});

Deno.test("chatApi.json has null content for calls alone and no tool_calls without calls", () => {
  const message = (step: unknown) => JSON.parse(playAll(serve(step)).text).choices[0].message;
  const calls = [{ function: { name: "exit", arguments: "" } }];
  assert.equal(message({ response: { tool_calls: calls } }).content, null);
  assert.deepEqual(message(text("hi")), { role: "assistant", content: "hi" });
  assert.deepEqual(message({ response: {} }), { role: "assistant", content: "" });
});

Deno.test("chatApi.json takes a given finish reason", () => {
  const step = { response: { content: "cut of", finish_reason: "length" } };
  assert.equal(JSON.parse(playAll(serve(step)).text).choices[0].finish_reason, "length");
  assert.equal(events(step).at(-2).choices[0].finish_reason, "length");
});

Deno.test("chatApi.events sends role, text, calls, finish reason and usage in this order", () => {
  const sent = events({
    response: {
      content: "I look now.",
      tool_calls: [
        { id: "c1", function: { name: "read", arguments: '{"fd":3,"max_size":4096}' } },
        { id: "c2", function: { name: "exit", arguments: "" } },
      ],
    },
  });
  const [first] = sent;
  assert.match(first.id, /^mock-/);
  for (const { id, object, created, model } of sent) {
    assert.deepEqual([id, object, created, model], [
      first.id,
      "chat.completion.chunk",
      first.created,
      "m",
    ]);
  }
  const usage = sent.pop();
  assert.deepEqual(usage.choices, []);
  assert.deepEqual(usage.usage, { prompt_tokens: 1, completion_tokens: 11, total_tokens: 12 });
  for (const event of sent) assert.equal(event.usage, null);
  assert.deepEqual(sent.map(({ choices: [{ delta }] }) => delta), [
    { role: "assistant", content: "" },
    { content: "I" },
    { content: " look" },
    { content: " now." },
    {
      tool_calls: [{
        index: 0,
        id: "c1",
        type: "function",
        function: { name: "read", arguments: "" },
      }],
    },
    { tool_calls: [{ index: 0, function: { arguments: '{"fd":3,"max_siz' } }] },
    { tool_calls: [{ index: 0, function: { arguments: 'e":4096}' } }] },
    {
      tool_calls: [{
        index: 1,
        id: "c2",
        type: "function",
        function: { name: "exit", arguments: "" },
      }],
    },
    {},
  ]);
  const reasons = sent.map(({ choices: [{ finish_reason }] }) => finish_reason);
  assert.deepEqual(reasons, [...Array(sent.length - 1).fill(null), "tool_calls"]);
});

Deno.test("chatApi.events reports usage only when asked for", () => {
  const sent = events(text("hi"), { stream: true });
  assert.equal(sent.length, 3);
  for (const event of sent) assert.ok(!("usage" in event));
  const none = events({ response: { content: "hi", usage: null } });
  assert.equal(none.length, 3);
});

Deno.test("chatApi.events gives the text back whole, whatever its characters", () => {
  const seed = testSeed();
  console.log(`seed ${seed}`);
  let state = seed || 1;
  const random = (below: number) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9 | 0;
    return (state >>> 0) % below;
  };
  const alphabet = [
    ..."ab .\n\t\r\0",
    "\u00e4",
    "\u65e5\u672c",
    "\ud83d\udc1f",
    "\u3000",
    "\u2028",
  ];
  for (let round = 0; round < 50; round++) {
    const content = Array.from({ length: random(200) }, () => alphabet[random(alphabet.length)])
      .join("");
    const args = JSON.stringify({ content });
    const sent = events({
      response: { content, tool_calls: [{ function: { name: "w", arguments: args } }] },
    });
    let got = "";
    let gotArgs = "";
    for (const { choices: [choice] } of sent) {
      const piece = choice?.delta.content ?? "";
      assert.ok(piece.isWellFormed());
      assert.ok(piece.length <= 64 + 24);
      got += piece;
      gotArgs += choice?.delta.tool_calls?.[0].function.arguments ?? "";
    }
    assert.equal(got, content);
    assert.equal(gotArgs, args);
  }
});

Deno.test("chatApi.events sends a lone surrogate and a long run of blanks whole", () => {
  for (const content of ["a\ud83d b", " ".repeat(1000) + "x".repeat(1000) + "\n".repeat(100)]) {
    const sent = events(text(content));
    assert.equal(sent.map(({ choices: [it] }) => it?.delta.content ?? "").join(""), content);
  }
});

Deno.test("chatApi.parse takes unknown fields, null content and null options", () => {
  const request = chatApi.parse({
    messages: [
      { role: "assistant", content: null, tool_calls: null, refusal: null },
      { role: "user", content: "hi", name: "me" },
    ],
    tools: null,
    stream: null,
    stream_options: null,
    reasoning_effort: "low",
  });
  assert.equal(request.model, "mock-model");
  assert.equal(request.userText, "hi");
  assert.equal(request.stream, false);
  assert.ok(request.fields.has("reasoning_effort"));
});

Deno.test("chatApi.parse without a user message has an empty text and counts all tool results", () => {
  const request = requestOf([{ role: "system", content: [{ type: "text", text: "s" }] }]);
  assert.deepEqual([request.userText, request.system, request.toolResults], ["", ["s"], []]);
});

Deno.test("chatApi.parse names the field that is wrong", () => {
  for (
    const [body, message, param] of [
      [[], "Invalid request body: Expected object, received array", null],
      [{}, "Invalid 'messages': Expected array, received undefined", "messages"],
      [
        { messages: [{ role: "usr", content: "" }] },
        "Invalid 'messages[0].role': Expected a role: system, developer, user, assistant or tool",
        "messages[0].role",
      ],
      [
        { messages: [user("a"), { role: "tool", content: "b" }] },
        "Invalid 'messages[1].tool_call_id': Expected string, received undefined",
        "messages[1].tool_call_id",
      ],
      [
        { messages: [user(3)] },
        "Invalid 'messages[0].content': Expected text or an array of parts",
        "messages[0].content",
      ],
      [
        { messages: [], stream: "yes" },
        "Invalid 'stream': Expected boolean, received string",
        "stream",
      ],
    ] as const
  ) {
    assert.throws(() => chatApi.parse(body), (error) => {
      assert.ok(error instanceof MockRequestError);
      assert.deepEqual([error.message, error.param, error.code], [message, param, "invalid_value"]);
      return true;
    });
  }
});

Deno.test("Mock.serve answers a body that is not JSON with OpenAI's error object", () => {
  const script = mockOf([]).serve(chatApi, { path: "/", headers: [], body: "{" });
  assert.equal(script.status, 400);
  const { error } = JSON.parse(playAll(script).text);
  assert.match(error.message, /^The request body is not JSON: /);
  assert.deepEqual({ ...error, message: "" }, {
    message: "",
    type: "invalid_request_error",
    code: "invalid_json",
    param: null,
  });
});
