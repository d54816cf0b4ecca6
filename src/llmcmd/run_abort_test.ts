import assert from "node:assert/strict";
import { type ByteSink, fromReadable, MemorySink, turnEventLoop } from "../streams/mod.ts";
import { forever, openFds, runScript, ScriptedClient } from "./_testing.ts";
import { run } from "./run.ts";

Deno.test("run takes an endless pipe with it when the time is over", async () => {
  const client = new ScriptedClient([["pipe", { cmd: "grep -v y", in_fd: 0, out_fd: 1 }]], "never");
  const stdin = fromReadable(ReadableStream.from(forever("y\n".repeat(500))));
  const { result, out } = await runScript(client, { stdin }, {
    limits: { seconds: 0.05, inputBytes: Infinity, names: { seconds: "TIMEOUT" } },
  });
  assert.deepEqual([result.reason, result.error?.limit, out], ["abort", "TIMEOUT", ""]);
  assert.equal(
    result.error?.message,
    "The run takes longer than TIMEOUT (0.05 seconds); raise it to go on",
  );
  assert.equal(client.requests.length, 1);
});

Deno.test("run ends with its signal, in a pipe and before it began", async () => {
  const controller = new AbortController();
  const reason = new Error("Interrupted");
  const client = new ScriptedClient(() => {
    setTimeout(() => controller.abort(reason), 10);
    return [["pipe", { in_fd: 0, out_fd: 1 }]];
  });
  const stdin = fromReadable(new ReadableStream<Uint8Array>());
  const { result } = await runScript(client, { stdin }, { signal: controller.signal });
  assert.deepEqual([result.reason, result.error?.message], ["abort", "Interrupted"]);
  const again = await runScript(new ScriptedClient("never"), {}, { signal: controller.signal });
  assert.deepEqual([again.result.reason, again.result.apiCalls], ["abort", 0]);
});

Deno.test("run that was stopped before it began says so, also with an input over the limit", async () => {
  const { result, events } = await runScript(new ScriptedClient("never"), { inputs: ["abc"] }, {
    signal: AbortSignal.abort(new Error("Interrupted")),
    limits: { inputBytes: 1 },
  });
  assert.deepEqual([result.reason, result.error?.message], ["abort", "Interrupted"]);
  assert.deepEqual(events.map(({ type }) => type), ["run_start", "error", "run_end"]);
});

Deno.test("run whose events are cancelled aborts and releases everything", async () => {
  const fds = openFds({ stdin: fromReadable(ReadableStream.from(forever("y\n"))) });
  const client = new ScriptedClient([["pipe", { cmd: "cat", in_fd: 0 }], ["read", { fd: 4 }]]);
  const running = run({ instructions: "x", fds, client, model: "scripted" });
  const reader = running.events.getReader();
  for (let event = await reader.read(); event.value?.type !== "tool_end";) {
    event = await reader.read();
  }
  await reader.cancel(new Error("Gone"));
  const result = await running.result;
  assert.deepEqual([result.reason, result.error?.message], ["abort", "Gone"]);
  await fds[Symbol.asyncDispose]();
});

Deno.test("run that is cancelled while its last write is stuck ends too", async () => {
  let stuck: () => void = () => {};
  const reached = new Promise<void>((resolve) => stuck = resolve);
  const sink: ByteSink = {
    write: () => {
      stuck();
      return new Promise(() => {});
    },
    close: () => Promise.resolve(),
  };
  const fds = openFds({ sink });
  const client = new ScriptedClient("The last words");
  const running = run({ instructions: "x", fds, client, model: "scripted" });
  const reader = running.events.getReader();
  const reading = (async () => {
    while (!(await reader.read()).done);
  })();
  await reached;
  await reader.cancel(new Error("Gone"));
  await reading;
  const { reason, text, outputBytes } = await running.result;
  assert.deepEqual([reason, text, outputBytes], ["abort", "The last words", 0]);
  await fds[Symbol.asyncDispose]();
});

Deno.test("run that is cancelled before its first event has a result too", async () => {
  const fds = openFds({ sink: new MemorySink() });
  const running = run({ instructions: "x", fds, client: new ScriptedClient(), model: "scripted" });
  await running.events.cancel();
  assert.equal((await running.result).reason, "abort");
  await fds[Symbol.asyncDispose]();
});

Deno.test("run that is cancelled between its last call and its end is no normal end", async () => {
  const out = new MemorySink();
  const fds = openFds({ sink: out });
  const client = new ScriptedClient([["write", { data: "x" }], ["exit", {}]]);
  const running = run({ instructions: "x", fds, client, model: "scripted" });
  const reader = running.events.getReader();
  for (let event = await reader.read(); event.value?.type !== "turn_end";) {
    event = await reader.read();
  }
  await reader.cancel();
  const { reason, exitCode, error } = await running.result;
  assert.deepEqual([reason, exitCode, out.text()], ["abort", undefined, "x"]);
  assert.deepEqual(error, { name: "AbortError", message: "The run was cancelled" });
  await fds[Symbol.asyncDispose]();
});

Deno.test("run does nothing before the first read, and goes at the pace of its reader", async () => {
  const fds = openFds();
  const client = new ScriptedClient([["read", {}]], "Done");
  const running = run({ instructions: "x", fds, client, model: "scripted" });
  const reader = running.events.getReader();
  await turnEventLoop();
  assert.equal(client.requests.length, 0);
  for (let event = await reader.read(); event.value?.type !== "turn_end";) {
    event = await reader.read();
  }
  await turnEventLoop();
  assert.equal(client.requests.length, 1);
  await reader.cancel();
  await fds[Symbol.asyncDispose]();
});

Deno.test("run has settled with run_end, and leaves no listener behind", async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners++;
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners--;
    removeEventListener.apply(signal, args);
  };
  const fds = openFds();
  const client = new ScriptedClient("Done");
  const running = run({ instructions: "x", fds, client, model: "scripted", signal });
  const reader = running.events.getReader();
  const types: string[] = [];
  for (let event = await reader.read(); !event.done; event = await reader.read()) {
    types.push(event.value.type);
    if (event.value.type === "run_start") assert.equal(listeners, 1);
    if (event.value.type === "run_end") break;
  }
  assert.equal((await running.result).reason, "stop");
  await reader.closed;
  await turnEventLoop();
  assert.equal(listeners, 0);
  assert.deepEqual(types, [
    ...["run_start", "turn_start", "text", "usage", "message", "turn_end", "run_end"],
  ]);
  await fds[Symbol.asyncDispose]();
});
