import assert from "node:assert/strict";
import { z } from "zod";
import { LlmError, Quota } from "../llm/mod.ts";
import { LimitError } from "../streams/mod.ts";
import { defineTool, lazyTool, Registry, type Tool } from "../tool/mod.ts";
import {
  answers,
  assistant,
  call,
  checkConversation,
  done,
  echo,
  exit,
  fail,
  play,
  say,
  ScriptedClient,
  USER,
} from "./_fixtures_test.ts";
import { turnRequest } from "./turn_request.ts";

Deno.test("runAgent goes from request to tool to request until a final answer", async () => {
  const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
  const client = new ScriptedClient(
    [say("Let "), say("me"), call("echo", '{"text":"hi"}', "a"), done("tool_calls"), {
      type: "usage",
      usage,
    }],
    [say("Done"), done(), { type: "usage", usage }],
  );
  const times = [1000, 3500];
  const { events, result } = await play(client, { now: () => times.shift() ?? 0 });
  const total = (n: number) => ({
    prompt_tokens: 10 * n,
    completion_tokens: 2 * n,
    total_tokens: 12 * n,
    prompt_tokens_details: { cached_tokens: 0 },
  });
  assert.deepEqual(events, [
    { type: "run_start", model: "m" },
    { type: "turn_start", turn: 1 },
    { type: "text", content: "Let " },
    { type: "text", content: "me" },
    { type: "usage", usage, total: total(1), api_calls: 1, weighted_tokens: 18 },
    { type: "message", message: assistant("Let me", ["a", "echo", '{"text":"hi"}']) },
    { type: "tool_start", id: "a", name: "echo", input: { text: "hi" } },
    { type: "message", message: { role: "tool", tool_call_id: "a", content: "hi" } },
    {
      type: "tool_end",
      id: "a",
      name: "echo",
      content: "hi",
      error: false,
      details: { length: 2 },
    },
    { type: "turn_end", turn: 1, finish_reason: "tool_calls" },
    { type: "turn_start", turn: 2 },
    { type: "text", content: "Done" },
    { type: "usage", usage, total: total(2), api_calls: 2, weighted_tokens: 36 },
    { type: "message", message: assistant("Done") },
    { type: "turn_end", turn: 2, finish_reason: "stop" },
    { type: "run_end", reason: "stop", api_calls: 2, seconds: 2.5 },
  ]);
  assert.deepEqual(result, {
    reason: "stop",
    messages: [
      USER,
      assistant("Let me", ["a", "echo", '{"text":"hi"}']),
      { role: "tool", tool_call_id: "a", content: "hi" },
      assistant("Done"),
    ],
    text: "Done",
    turns: 2,
    usage: total(2),
    weightedTokens: 36,
    apiCalls: 2,
    seconds: 2.5,
  });
  assert.deepEqual(client.requests[1]?.messages, result.messages.slice(0, 3));
  assert.deepEqual(client.requests[0]?.tools?.map((tool) => tool.function.name), [
    "echo",
    "fail",
    "exit",
  ]);
});

Deno.test("runAgent does not change the messages it is given, nor keep state between runs", async () => {
  const messages = [USER];
  for (let i = 0; i < 2; i++) {
    const { result } = await play(new ScriptedClient([say("Hi"), done()]), { messages });
    assert.deepEqual(messages, [USER]);
    assert.equal(result.messages.length, 2);
    assert.equal(result.apiCalls, 1);
  }
});

Deno.test("runAgent runs the calls of one message in order, one after another", async () => {
  const log: string[] = [];
  const slow: Tool = defineTool({
    name: "slow",
    description: "",
    input: z.object({ n: z.number() }),
    execute: async ({ n }) => {
      log.push(`start ${n}`);
      await new Promise((resolve) => setTimeout(resolve, 5 - n));
      log.push(`end ${n}`);
      return `${n}`;
    },
  });
  const client = new ScriptedClient(
    [1, 2, 3].map((n) => call("slow", `{"n":${n}}`, `c${n}`)).concat(done("tool_calls")),
    [say("All"), done()],
  );
  const { result } = await play(client, { tools: new Registry([slow]) });
  assert.deepEqual(log, ["start 1", "end 1", "start 2", "end 2", "start 3", "end 3"]);
  assert.deepEqual(answers(result.messages), ["c1: 1", "c2: 2", "c3: 3"]);
  assert.deepEqual(result.messages.at(-1), assistant("All"));
});

Deno.test("runAgent ends at a tool with stop and answers the calls after it without running them", async () => {
  const client = new ScriptedClient([
    say("Bye"),
    call("echo", '{"text":"x"}', "a"),
    call("exit", '{"code":3}', "b"),
    call("fail", "{}", "c"),
    done("tool_calls"),
  ]);
  const { events, types, result } = await play(client);
  assert.equal(result.reason, "tool");
  assert.equal(result.text, "Bye");
  assert.deepEqual(result.stoppedBy, {
    id: "b",
    name: "exit",
    result: { content: "exit 3", stop: true, details: { code: 3 } },
  });
  assert.deepEqual(answers(result.messages), [
    "a: x",
    "b: exit 3",
    "c: Not run: exit ended the run",
  ]);
  assert.deepEqual(types.slice(3), [
    ...["message", "tool_start", "message", "tool_end", "tool_start", "message", "tool_end"],
    ...["message", "turn_end", "run_end"],
  ]);
  assert.deepEqual(events.at(-1), { type: "run_end", reason: "tool", api_calls: 1, seconds: 0 });
  checkConversation(result.messages);
});

Deno.test("runAgent tells the model what is wrong with a call, and goes on", async () => {
  const throws: Tool = {
    spec: { name: "throws", description: "", parameters: { type: "object" } },
    parse: () => {
      throw new TypeError("Schema is broken");
    },
    execute: () => Promise.reject(new Error("never")),
  };
  const rejects: Tool = {
    spec: { name: "rejects", description: "", parameters: { type: "object" } },
    parse: (input) => ({ ok: true, input }),
    execute: () => {
      throw new Error("Not even a promise");
    },
  };
  const client = new ScriptedClient(
    [
      call("echo", '{"text":', "a"),
      call("echo", '{"text": x}', "b"),
      call("echo", '{"text": 1}', "c"),
      call("ecoh", '{"text":"x"}', "d"),
      call("quite_different", "{", "e"),
      call("fail", "", "f"),
      call("throws", "{}", "g"),
      call("rejects", "{}", "h"),
      done("tool_calls"),
    ],
    [say("ok"), done()],
  );
  const { events, result } = await play(client, {
    tools: new Registry([echo, fail, exit, throws, rejects]),
  });
  assert.deepEqual(answers(result.messages), [
    "a: echo: arguments are not JSON: Unexpected end of JSON input (position 8)",
    'b: echo: arguments are not JSON: Unexpected token \'x\', "{"text": x}" is not valid JSON ' +
    "(position 9)",
    "c: echo: text: Invalid input: expected string, received number",
    'd: Unknown tool "ecoh" (available: echo, fail, exit, throws, rejects); did you mean echo?',
    'e: Unknown tool "quite_different" (available: echo, fail, exit, throws, rejects)',
    "f: fail: Cannot do it",
    "g: throws: Schema is broken",
    "h: rejects: Not even a promise",
  ]);
  const ends = events.filter((event) => event.type === "tool_end");
  assert(ends.every((event) => event.error));
  const starts = events.flatMap((event) => event.type === "tool_start" ? [event.input] : []);
  assert.deepEqual(starts.slice(0, 3), ['{"text":', '{"text": x}', { text: 1 }]);
  assert.deepEqual(starts[5], {});
  assert.equal(result.reason, "stop");
  checkConversation(result.messages);
});

Deno.test("runAgent does not run a call with malformed arguments", async () => {
  let ran = 0;
  const count: Tool = defineTool({
    name: "count",
    description: "",
    input: z.object({}),
    execute: () => `${++ran}`,
  });
  const bad = ["{", "nul", '{"a":1}}', '{"a":1} {"b":2}', "[", '"text"', "[]", "7"];
  const client = new ScriptedClient(
    [...bad.map((args, i) => call("count", args, `c${i}`)), done("stop")],
    [done()],
  );
  const { result } = await play(client, { tools: new Registry([count]) });
  assert.equal(ran, 0);
  assert.equal(answers(result.messages).length, bad.length);
});

Deno.test("runAgent runs calls though finish_reason is stop, and takes tool_calls without calls for the end", async () => {
  const client = new ScriptedClient(
    [call("echo", '{"text":"x"}', "a"), done("stop")],
    [say("end"), done("tool_calls")],
  );
  const { result } = await play(client);
  assert.deepEqual(answers(result.messages), ["a: x"]);
  assert.equal(result.reason, "stop");
  assert.equal(result.turns, 2);
});

Deno.test("runAgent runs the complete calls of an answer that was cut at the token limit", async () => {
  const client = new ScriptedClient(
    [
      call("echo", '{"text":"x"}', "a"),
      call("echo", '{"text":"y', "b"),
      done("length"),
    ],
    [call("echo", '{"text":"z"}', "c"), done("length")],
    [say("Done"), done()],
  );
  const { result } = await play(client, { maxTokens: 20 });
  assert.equal(result.reason, "stop");
  assert.deepEqual(answers(result.messages), [
    "a: x",
    "b: Not run: your answer was cut at 20 tokens, in the middle of this call. " +
    "Make the call again with less in it, or in several calls",
    "c: z",
  ]);
});

Deno.test("runAgent gives what arrived of a call to a tool that can do with it", async () => {
  const seen: unknown[] = [];
  const write = defineTool({
    name: "write",
    description: "",
    input: z.object({ data: z.string() }),
    execute: () => "whole",
  });
  const tool: Tool = {
    ...write,
    executeCut: (input, { maxTokens }) => {
      seen.push(input, maxTokens);
      return Promise.resolve({ content: "cut", error: true });
    },
  };
  const client = new ScriptedClient(
    [call("write", '{"data":"one\\ntw', "a"), done("length")],
    [say("Done"), done()],
  );
  const { result } = await play(client, { tools: new Registry([tool]), maxTokens: 7 });
  assert.deepEqual(seen, [{ data: "one\ntw" }, 7]);
  assert.deepEqual(answers(result.messages), ["a: cut"]);
});

Deno.test("runAgent goes on with what the program says to a final answer, or one that was cut", async () => {
  const endings: unknown[] = [];
  const client = new ScriptedClient(
    [say("Half"), done("length")],
    [say("Done"), done()],
    [say("Really done"), done()],
  );
  const { result } = await play(client, {
    quota: new Quota({ maxCalls: 3 }),
    review: (ending) => {
      endings.push(ending);
      return ending.text === "Really done" ? undefined : `not ${ending.text}`;
    },
  });
  assert.deepEqual(endings, [
    { reason: "length", text: "Half", callsLeft: 2 },
    { reason: "stop", text: "Done", callsLeft: 1 },
    { reason: "stop", text: "Really done", callsLeft: 0 },
  ]);
  assert.deepEqual(result.messages.slice(1).map(({ role, content }) => [role, content]), [
    ["assistant", "Half"],
    ["user", "not Half"],
    ["assistant", "Done"],
    ["user", "not Done"],
    ["assistant", "Really done"],
  ]);
  assert.deepEqual([result.reason, result.text], ["stop", "Really done"]);
});

Deno.test("runAgent does not run the calls of an answer that the endpoint withheld", async () => {
  for (const reason of ["content_filter"] as const) {
    const client = new ScriptedClient([
      say("Some"),
      call("echo", '{"text":"x"}', "a"),
      call("echo", '{"text":"y', "b"),
      call("exit", "", "c"),
      done(reason),
    ]);
    const { result, types } = await play(client);
    assert.equal(result.reason, reason);
    assert.equal(result.text, "Some");
    assert.deepEqual(result.messages.slice(1), [
      assistant("Some", ["a", "echo", '{"text":"x"}']),
      {
        role: "tool",
        tool_call_id: "a",
        content: `Not run: the answer was cut off (${reason})`,
      },
    ]);
    assert.deepEqual(types.slice(2), ["text", "warning", "turn_end", "run_end"]);
    assert.equal(result.error, undefined);
  }
});

Deno.test("runAgent takes a refusal for content_filter and warns", async () => {
  const client = new ScriptedClient([{ type: "refusal", content: "I can't" }, done()]);
  const { result, events } = await play(client);
  assert.equal(result.reason, "content_filter");
  assert.equal(result.text, "");
  assert.deepEqual(events[3], { type: "warning", message: "The model refuses: I can't" });
  checkConversation(result.messages);
});

Deno.test("runAgent ends with the limit when the calls are used up", async () => {
  const client = new ScriptedClient(
    [call("echo", '{"text":"x"}', "a"), done()],
    [call("echo", '{"text":"y"}', "b"), done()],
    [say("never")],
  );
  const { result, types, events } = await play(client, { quota: new Quota({ maxCalls: 2 }) });
  assert.equal(result.reason, "error");
  assert.deepEqual(result.error, {
    name: "LimitError",
    message: "Reached maxCalls (2 API calls); raise it to go on",
    limit: "maxCalls",
  });
  assert.deepEqual(types.slice(-3), ["turn_start", "error", "run_end"]);
  assert.deepEqual(events.at(-2), { type: "error", error: result.error });
  assert.equal(result.apiCalls, 2);
  checkConversation(result.messages);
});

Deno.test("runAgent says why there was another attempt when a limit ends the run between two", async () => {
  const error = new LimitError({ name: "CALLS", max: 1 }, "Reached CALLS");
  error.cause = new LlmError("Endpoint answered 500: oops", { status: 500 });
  const { result } = await play(new ScriptedClient([error]));
  assert.deepEqual(result.error, {
    name: "LimitError",
    message: "Reached CALLS (before that: Endpoint answered 500: oops)",
    limit: "CALLS",
  });
});

Deno.test("runAgent chooses the tools of each turn with the calls left", async () => {
  const seen: unknown[] = [];
  const all = new Registry([echo, exit]);
  const client = new ScriptedClient(
    [call("echo", '{"text":"x"}', "a"), done()],
    [call("echo", '{"text":"x"}', "b"), call("exit", "{}", "c"), done()],
  );
  const { result } = await play(client, {
    quota: new Quota({ maxCalls: 2 }),
    tools: (turn) => {
      seen.push(turn);
      return turn.callsLeft === 1 ? all.pick(["exit"]) : all;
    },
  });
  assert.deepEqual(seen, [{ turn: 1, callsLeft: 2 }, { turn: 2, callsLeft: 1 }]);
  assert.deepEqual(client.requests[1]?.tools?.map((tool) => tool.function.name), ["exit"]);
  assert.deepEqual(answers(result.messages), [
    "a: x",
    'b: Unknown tool "echo" (available: exit)',
    "c: exit 0",
  ]);
  assert.equal(result.reason, "tool");
});

Deno.test("runAgent reports a failing endpoint, keeping what came of the answer", async () => {
  const client = new ScriptedClient([
    say("Half a "),
    call("echo", '{"text":"x"}', "a"),
    call("echo", '{"te', "b"),
    new LlmError("Connection failed", { status: 502, code: "connection" }),
  ]);
  const { result, types } = await play(client);
  assert.equal(result.reason, "error");
  assert.deepEqual(result.error, {
    name: "LlmError",
    message: "Connection failed",
    status: 502,
    code: "connection",
  });
  assert.equal(result.text, "Half a ");
  assert.deepEqual(answers(result.messages), ["a: Not run: the answer broke off"]);
  assert.deepEqual(types, ["run_start", "turn_start", "text", "error", "run_end"]);
  checkConversation(result.messages);
});

Deno.test("runAgent keeps no message of an answer that broke off before it began", async () => {
  const { result } = await play(new ScriptedClient([new LlmError("No")]));
  assert.deepEqual(result.messages, [USER]);
  assert.equal(result.text, "");
});

Deno.test("runAgent ends with an error when the client or the choice of tools throws", async () => {
  const broken = {
    stream: () => {
      throw new TypeError("Broken");
    },
  };
  const first = await play(broken);
  assert.deepEqual(first.result.error, { name: "TypeError", message: "Broken" });
  assert.deepEqual(first.types, ["run_start", "turn_start", "error", "run_end"]);
  const second = await play(new ScriptedClient(), {
    tools: () => {
      throw new RangeError("No tools");
    },
  });
  assert.deepEqual(second.result.error, { name: "RangeError", message: "No tools" });
  assert.equal(second.types.at(-1), "run_end");
});

Deno.test("runAgent passes retries on, and warns once when a token budget cannot be enforced", async () => {
  const retry = { type: "retry" as const, attempt: 1, delay: 500, error: "Endpoint answered 500" };
  const client = new ScriptedClient(
    [retry, call("echo", '{"text":"x"}', "a"), done()],
    [say("x"), done()],
  );
  const { events } = await play(client, { quota: new Quota({ maxTokens: 100 }) });
  assert.deepEqual(events[2], retry);
  assert.deepEqual(events.filter((event) => event.type === "warning"), [{
    type: "warning",
    message: "The endpoint does not report how many tokens it used: the budget of 100 weighted " +
      "tokens cannot be enforced",
  }]);
});

Deno.test("turnRequest has only what was given", () => {
  assert.deepEqual(turnRequest({ model: "m", messages: [USER] }, new Registry()), {
    model: "m",
    messages: [USER],
  });
  const request = turnRequest(
    { model: "m", messages: [USER], temperature: 0.1, maxTokens: 4096 },
    new Registry([exit]),
  );
  assert.deepEqual(request, {
    model: "m",
    messages: [USER],
    tools: [{
      type: "function",
      function: {
        name: "exit",
        description: "Ends the run",
        parameters: {
          type: "object",
          properties: { code: { type: "integer", default: 0 } },
          additionalProperties: false,
        },
      },
    }],
    temperature: 0.1,
    max_tokens: 4096,
  });
});

Deno.test("runAgent loads tools while the model works, and tells the model when that fails", async () => {
  const order: string[] = [];
  const spec = { name: "broken", description: "", parameters: { type: "object" } };
  const broken = lazyTool(spec, () => {
    order.push("load");
    return Promise.reject(new Error("Module not found"));
  });
  const client = new ScriptedClient(
    [() => order.push("first answer"), call("broken", "{}"), done("tool_calls")],
    [() => order.push("second answer"), done()],
  );
  const { result } = await play(client, { tools: new Registry([broken]) });
  assert.deepEqual(order, ["load", "first answer", "second answer"]);
  assert.deepEqual(answers(result.messages), ["broken_id: broken: Module not found"]);
});
