import assert from "node:assert/strict";
import { playAll, serveStep, sseOf, STEP } from "./_testing.ts";
import { type HttpScript, MockRequestError, responsesApi } from "./mod.ts";

function serve(step: unknown, fields: Record<string, unknown> = {}): HttpScript {
  return serveStep(responsesApi, "/v1/responses", step, { model: "m", input: "go", ...fields });
}

const json = (step: unknown) => JSON.parse(playAll(serve(step)).text);
const events = (step: unknown) => sseOf(playAll(serve(step, { stream: true })).text);

const text = (content: string, more: object = {}) => ({ response: { content, ...more } });
const usage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 64 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 107,
};
const call = {
  type: "function_call",
  id: "fc_c1",
  call_id: "c1",
  name: "read",
  arguments: '{"fd":3,"max_size":4096}',
  status: "completed",
};

Deno.test("responsesApi.json is the response object of OpenAI's API", () => {
  const { id, created_at, ...rest } = json(STEP);
  assert.match(id, /^resp_mock-[0-9a-f-]{36}$/);
  assert.ok(Math.abs(created_at - Date.now() / 1000) < 60);
  assert.deepEqual(rest, {
    object: "response",
    status: "completed",
    error: null,
    incomplete_details: null,
    model: "m",
    output: [
      {
        type: "message",
        id: id.replace("resp_", "msg_"),
        status: "completed",
        role: "assistant",
        content: [{ type: "output_text", text: "I look now.", annotations: [], logprobs: [] }],
      },
      call,
    ],
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    usage,
  });
});

Deno.test("responsesApi calls a tool of a namespace in that, unless one outside has its name", () => {
  const tool = (name: string) => ({ type: "function", name });
  const tools = [
    { type: "namespace", name: "mcp__one", tools: [tool("CliRun"), tool("read")] },
    { type: "namespace", name: "mcp__two", tools: [tool("CliRun")] },
    tool("read"),
  ];
  const calls = ["CliRun", "read"].map((name) => ({ function: { name, arguments: {} } }));
  const step = { response: { tool_calls: calls } };
  const { output } = JSON.parse(playAll(serve(step, { tools })).text);
  const called = { type: "function_call", arguments: "{}", status: "completed" };
  const [first, second] = [{ name: "CliRun", namespace: "mcp__one" }, { name: "read" }];
  assert.deepEqual(output, [
    { ...called, id: "fc_call_1_1", call_id: "call_1_1", ...first },
    { ...called, id: "fc_call_1_2", call_id: "call_1_2", ...second },
  ]);
  const sent = sseOf(playAll(serve(step, { tools, stream: true })).text)
    .filter(({ event }) => event === "response.output_item.done")
    .map(({ data }) => data.item.namespace);
  assert.deepEqual(sent, ["mcp__one", undefined]);
});

Deno.test("responsesApi.json tells why an answer was cut", () => {
  const cut = json(text("cut of", { finish_reason: "length" }));
  assert.deepEqual([cut.status, cut.incomplete_details], [
    "incomplete",
    { reason: "max_output_tokens" },
  ]);
  const filtered = json(text("", { finish_reason: "content_filter", usage: null }));
  assert.deepEqual([filtered.incomplete_details, filtered.usage], [
    { reason: "content_filter" },
    null,
  ]);
});

Deno.test("responsesApi.events sends each item from its beginning to its end, numbered", () => {
  const sent = events(STEP);
  for (const [index, { event, data }] of sent.entries()) {
    assert.deepEqual([event, data.sequence_number], [data.type, index]);
  }
  const ids = { item_id: sent[2]?.data.item.id, output_index: 0, content_index: 0 };
  assert.match(ids.item_id, /^msg_mock-/);
  const item = { type: "message", id: ids.item_id, role: "assistant" };
  const part = { type: "output_text", annotations: [], logprobs: [] };
  const at = { item_id: "fc_c1", output_index: 1 };
  assert.deepEqual(sent.slice(2, -1).map(({ data: { sequence_number: _, ...data } }) => data), [
    {
      type: "response.output_item.added",
      output_index: 0,
      item: { ...item, status: "in_progress", content: [] },
    },
    { type: "response.content_part.added", ...ids, part: { ...part, text: "" } },
    { type: "response.output_text.delta", ...ids, delta: "I", logprobs: [] },
    { type: "response.output_text.delta", ...ids, delta: " look", logprobs: [] },
    { type: "response.output_text.delta", ...ids, delta: " now.", logprobs: [] },
    { type: "response.output_text.done", ...ids, text: "I look now.", logprobs: [] },
    { type: "response.content_part.done", ...ids, part: { ...part, text: "I look now." } },
    {
      type: "response.output_item.done",
      output_index: 0,
      item: { ...item, status: "completed", content: [{ ...part, text: "I look now." }] },
    },
    {
      type: "response.output_item.added",
      output_index: 1,
      item: { ...call, arguments: "", status: "in_progress" },
    },
    { type: "response.function_call_arguments.delta", ...at, delta: '{"fd":3,"max_siz' },
    { type: "response.function_call_arguments.delta", ...at, delta: 'e":4096}' },
    {
      type: "response.function_call_arguments.done",
      ...at,
      name: "read",
      arguments: call.arguments,
    },
    { type: "response.output_item.done", output_index: 1, item: call },
  ]);
  const [created, inProgress] = sent;
  assert.deepEqual([created?.event, inProgress?.event], [
    "response.created",
    "response.in_progress",
  ]);
  assert.deepEqual([created?.data.response.output, created?.data.response.usage], [[], null]);
  const { event, data } = sent.at(-1) ?? {};
  assert.equal(event, "response.completed");
  assert.deepEqual([data.response.output.length, data.response.usage], [2, usage]);
  assert.equal(data.response.id, created?.data.response.id);
});

Deno.test("responsesApi.events has the bytes of server-sent events with their types", () => {
  const { text: stream } = playAll(serve(text("hi"), { stream: true }));
  const blocks = stream.split("\n\n");
  assert.equal(blocks.pop(), "");
  for (const block of blocks) {
    assert.match(
      block,
      /^event: (response\.[a-z_.]+)\ndata: \{"type":"\1",.*"sequence_number":\d+\}$/,
    );
  }
  assert.match(blocks.at(-1) ?? "", /^event: response\.completed\n/);
});

Deno.test("responsesApi.parse reads instructions, items, tools and results", () => {
  const request = responsesApi.parse({
    model: "m",
    instructions: "Be good",
    input: [
      { role: "developer", content: [{ type: "input_text", text: "rules" }] },
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_text", text: "environment" },
          { type: "input_image", image_url: "data:," },
          { type: "input_text", text: "the task" },
        ],
      },
      { type: "reasoning", id: "r", summary: [], content: null },
      { type: "function_call", call_id: "a", name: "exec_command", arguments: "{}" },
      { type: "custom_tool_call", call_id: "b", name: "apply_patch", input: "patch" },
      { type: "web_search_call", id: "w", status: "completed" },
      { type: "function_call_output", call_id: "a", output: "one" },
      {
        type: "custom_tool_call_output",
        call_id: "b",
        output: [{ type: "input_text", text: "2" }],
      },
    ],
    tools: [
      { type: "function", name: "exec_command" },
      { type: "custom", name: "apply_patch" },
      { type: "web_search" },
      { type: "namespace", name: "mcp", tools: [{ type: "function", name: "inner" }] },
    ],
    store: false,
  });
  assert.deepEqual(
    [request.system, request.userText, request.toolResults, request.messages, request.stream],
    [["Be good", "rules"], "the task", ["one", "2"], 8, false],
  );
  assert.deepEqual([...request.tools], [
    "exec_command",
    "apply_patch",
    "web_search",
    "mcp",
    "inner",
  ]);
  assert.equal(request.disorder, undefined);
  assert.equal(request.fields.has("store"), true);
});

Deno.test("responsesApi.parse finds calls without a result and results without a call", () => {
  const disorder = (...input: unknown[]) => responsesApi.parse({ input }).disorder;
  const asked = { type: "function_call", call_id: "a", name: "x", arguments: "" };
  const result = { type: "function_call_output", call_id: "a", output: "" };
  const user = { role: "user", content: "x" };
  assert.equal(disorder(asked, user, result), undefined);
  assert.equal(disorder(asked, user), "No tool result for the calls a");
  assert.equal(disorder(result), "input[0] answers 'a', which is not an open call before it");
});

Deno.test("responsesApi.parse refuses what is wrong, and what needs a kept conversation", () => {
  for (
    const [body, message, param] of [
      [{}, "Invalid 'input': Expected text or an array of items", "input"],
      [
        { input: [{ role: "user", content: 3 }] },
        "Invalid 'input': Expected text or an array of items",
        "input",
      ],
      [
        { input: "x", previous_response_id: "resp_1" },
        "The mock keeps no conversations: leave previous_response_id out and send the whole input",
        "previous_response_id",
      ],
    ] as const
  ) {
    assert.throws(() => responsesApi.parse(body), (error) => {
      assert.ok(error instanceof MockRequestError);
      assert.deepEqual([error.message, error.param], [message, param]);
      return true;
    });
  }
});

Deno.test("faults in the Responses API: failed in the stream, no last event, a status", () => {
  const failing = events({
    ...text("a b c"),
    fault: { error_after: 4, error: { message: "Busy", code: "server_is_overloaded" } },
  });
  assert.equal(failing.length, 5);
  const { event, data } = failing[4] ?? {};
  assert.deepEqual([event, data.sequence_number, data.response.status, data.response.error], [
    "response.failed",
    4,
    "failed",
    { code: "server_is_overloaded", message: "Busy" },
  ]);
  const open = events({ ...text("a"), fault: { no_finish_reason: true } });
  assert.equal(open.at(-1)?.event, "response.output_item.done");
  const limited = serve({ ...text("a"), fault: { status: 429, retry_after: 2 } });
  assert.deepEqual([limited.status, limited.headers["retry-after"]], [429, "2"]);
  assert.equal(JSON.parse(playAll(limited).text).error.code, "rate_limit_exceeded");
  assert.equal(
    playAll(serve({ ...text("a b"), fault: { cut_after: 3 } }, { stream: true })).end,
    "cut",
  );
});
