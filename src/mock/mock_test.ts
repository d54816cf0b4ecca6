import assert from "node:assert/strict";
import { assistantCalls, fileOf, mockOf, requestOf, toolResult, user } from "./_testing.ts";
import { chatApi, Mock, parseScenarios } from "./mod.ts";
import spec from "../../scenarios/spec.json" with { type: "json" };

const say = (content: string) => ({ response: { content } });
const call = (...names: string[]) => ({
  response: { tool_calls: names.map((name) => ({ function: { name, arguments: {} } })) },
});
const scenario = (trigger: string, ...steps: unknown[]) => ({
  name: trigger || "any",
  trigger,
  steps,
});

Deno.test("Mock goes on to the next step of hello-world with each tool result", () => {
  const mock = new Mock({ scenarios: parseScenarios(spec, "spec.json") });
  const messages: unknown[] = [user("Please write hello world in Python")];
  const first = mock.respond(requestOf(messages));
  assert.equal(first.answer?.content, "I'll create a hello world Python script for you.");
  assert.equal(first.answer?.finishReason, "tool_calls");
  assert.deepEqual(first.answer?.toolCalls, [{
    id: "call_001",
    type: "function",
    function: {
      name: "write_file",
      arguments: `{"path": "hello.py", "content": "print('Hello, World!')"}`,
    },
  }]);
  messages.push(assistantCalls("call_001"), toolResult("OK", "call_001"));
  const second = mock.respond(requestOf(messages));
  assert.equal(second.answer?.toolCalls[0]?.function.name, "bash");
  messages.push(assistantCalls("call_002"), toolResult("Hello, World!", "call_002"));
  const third = mock.respond(requestOf(messages));
  assert.equal(
    third.answer?.content,
    "Done! The script works correctly and outputs 'Hello, World!'",
  );
  assert.equal(third.answer?.finishReason, "stop");
  assert.deepEqual([third.scenario, third.step, third.kind], ["hello-world", 2, "answer"]);
});

Deno.test("Mock counts steps after the last user message, so a second scenario begins at its start", () => {
  const mock = mockOf([scenario("one", call("read"), say("1")), scenario("two", say("2"))]);
  const messages = [
    user("one"),
    assistantCalls("a"),
    toolResult("x", "a"),
    { role: "assistant", content: "1" },
    user("two"),
  ];
  assert.equal(mock.respond(requestOf(messages)).answer?.content, "2");
});

Deno.test("Mock takes as many tool results for a step as it has calls", () => {
  const mock = mockOf([scenario("go", call("a", "b"), call("c"), say("end"))]);
  const results = (count: number) => [
    user("go"),
    ...Array.from({ length: count }, () => toolResult("x")),
  ];
  const steps = [0, 1, 2, 3, 4].map((count) => mock.respond(requestOf(results(count))).step);
  assert.deepEqual(steps, [0, 0, 1, 2, 3]);
});

Deno.test("Mock answers by default past the last step and without a match", () => {
  const mock = mockOf([scenario("go", say("1"))]);
  const past = mock.respond(requestOf([user("go"), toolResult("x")]));
  assert.deepEqual([past.kind, past.scenario, past.step], ["default", "go", 1]);
  assert.equal(
    past.answer?.content,
    "I'm a mock server. I only understand specific test scenarios.",
  );
  const none = mock.respond(requestOf([user("stop")]));
  assert.deepEqual([none.kind, none.scenario], ["default", undefined]);
  const own = new Mock({ scenarios: { scenarios: [], default_response: { content: "What?" } } });
  assert.equal(own.respond(requestOf([user("x")])).answer?.content, "What?");
});

Deno.test("Mock takes the first match in file order and tells upper from lower case", () => {
  const mock = mockOf([
    scenario("Hello", say("upper")),
    scenario("hell", say("first")),
    scenario("hello", say("never")),
  ]);
  assert.equal(mock.respond(requestOf([user("oh hello")])).answer?.content, "first");
  assert.equal(mock.respond(requestOf([user("oh Hello")])).answer?.content, "upper");
});

Deno.test("Mock matches the last text part of the last user message only", () => {
  const mock = mockOf([scenario("environment", say("wrong")), scenario("task", say("right"))]);
  const parts = [
    { type: "text", text: "environment" },
    { type: "text", text: "the task" },
    { type: "image_url", image_url: { url: "data:," } },
  ];
  const messages = [user("environment"), { role: "assistant", content: "ok" }, user(parts)];
  assert.equal(mock.respond(requestOf(messages)).answer?.content, "right");
});

Deno.test("Mock matches by regex, model, system text, tool result and body field", () => {
  const mock = mockOf([
    { name: "regex", match: { regex: "^count \\d+$", flags: "i" }, steps: [say("regex")] },
    { name: "model", match: { model: "big" }, steps: [say("model")] },
    { name: "system", match: { system_contains: "- fd 3:" }, steps: [say("system")] },
    { name: "result", match: { tool_result_contains: "No such" }, steps: [say(""), say("result")] },
    { name: "field", match: { body_has: "max_tokens" }, steps: [say("field")] },
    { name: "both", trigger: "go", match: { model: "m", regex: "x" }, steps: [say("both")] },
  ]);
  const answers = (messages: unknown[], fields = {}) =>
    mock.respond(requestOf(messages, fields)).scenario;
  assert.equal(answers([user("Count 12")]), "regex");
  assert.equal(answers([user("count x")]), undefined);
  assert.equal(answers([user("x")], { model: "big" }), "model");
  assert.equal(answers([{ role: "developer", content: "fds:\n- fd 3: a" }, user("x")]), "system");
  assert.equal(
    answers([user("x"), toolResult([{ type: "text", text: "No such file" }])]),
    "result",
  );
  assert.equal(answers([user("x"), toolResult("No such"), toolResult("OK")]), undefined);
  assert.equal(answers([user("x"), toolResult("No such"), user("y")]), undefined);
  assert.equal(answers([user("x")], { max_tokens: 5 }), "field");
  assert.equal(answers([user("go x")]), "both");
  assert.equal(answers([user("go y")]), undefined);
});

Deno.test("Mock passes over a scenario whose step does not match: branches on a tool result", () => {
  const mock = mockOf([
    scenario("fix", call("run"), { match: { tool_result_contains: "error" }, ...say("It failed") }),
    scenario("fix", call("run"), say("It worked")),
  ]);
  const after = (result: string) =>
    mock.respond(requestOf([user("fix"), toolResult(result)])).answer?.content;
  assert.equal(after("error: 1"), "It failed");
  assert.equal(after("fine"), "It worked");
});

Deno.test("Mock in strict mode refuses what nothing matches and names the triggers", () => {
  const mock = mockOf([
    scenario("hello world", say("1")),
    { name: "re", match: { regex: "a+", flags: "i" }, steps: [say("2")] },
    { name: "by model", match: { model: "big" }, steps: [say("3")] },
  ], { strict: true });
  assert.deepEqual(mock.respond(requestOf([user('do "it"')])).error, {
    message: 'No scenario matches "do \\"it\\"" (triggers: "hello world", /a+/i, (by model))',
    type: "invalid_request_error",
    code: "no_scenario",
    param: null,
  });
  const past = mock.respond(
    requestOf([user("hello world"), assistantCalls("a"), toolResult("x", "a")]),
  );
  assert.equal(past.error?.message, "Scenario 'hello world' has no step 2; its last is 1");
});

Deno.test("Mock in strict mode refuses messages in an order that the real endpoint refuses", () => {
  const mock = mockOf([scenario("", say("1"))], { strict: true });
  const refusal = (...messages: unknown[]) => mock.respond(requestOf(messages)).error?.message;
  assert.equal(
    refusal(user("x"), assistantCalls("a", "b"), toolResult("1", "a"), user("y")),
    "The assistant message before messages[3] has calls without a tool result: b",
  );
  assert.equal(
    refusal(user("x"), assistantCalls("a")),
    "The assistant message before messages[2] has calls without a tool result: a",
  );
  assert.equal(
    refusal(user("x"), toolResult("1", "a")),
    "messages[1] answers 'a', which is not an open call of the assistant message before it",
  );
  assert.match(
    refusal(user("x"), assistantCalls("a"), toolResult("1", "a"), toolResult("1", "a")) ?? "",
    /^messages\[3\] answers 'a'/,
  );
  const { step } = mockOf([scenario("", call("a", "b"), say("1"))], { strict: true }).respond(
    requestOf([user("x"), assistantCalls("a", "b"), toolResult("1", "b"), toolResult("2", "a")]),
  );
  assert.equal(step, 1);
});

Deno.test("Mock makes call ids that are unique in a conversation and keeps given ones", () => {
  const mock = mockOf([scenario("go", call("a", "b"), call("c"))]);
  const ids = (messages: unknown[]) =>
    mock.respond(requestOf(messages)).answer?.toolCalls.map(({ id }) => id);
  assert.deepEqual(ids([user("go")]), ["call_1_1", "call_1_2"]);
  assert.deepEqual(
    ids([user("go"), assistantCalls("call_1_1", "call_1_2"), toolResult("x"), toolResult("y")]),
    ["call_4_1"],
  );
});

Deno.test("Mock sends arguments given as an object as JSON and text as it is", () => {
  const mock = mockOf([scenario("go", {
    response: {
      tool_calls: [
        { function: { name: "write", arguments: { fd: 1, data: "\u00e4\n" } } },
        { function: { name: "write", arguments: '{"fd": 1, "da' } },
      ],
    },
  })]);
  const calls = mock.respond(requestOf([user("go")])).answer?.toolCalls;
  assert.deepEqual(calls?.map((it) => it.function.arguments), [
    '{"fd":1,"data":"\u00e4\\n"}',
    '{"fd": 1, "da',
  ]);
});

Deno.test("Mock computes usage from characters, and takes a given one", () => {
  const answer = (response: unknown) =>
    mockOf([scenario("go", { response })]).respond(
      requestOf([{ role: "system", content: "12345" }, user("go go go")], { tools: [{ a: 1 }] }),
    ).answer;
  // 5 + 8 characters of messages and 9 of tools; 9 of the answer.
  assert.deepEqual(answer({ content: "123456789" })?.usage, {
    prompt_tokens: 6,
    completion_tokens: 3,
    total_tokens: 9,
  });
  // 4 characters of the name and 10 of the arguments.
  const calls = [{ function: { name: "exit", arguments: { code: 0 } } }];
  assert.equal(answer({ tool_calls: calls })?.usage?.completion_tokens, Math.ceil((4 + 10) / 4));
  assert.deepEqual(
    answer({ content: "", usage: { prompt_tokens: 100, cached_tokens: 64 } })?.usage,
    {
      prompt_tokens: 100,
      completion_tokens: 0,
      total_tokens: 100,
      prompt_tokens_details: { cached_tokens: 64 },
    },
  );
  assert.equal(answer({ usage: null })?.usage, null);
});

Deno.test("Mock repeats a fault for its times, then answers, then begins again", () => {
  const mock = mockOf([scenario("go", {
    ...say("ok"),
    fault: [{ times: 2, status: 503 }, { times: 1, status: 429 }],
  })]);
  const attempts = Array.from({ length: 8 }, () => {
    const { attempt, fault, kind } = mock.respond(requestOf([user("go")]));
    return [attempt, fault?.status, kind];
  });
  const round = [
    [1, 503, "fault"],
    [2, 503, "fault"],
    [3, 429, "fault"],
    [4, undefined, "answer"],
  ];
  assert.deepEqual(attempts, [...round, ...round]);
});

Deno.test("Mock keeps a last fault without times for ever", () => {
  const mock = mockOf([scenario("go", { fault: [{ times: 1, status: 429 }, { status: 500 }] })]);
  const statuses = Array.from(
    { length: 4 },
    () => mock.respond(requestOf([user("go")])).fault?.status,
  );
  assert.deepEqual(statuses, [429, 500, 500, 500]);
});

Deno.test("Mocks of one scenario file count faults apart", () => {
  const file = fileOf([scenario("go", { fault: { times: 1, status: 429 } })]);
  const [one, two] = [new Mock({ scenarios: file }), new Mock({ scenarios: file })];
  assert.equal(one.respond(requestOf([user("go")])).fault?.status, 429);
  assert.equal(two.respond(requestOf([user("go")])).fault?.status, 429);
  assert.equal(one.respond(requestOf([user("go")])).fault, undefined);
});

Deno.test("Mock lists the models that scenarios ask for", () => {
  const mock = mockOf([
    { name: "a", match: { model: "big" }, steps: [{ ...say(""), match: { model: "small" } }] },
    { name: "b", match: { model: "big" }, steps: [say("")] },
  ]);
  assert.deepEqual(mock.models, ["mock-model", "big", "small"]);
});

Deno.test("Mock.serve notes each request in the journal, without secrets", () => {
  const mock = mockOf([scenario("go", { ...say("ok"), fault: { times: 1, status: 429 } })]);
  const headers = [
    ["authorization", "Bearer sk-secret"],
    ["x-api-key", "sk-secret"],
    ["user-agent", "test"],
  ] as const;
  const serve = (body: string) =>
    mock.serve(chatApi, { path: "/v1/chat/completions", headers, body });
  const body = { model: "m", stream: true, messages: [user("go")] };
  serve(JSON.stringify(body)).ended("complete");
  serve(JSON.stringify(body)).ended("cancelled");
  serve("{").ended("complete");
  serve(JSON.stringify({ messages: 3 }));
  const entries = mock.journal.entries.map(({ time, ...entry }) => {
    assert.ok(!Number.isNaN(Date.parse(time)));
    return entry;
  });
  const hidden = {
    authorization: "[hidden]",
    "x-api-key": "[hidden]",
    "user-agent": "test",
  };
  const common = { path: "/v1/chat/completions", headers: hidden };
  assert.deepEqual(entries, [
    {
      ...common,
      number: 1,
      body,
      kind: "fault",
      scenario: "go",
      step: 0,
      attempt: 1,
      fault: ["times", "status"],
      status: 429,
      stream: true,
      end: "complete",
    },
    {
      ...common,
      number: 2,
      body,
      kind: "answer",
      scenario: "go",
      step: 0,
      attempt: 2,
      status: 200,
      stream: true,
      end: "cancelled",
    },
    { ...common, number: 3, body: "{", kind: "error", status: 400, stream: false, end: "complete" },
    { ...common, number: 4, body: { messages: 3 }, kind: "error", status: 400, stream: false },
  ]);
  assert.ok(!JSON.stringify(entries).includes("secret"));
});
