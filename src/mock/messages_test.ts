import assert from "node:assert/strict";
import { playAll, serveStep, sseOf, STEP } from "./_testing.ts";
import { type HttpScript, messagesApi, MockRequestError } from "./mod.ts";

const body = { model: "m", max_tokens: 10, messages: [{ role: "user", content: "go" }] };

function serve(step: unknown, fields: Record<string, unknown> = {}): HttpScript {
  return serveStep(messagesApi, "/v1/messages", step, { ...body, ...fields });
}

const json = (step: unknown) => JSON.parse(playAll(serve(step)).text);
const events = (step: unknown) => sseOf(playAll(serve(step, { stream: true })).text);

const text = (content: string, more: object = {}) => ({ response: { content, ...more } });
const usage = {
  input_tokens: 36,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 64,
  output_tokens: 7,
};

Deno.test("messagesApi.json is the message object of Anthropic's API", () => {
  const script = serve(STEP);
  const { id, ...rest } = JSON.parse(playAll(script).text);
  assert.match(id, /^msg_mock-[0-9a-f-]{36}$/);
  assert.equal(`msg_${script.headers["request-id"]}`, id);
  assert.deepEqual(rest, {
    type: "message",
    role: "assistant",
    model: "m",
    content: [
      { type: "text", text: "I look now." },
      { type: "tool_use", id: "c1", name: "read", input: { fd: 3, max_size: 4096 } },
    ],
    stop_reason: "tool_use",
    stop_sequence: null,
    usage,
  });
});

Deno.test("messagesApi.json has a stop reason for each finish reason, and no empty text", () => {
  for (
    const [finish_reason, stop_reason] of [
      ["stop", "end_turn"],
      ["length", "max_tokens"],
      ["content_filter", "refusal"],
      ["tool_calls", "tool_use"],
    ]
  ) {
    assert.equal(json(text("", { finish_reason })).stop_reason, stop_reason);
  }
  assert.deepEqual(json(text("")).content, []);
  assert.equal("usage" in json(text("", { usage: null })), false);
});

Deno.test("messagesApi.events sends the blocks in order, each from its beginning to its end", () => {
  const sent = events(STEP);
  for (const { event, data } of sent) assert.equal(event, data.type);
  const { id, ...message } = sent[0]?.data.message ?? {};
  assert.match(id, /^msg_mock-/);
  assert.deepEqual(message, {
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: 1 },
  });
  const delta = (index: number, delta: object) => ({ type: "content_block_delta", index, delta });
  assert.deepEqual(sent.slice(1).map(({ data }) => data), [
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    delta(0, { type: "text_delta", text: "I" }),
    delta(0, { type: "text_delta", text: " look" }),
    delta(0, { type: "text_delta", text: " now." }),
    { type: "content_block_stop", index: 0 },
    {
      type: "content_block_start",
      index: 1,
      content_block: { type: "tool_use", id: "c1", name: "read", input: {} },
    },
    delta(1, { type: "input_json_delta", partial_json: '{"fd":3,"max_siz' }),
    delta(1, { type: "input_json_delta", partial_json: 'e":4096}' }),
    { type: "content_block_stop", index: 1 },
    { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage },
    { type: "message_stop" },
  ]);
});

Deno.test("messagesApi.events has the bytes of server-sent events with their types", () => {
  const blocks = playAll(serve(text("hi", { usage: null }), { stream: true })).text.split("\n\n");
  assert.deepEqual(blocks.slice(1), [
    'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hi"}}',
    'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}',
    'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null}}',
    'event: message_stop\ndata: {"type":"message_stop"}',
    "",
  ]);
});

Deno.test("messagesApi.parse takes a message of tool results for no message of the user's", () => {
  const request = messagesApi.parse({
    model: "m",
    system: [{ type: "text", text: "Be good" }],
    messages: [
      {
        role: "user",
        content: [{ type: "text", text: "<system-reminder>" }, { type: "text", text: "the task" }],
      },
      { role: "system", content: "Skills" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "", signature: "" },
          { type: "tool_use", id: "a", name: "Bash", input: { command: "ls" } },
          { type: "tool_use", id: "b", name: "Bash" },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "b", content: [{ type: "text", text: "one" }] },
          { type: "tool_result", tool_use_id: "a", content: "two", is_error: true },
          { type: "text", text: "<system-reminder>" },
        ],
      },
    ],
    tools: [{ name: "Bash", input_schema: {} }, {
      type: "web_search_20250305",
      name: "web_search",
    }],
    stream: true,
  });
  assert.deepEqual(
    [request.system, request.userText, request.toolResults, request.disorder],
    [["Be good", "Skills"], "the task", ["one", "two"], undefined],
  );
  assert.deepEqual([[...request.tools], request.stream], [["Bash", "web_search"], true]);
});

Deno.test("messagesApi.parse finds calls without a result", () => {
  const request = messagesApi.parse({
    messages: [
      { role: "user", content: "x" },
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "Bash", input: {} }] },
      { role: "user", content: "y" },
    ],
  });
  assert.equal(
    request.disorder,
    "The assistant message before messages[2] has calls without a tool result: a",
  );
});

Deno.test("messagesApi.parse names the field that is wrong", () => {
  for (
    const [messages, message] of [
      [[{ role: "tool", content: "" }], /^Invalid 'messages\[0\]\.role': /],
      [
        [{ role: "user", content: 3 }],
        /^Invalid 'messages\[0\]\.content': Expected text or an array of blocks$/,
      ],
      [
        [{ role: "user", content: [{ type: "tool_result", content: "" }] }],
        /^Invalid 'messages\[0\]\.content\[0\]\.tool_use_id': Expected string, received undefined$/,
      ],
    ] as const
  ) {
    assert.throws(() => messagesApi.parse({ messages }), (error) => {
      assert.ok(error instanceof MockRequestError);
      assert.match(error.message, message);
      return true;
    });
  }
});

Deno.test("messagesApi counts the tokens of a request without a scenario", () => {
  const script = serveStep(messagesApi, "/v1/messages/count_tokens", STEP, {
    ...body,
    messages: [{ role: "user", content: "12345678" }],
  });
  assert.deepEqual([script.status, JSON.parse(playAll(script).text)], [200, { input_tokens: 2 }]);
});

Deno.test("faults in the Messages API: an error event, no end, statuses and their types", () => {
  const failing = events({
    ...text("a b c"),
    fault: { error_after: 2, error: { message: "Busy", type: "overloaded_error" } },
  });
  assert.equal(failing.length, 3);
  assert.deepEqual(failing[2], {
    event: "error",
    data: { type: "error", error: { type: "overloaded_error", message: "Busy" } },
  });
  const endless = events({ ...text("a"), fault: { no_done: true } });
  assert.equal(endless.at(-1)?.event, "message_delta");
  const open = events({ ...text("a"), fault: { no_finish_reason: true } });
  assert.equal(open.at(-2)?.data.delta.stop_reason, null);
  for (
    const [status, type] of [[429, "rate_limit_error"], [529, "overloaded_error"], [
      400,
      "invalid_request_error",
    ], [500, "api_error"]]
  ) {
    const script = serve({ fault: { status } });
    const error = { type, message: `The scenario asks for status ${status}` };
    assert.deepEqual([script.status, JSON.parse(playAll(script).text)], [status, {
      type: "error",
      error,
    }]);
  }
});
