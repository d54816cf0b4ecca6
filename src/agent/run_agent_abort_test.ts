import assert from "node:assert/strict";
import { z } from "zod";
import { LimitError } from "../streams/mod.ts";
import { openaiClient } from "../llm/mod.ts";
import { defineTool, Registry, type Tool } from "../tool/mod.ts";
import {
  aborted,
  answers,
  call,
  checkConversation,
  done,
  echo,
  exit,
  play,
  say,
  ScriptedClient,
  USER,
} from "./_fixtures_test.ts";
import type { AgentEvent } from "./events.ts";
import { follow } from "./run.ts";
import { runAgent } from "./run_agent.ts";

const REASON = new LimitError({ name: "seconds", max: 300 }, "Time is up");

/** A tool that waits for the signal, and what it does then. */
function waiting(then: (signal: AbortSignal) => Promise<string>): Tool {
  return defineTool({
    name: "wait",
    description: "",
    input: z.object({}),
    execute: async (_, { signal }) => {
      await aborted(signal).catch(() => {});
      return await then(signal);
    },
  });
}

Deno.test("runAgent keeps what was streamed when the signal fires in mid-answer", async () => {
  const stop = new AbortController();
  const client = new ScriptedClient([
    say("Half"),
    call("echo", '{"text":"x"}', "a"),
    call("echo", '{"text', "b"),
    () => stop.abort(REASON),
    "hang",
  ]);
  const { result, types } = await play(client, { signal: stop.signal });
  assert.equal(result.reason, "abort");
  assert.deepEqual(result.error, {
    name: "LimitError",
    message: "Time is up",
    limit: "seconds",
  });
  assert.equal(result.text, "Half");
  assert.deepEqual(result.messages.slice(1), [
    {
      role: "assistant",
      content: "Half",
      tool_calls: [{
        id: "a",
        type: "function",
        function: { name: "echo", arguments: '{"text":"x"}' },
      }],
    },
    { role: "tool", tool_call_id: "a", content: "Not run: the run was stopped" },
  ]);
  assert.deepEqual(types, ["run_start", "turn_start", "text", "error", "run_end"]);
});

Deno.test("runAgent does not run calls that are complete when the signal fires", async () => {
  const stop = new AbortController();
  const client = new ScriptedClient([
    call("echo", '{"text":"x"}', "a"),
    done("tool_calls"),
    () => stop.abort("enough"),
  ]);
  const { result } = await play(client, { signal: stop.signal });
  assert.equal(result.reason, "abort");
  assert.deepEqual(result.error, { name: "AbortError", message: "enough" });
  assert.deepEqual(answers(result.messages), ["a: Not run: the run was stopped"]);
});

Deno.test("runAgent makes no request when the signal has fired", async () => {
  const client = new ScriptedClient();
  const { result, types } = await play(client, { signal: AbortSignal.abort() });
  assert.deepEqual(types, ["run_start", "error", "run_end"]);
  assert.equal(result.error?.name, "AbortError");
  assert.deepEqual(result.messages, [USER]);
  assert.equal(client.requests.length, 0);
  assert.equal(result.turns, 0);
});

Deno.test("runAgent waits for an aborted tool to clean up, then answers the calls that are left", async () => {
  const stop = new AbortController();
  let cleaned = false;
  const wait = waiting(async (signal) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    cleaned = true;
    signal.throwIfAborted();
    return "";
  });
  const client = new ScriptedClient([
    call("wait", "{}", "a"),
    call("echo", '{"text":"x"}', "b"),
    done(),
  ]);
  const { result, events } = await play(
    client,
    { signal: stop.signal, tools: new Registry([wait, echo]) },
    (event) => {
      if (event.type === "tool_start") setTimeout(() => stop.abort(), 1);
    },
  );
  assert.equal(cleaned, true);
  assert.deepEqual(answers(result.messages), [
    "a: wait: stopped before it was done",
    "b: Not run: the run was stopped",
  ]);
  assert.deepEqual(events.slice(2).map((event) => event.type), [
    ...["message", "tool_start", "message", "tool_end", "message", "error", "run_end"],
  ]);
  checkConversation(result.messages);
});

Deno.test("runAgent, stopped while somebody keeps an answer, runs none of its calls and tells their ends", async () => {
  const stop = new AbortController();
  const client = new ScriptedClient([
    call("echo", '{"text":"x"}', "a"),
    call("echo", '{"text', "b"),
    done("tool_calls"),
  ]);
  const { result, types } = await play(client, { signal: stop.signal }, (event) => {
    if (event.type === "message") stop.abort(REASON);
  });
  assert.equal(result.error?.limit, "seconds");
  assert.deepEqual(answers(result.messages), [
    "a: Not run: the run was stopped",
    "b: Not run: the run was stopped",
  ]);
  assert.deepEqual(types.slice(2), ["message", "message", "message", "error", "run_end"]);
});

Deno.test("runAgent, stopped while somebody keeps the final answer, is aborted with that answer", async () => {
  const stop = new AbortController();
  const client = new ScriptedClient([say("Done"), done()]);
  const { result, types } = await play(client, { signal: stop.signal }, (event) => {
    if (event.type === "message") stop.abort(REASON);
  });
  assert.deepEqual([result.reason, result.text], ["abort", "Done"]);
  assert.deepEqual(result.messages, [USER, { role: "assistant", content: "Done" }]);
  assert.deepEqual(types.slice(2), ["text", "message", "error", "run_end"]);
});

Deno.test("runAgent does not run a tool when the run is stopped at its tool_start", async () => {
  const stop = new AbortController();
  let ran = false;
  const tool: Tool = defineTool({
    name: "write",
    description: "",
    input: z.object({}),
    execute: () => {
      ran = true;
      return "";
    },
  });
  const client = new ScriptedClient([call("write", "{}", "a"), done()]);
  const { result } = await play(
    client,
    { signal: stop.signal, tools: new Registry([tool]) },
    (event) => {
      if (event.type === "tool_start") stop.abort();
    },
  );
  assert.equal(ran, false);
  assert.deepEqual(answers(result.messages), ["a: Not run: the run was stopped"]);
});

Deno.test("runAgent keeps the result of a tool that ends although the signal fired", async () => {
  const stop = new AbortController();
  const wait = waiting(() => Promise.resolve("saved"));
  const client = new ScriptedClient([call("wait", "{}", "a"), done()]);
  const { result } = await play(
    client,
    { signal: stop.signal, tools: new Registry([wait]) },
    (event) => {
      if (event.type === "tool_start") setTimeout(() => stop.abort(), 1);
    },
  );
  assert.equal(result.reason, "abort");
  assert.deepEqual(answers(result.messages), ["a: saved"]);
});

Deno.test("runAgent leaves a tool behind that does not stop, and says so", async () => {
  const stop = new AbortController();
  let release = (_: string) => {};
  const wait = waiting(() => new Promise((resolve) => release = resolve));
  const client = new ScriptedClient([call("wait", "{}", "a"), done()]);
  const { result, events } = await play(
    client,
    { signal: stop.signal, tools: new Registry([wait]), toolGrace: 5 },
    (event) => {
      if (event.type === "tool_start") setTimeout(() => stop.abort(), 1);
    },
  );
  release("late");
  assert.deepEqual(answers(result.messages), ["a: wait: stopped before it was done"]);
  assert.deepEqual(events.at(-3), {
    type: "warning",
    message: "Tool wait did not stop within 0.005 s and was left behind",
  });
});

/** Reads until an event of this type. */
async function readTo(
  reader: ReadableStreamDefaultReader<AgentEvent>,
  type: AgentEvent["type"],
): Promise<void> {
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`No ${type}`);
    if (value.type === type) return;
  }
}

Deno.test("runAgent's events, cancelled in mid-answer, end the request and settle the result", async () => {
  const client = new ScriptedClient([say("Half"), "hang"]);
  const run = runAgent({ client, model: "m", messages: [USER], tools: new Registry([exit]) });
  const reader = run.events.getReader();
  await readTo(reader, "text");
  const pending = reader.read();
  await reader.cancel();
  assert.equal((await pending).done, true);
  const result = await run.result;
  assert.equal(result.reason, "abort");
  assert.deepEqual(result.error, { name: "AbortError", message: "The run was cancelled" });
  assert.equal(result.text, "Half");
});

Deno.test("runAgent's events, cancelled while a tool runs, stop the tool", async () => {
  let stopped = false;
  let start = () => {};
  const started = new Promise<void>((resolve) => start = resolve);
  const wait: Tool = defineTool({
    name: "wait",
    description: "",
    input: z.object({}),
    execute: async (_, { signal }) => {
      start();
      await aborted(signal).finally(() => stopped = true);
      return "";
    },
  });
  const client = new ScriptedClient([call("wait", "{}", "a"), call("wait", "{}", "b"), done()]);
  const run = runAgent({ client, model: "m", messages: [USER], tools: new Registry([wait]) });
  const reader = run.events.getReader();
  await readTo(reader, "tool_start");
  const pending = reader.read();
  await started;
  await reader.cancel(new Error("Client gone"));
  assert.equal((await pending).done, true);
  assert.equal(stopped, true);
  const result = await run.result;
  assert.deepEqual(result.error, { name: "Error", message: "Client gone" });
  assert.deepEqual(answers(result.messages), [
    "a: wait: stopped before it was done",
    "b: Not run: the run was stopped",
  ]);
});

Deno.test("runAgent does nothing before the first read, and cancelling then settles the result", async () => {
  const client = new ScriptedClient([say("x"), done()]);
  const run = runAgent({ client, model: "m", messages: [USER], tools: new Registry() });
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.equal(client.requests.length, 0);
  await run.events.cancel();
  assert.equal((await run.result).reason, "abort");
  assert.equal(client.requests.length, 0);
});

Deno.test("runAgent goes at the pace of its reader", async () => {
  const reached: number[] = [];
  const client = new ScriptedClient(
    [say("1"), () => reached.push(1), say("2"), () => reached.push(2), say("3"), done()],
  );
  const run = runAgent({ client, model: "m", messages: [USER], tools: new Registry() });
  const reader = run.events.getReader();
  await readTo(reader, "text");
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(reached, []);
  await readTo(reader, "text");
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(reached, [1]);
  await reader.cancel();
});

Deno.test("runAgent settles the result and drops its listener with run_end", async () => {
  const stop = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = stop.signal;
  stop.signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners++;
    addEventListener.apply(stop.signal, args);
  };
  stop.signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners--;
    removeEventListener.apply(stop.signal, args);
  };
  const client = new ScriptedClient([say("x"), done()]);
  const run = runAgent({
    client,
    model: "m",
    messages: [USER],
    tools: new Registry(),
    signal: stop.signal,
  });
  const reader = run.events.getReader();
  await readTo(reader, "run_end");
  assert.equal((await run.result).text, "x");
  assert.equal((await reader.read()).done, true);
  assert.equal(listeners, 0);
});

Deno.test("follow aborts the run when its callback throws", async () => {
  const client = new ScriptedClient([say("x"), "hang"]);
  const run = runAgent({ client, model: "m", messages: [USER], tools: new Registry() });
  const error = new Error("No screen");
  await assert.rejects(
    follow(run, (event) => {
      if (event.type === "text") throw error;
    }),
    error,
  );
  const result = await run.result;
  assert.deepEqual(result.error, { name: "Error", message: "No screen" });
});

Deno.test("runAgent takes its request to a server with it when it is cancelled", async () => {
  let leave = () => {};
  const left = new Promise<void>((resolve) => leave = resolve);
  const chunk = { choices: [{ index: 0, delta: { content: "x" }, finish_reason: null }] };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) =>
      controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`)),
    cancel: () => leave(),
  });
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response(body, { headers: { "content-type": "text/event-stream" } }),
  );
  const run = runAgent({
    client: openaiClient({ apiKey: "k", baseUrl: `http://127.0.0.1:${server.addr.port}` }),
    model: "m",
    messages: [USER],
    tools: new Registry(),
  });
  const reader = run.events.getReader();
  await readTo(reader, "text");
  await reader.cancel();
  assert.equal((await run.result).text, "x");
  await left;
  await server.shutdown();
});
