import assert from "node:assert/strict";
import { z } from "zod";
import { type ChatDelta, LlmError, Quota } from "../llm/mod.ts";
import { defineTool, Registry, type Tool } from "../tool/mod.ts";
import { answers, assistant, call, done, play, say, ScriptedClient } from "./_fixtures_test.ts";
import { givenInput } from "./sendable_call.ts";

Deno.test("runAgent counts estimated usage where the endpoint tells none, and only there", async () => {
  const usage = (n: number) => ({ prompt_tokens: n, completion_tokens: 1, total_tokens: n + 1 });
  const client = new ScriptedClient(
    [say("a"), call("echo", '{"text":"x"}', "a"), done()],
    [call("echo", '{"text":"x"}', "b"), done(), { type: "usage", usage: usage(50) }],
    [say("cut"), done("length")],
  );
  const asked: unknown[] = [];
  const { events, result } = await play(client, {
    quota: new Quota({ maxTokens: 1000 }),
    estimateUsage: (request, answer) => {
      asked.push([request.length, answer]);
      return usage(100);
    },
  });
  assert.deepEqual(asked, [
    [1, assistant("a", ["a", "echo", '{"text":"x"}'])],
    [5, assistant("cut")],
  ]);
  assert.deepEqual(
    events.flatMap((event) =>
      event.type === "usage" ? [[event.usage.prompt_tokens, event.weighted_tokens]] : []
    ),
    [[100, 104], [50, 158], [100, 262]],
  );
  assert.deepEqual([result.usage.prompt_tokens, result.usage.completion_tokens], [250, 3]);
  // Nothing is warned of but the cut.
  assert.equal(events.filter(({ type }) => type === "warning").length, 1);
});

Deno.test("runAgent ends with the token budget that estimates spend", async () => {
  const step = [call("echo", '{"text":"x"}', "a"), done()];
  const { result } = await play(new ScriptedClient(step, step, step), {
    quota: new Quota({ maxTokens: 15 }),
    estimateUsage: () => ({ prompt_tokens: 10, completion_tokens: 0, total_tokens: 10 }),
  });
  assert.deepEqual([result.apiCalls, result.weightedTokens], [2, 20]);
});

Deno.test("runAgent estimates nothing for an answer that broke off", async () => {
  const { result } = await play(new ScriptedClient([say("Half"), new LlmError("No")]), {
    estimateUsage: () => {
      throw new Error("Asked");
    },
  });
  assert.equal(result.error?.message, "No");
  assert.equal(result.usage.total_tokens, 0);
});

Deno.test("runAgent waits for whoever is told of an answer before it runs the calls", async () => {
  const log: string[] = [];
  const note: Tool = defineTool({
    name: "note",
    description: "",
    input: z.object({}),
    execute: () => {
      log.push("run");
      return "noted";
    },
  });
  const client = new ScriptedClient(
    [call("note", "{}", "a"), call("note", "{}", "b"), done()],
    [say("Done"), done()],
  );
  await play(client, { tools: new Registry([note]) }, async (event) => {
    if (event.type === "tool_start" || event.type === "tool_end") log.push(event.type);
    if (event.type !== "message") return;
    await new Promise((resolve) => setTimeout(resolve, 1));
    log.push(`${event.message.role} kept`);
  });
  assert.deepEqual(log, [
    "assistant kept",
    ...["tool_start", "run", "tool kept", "tool_end"],
    ...["tool_start", "run", "tool kept", "tool_end"],
    "assistant kept",
  ]);
});

Deno.test("runAgent does not tell of an answer that was cut or broke off, but keeps what it can", async () => {
  for (const end of [done("content_filter"), new LlmError("No")]) {
    const client = new ScriptedClient([say("Half"), call("echo", '{"text":"x"}', "a"), end]);
    const { types, result } = await play(client);
    assert.equal(types.includes("message"), false);
    assert.deepEqual(result.messages.map(({ role }) => role), ["user", "assistant", "tool"]);
  }
});

Deno.test("runAgent keeps what the endpoint wants back, and no thinking that may be cut", async () => {
  const extra = { origin: "o", fields: { reasoning_content: "hm" } };
  const signed = { origin: "o", fields: { extra_content: "sig" } };
  const thinking: ChatDelta[] = [{ type: "extra", extra }, { type: "thought", content: "<think>" }];
  const signedCall = {
    type: "tool_call" as const,
    id: "a",
    name: "echo",
    arguments: '{"text":"x"}',
  };
  const client = new ScriptedClient(
    [...thinking, { ...signedCall, extra: signed }, done("tool_calls")],
    [...thinking, say("Half"), new LlmError("No")],
  );
  const { types, result } = await play(client);
  const [, first, , last] = result.messages;
  assert.deepEqual(first, {
    role: "assistant",
    content: "<think>",
    tool_calls: [{
      id: "a",
      type: "function",
      function: { name: "echo", arguments: '{"text":"x"}' },
    }],
    extras: { origin: "o", message: extra.fields, calls: { a: signed.fields } },
  });
  assert.deepEqual(client.requests[1]?.messages[1], first);
  assert.deepEqual(last, { role: "assistant", content: "<think>Half" });
  assert.equal(types.filter((type) => type === "text").length, 1);
  assert.equal(result.text, "Half");
});

Deno.test("runAgent gives an answer that says nothing as an empty text, and keeps no message of it", async () => {
  const nothing: ChatDelta[][] = [
    [],
    [say(" \n")],
    [{ type: "thought", content: "<think>hm</think>" }],
    [{ type: "extra", extra: { origin: "o", fields: { reasoning: "hm" } } }],
  ];
  for (const deltas of nothing) {
    const { result, types } = await play(new ScriptedClient([...deltas, done()]));
    assert.deepEqual([result.reason, result.text.trim()], ["stop", ""]);
    assert.deepEqual(result.messages.map(({ role }) => role), ["user"]);
    assert.equal(types.includes("message"), false);
  }
});

Deno.test("runAgent generates ids that go on counting through the run", async () => {
  const bare = { type: "tool_call" as const, name: "echo", arguments: '{"text":"x"}' };
  const client = new ScriptedClient([bare, bare, done()], [bare, done()], [done()]);
  const { result, events } = await play(client);
  const starts = events.flatMap((event) => event.type === "tool_start" ? [event.id] : []);
  assert.deepEqual(starts, ["call_1", "call_2", "call_3"]);
  assert.deepEqual(answers(result.messages), ["call_1: x", "call_2: x", "call_3: x"]);
});

Deno.test("runAgent sends calls back as every endpoint takes them", async () => {
  const client = new ScriptedClient(
    [
      call("functions.echo", '{"text":"x"}', "a"),
      call("echo", '{"text":', "b"),
      call("fail", " ", "c"),
      call("echo", '{"text":"\\ud83d \\ud83d\\ude00"}', "d"),
      call("echo", '{"text":"\ud83d', "e"),
      call("echo", '["x"]', "f"),
      call("echo", '"x"', "g"),
      call("echo", '{"text":"x\ny"}', "h"),
      done(),
    ],
    [done()],
  );
  const { events } = await play(client);
  const sent = client.requests[1]?.messages[1];
  assert(sent?.role === "assistant");
  assert.deepEqual(sent.tool_calls?.map((call) => call.function), [
    { name: "functions_echo", arguments: '{"text":"x"}' },
    { name: "echo", arguments: '{"malformed_arguments":"{\\"text\\":"}' },
    { name: "fail", arguments: "{}" },
    { name: "echo", arguments: '{"text":"\ufffd \u{1f600}"}' },
    { name: "echo", arguments: '{"malformed_arguments":"{\\"text\\":\\"\ufffd"}' },
    { name: "echo", arguments: '{"malformed_arguments":"[\\"x\\"]"}' },
    { name: "echo", arguments: '{"malformed_arguments":"\\"x\\""}' },
    { name: "echo", arguments: '{"text":"x\\u000ay"}' },
  ]);
  const contents = events.flatMap((event) => event.type === "tool_end" ? [event.content] : []);
  assert.match(contents[0] ?? "", /Unknown tool "functions\.echo" .*; did you mean echo\?$/);
  const inputs = events.flatMap((event) => event.type === "tool_start" ? [event.input] : []);
  assert.equal(inputs[1], '{"text":');
});

Deno.test("givenInput is the input of a call's tool_start, also of one that is sent back otherwise", async () => {
  const given = ['{"text":"x"}', "", "{", '{"text":', "[1]", '{"malformed_arguments":1}'];
  const client = new ScriptedClient(
    [...given.map((args, n) => call("echo", args, `c${n}`)), done()],
    [done()],
  );
  const { events, result } = await play(client);
  const inputs = events.flatMap((event) => event.type === "tool_start" ? [event.input] : []);
  assert.deepEqual(inputs, [{ text: "x" }, {}, "{", '{"text":', [1], { malformed_arguments: 1 }]);
  const message = result.messages[1];
  assert(message?.role === "assistant");
  assert.deepEqual(message.tool_calls?.map((call) => givenInput(call.function.arguments)), inputs);
});
