import assert from "node:assert/strict";
import { follow } from "../agent/mod.ts";
import { BrokenPipeError, type ByteSink, FdTable, fromReadable } from "../streams/mod.ts";
import { forever, openFds, runScript, ScriptedClient } from "./_testing.ts";
import type { LlmcmdLimits } from "./limits.ts";
import { firstRequest } from "./request.ts";
import { run } from "./run.ts";

Deno.test("run gives the model the prompt, the instructions verbatim, and the tools", async () => {
  const client = new ScriptedClient("ok");
  const instructions = "  \u7ffb\u8a33 {prompt}\n\n";
  await runScript(client, { inputs: ["abc"] }, { instructions });
  const [request] = client.requests;
  assert.equal(client.requests.length, 1);
  assert.equal(request?.messages.length, 2);
  assert.deepEqual(request?.messages[1], { role: "user", content: instructions });
  const system = request?.messages[0];
  assert.equal(system?.role, "system");
  assert.ok(typeof system?.content === "string" && !system.content.includes("\u7ffb"));
  assert.deepEqual(request?.tools?.map((tool) => tool.function.name), [
    "read",
    "write",
    "pipe",
    "exit",
  ]);
  assert.deepEqual([request?.temperature, request?.max_tokens], [0.1, 4096]);
});

Deno.test("firstRequest is what run sends, and opens nothing", async () => {
  const client = new ScriptedClient("ok");
  const fds = openFds({ inputs: ["abc"] });
  const options = { instructions: "x", fds, client, model: "scripted" };
  const { stream, stream_options, ...first } = firstRequest(options);
  assert.deepEqual([stream, stream_options], [true, { include_usage: true }]);
  await follow(run(options));
  assert.deepEqual(structuredClone(first), client.requests[0]);
  await fds[Symbol.asyncDispose]();
});

Deno.test("run ends with the exit tool's code; calls after exit do not run", async () => {
  const client = new ScriptedClient([
    ["pipe", { in_fd: 3, out_fd: 1 }],
    ["exit", { code: 9 }],
    ["write", { data: "not any more" }],
  ]);
  const { result, out, events } = await runScript(client, { inputs: ["abc\n"] });
  assert.deepEqual([result.reason, result.exitCode, result.outputBytes, out], [
    "tool",
    9,
    4,
    "abc\n",
  ]);
  assert.equal(result.apiCalls, 1);
  assert.deepEqual(events.at(0), { type: "run_start", model: "scripted" });
  assert.equal(events.at(-1)?.type, "run_end");
});

Deno.test("run takes exit codes of 0 to 255 only", async () => {
  const client = new ScriptedClient(
    [["exit", { code: 256 }]],
    [["exit", { code: -1 }]],
    [["exit", { code: 255 }]],
  );
  const { result } = await runScript(client);
  assert.deepEqual([result.exitCode, result.apiCalls], [255, 3]);
});

Deno.test("run writes the final text if fd 1 got nothing, with a newline", async () => {
  for (const [text, out] of [["42", "42\n"], ["42\n", "42\n"], [" 42", " 42\n"]] as const) {
    const run = await runScript(new ScriptedClient(text));
    assert.deepEqual([run.result.reason, run.result.exitCode, run.out], ["stop", 0, out]);
    assert.equal(run.result.text, "");
  }
});

Deno.test("run fails when the model does nothing and says nothing, and not when it wrote before", async () => {
  for (const text of ["", " \n"]) {
    const { result, out, events } = await runScript(new ScriptedClient(text));
    assert.deepEqual([result.reason, result.exitCode, out], ["error", undefined, ""]);
    assert.deepEqual(result.error, {
      name: "LlmError",
      message: "The model answered with nothing, neither text nor a call, and wrote nothing",
      code: "protocol",
    });
    assert.deepEqual(events.map(({ type }) => type).slice(-2), ["error", "run_end"]);
  }
  const { result, out } = await runScript(new ScriptedClient([["write", { data: "x" }]], ""));
  assert.deepEqual([result.reason, result.exitCode, out], ["stop", 0, "x"]);
});

Deno.test("run writes the text of a message that calls exit with code 0, and gives back others", async () => {
  const done = await runScript(new ScriptedClient({ text: "42", calls: [["exit", {}]] }));
  assert.deepEqual([done.result.exitCode, done.result.text, done.out], [0, "", "42\n"]);
  const failed = await runScript(
    new ScriptedClient({ text: "I cannot", calls: [["exit", { code: 1 }]] }),
  );
  assert.deepEqual([failed.result.exitCode, failed.result.text, failed.out], [1, "I cannot", ""]);
});

Deno.test("run gives the final text back when fd 1 got something", async () => {
  const client = new ScriptedClient({ text: "Writing", calls: [["write", { data: "x" }]] }, "Done");
  const { result, out } = await runScript(client);
  assert.deepEqual([result.text, out], ["Done", "x"]);
});

Deno.test("run counts the final text by the output limit", async () => {
  const { result, out } = await runScript(new ScriptedClient("12345"), {}, {
    limits: { outputBytes: 3 },
  });
  assert.deepEqual([result.reason, result.error?.limit, out], [
    "error",
    "outputBytes",
    "123",
  ]);
});

Deno.test("run drains pipes that lead to fd 1 at its end, and cancels the others", async () => {
  const client = new ScriptedClient([
    ["pipe", { cmd: "sort", out_fd: 1 }],
    ["write", { fd: 3, data: "b\na\n" }],
    ["pipe", { cmd: "cat", in_fd: 0 }],
    ["exit", {}],
  ]);
  const stdin = fromReadable(ReadableStream.from(forever("y\n")));
  const { result, out } = await runScript(client, { stdin });
  assert.deepEqual([result.exitCode, out], [0, "a\nb\n"]);
});

Deno.test("run refuses an end when a command fails while it drains, and fails at the second", async () => {
  const client = new ScriptedClient([
    ["pipe", { cmd: "sed '$q5'", out_fd: 1 }],
    ["write", { fd: 3, data: "a\n" }],
  ], "Done");
  const { result, out } = await runScript(client);
  assert.match(
    String(client.requests.at(-1)?.messages.at(-1)?.content),
    /^Not ended: pipe failed: sed failed with status 5\. Correct the call/,
  );
  assert.deepEqual([result.reason, result.error?.name, out], ["error", "IncompleteError", "a\n"]);
});

for (const finish of ["length", "content_filter"] as const) {
  Deno.test(`run fails with finish_reason ${finish}, as its error and no warning says`, async () => {
    const half = { text: "half an ans", finish };
    const client = finish === "length" ? new ScriptedClient(half, half) : new ScriptedClient(half);
    const { result, events, out } = await runScript(client);
    assert.deepEqual([result.reason, result.exitCode, out], [finish, undefined, ""]);
    assert.equal(client.requests.length, finish === "length" ? 2 : 1);
    assert.ok(result.error?.message.includes(`(finish_reason ${finish})`));
    assert.deepEqual(
      events.filter(({ type }) => type === "warning" || type === "error"),
      [{ type: "error", error: result.error }],
    );
  });
}

Deno.test("run offers only exit on the last allowed API call", async () => {
  const client = new ScriptedClient(
    [["read", {}]],
    [["read", {}]],
    [["exit", { code: 4 }]],
  );
  const { result } = await runScript(client, {}, { limits: { apiCalls: 3 } });
  assert.deepEqual(
    client.requests.map(({ tools }) => tools?.map((tool) => tool.function.name).join()),
    ["read,write,pipe,exit", "read,write,pipe,exit", "exit"],
  );
  assert.equal(result.exitCode, 4);
});

Deno.test("run ends when the API calls are spent, and names the limit", async () => {
  const client = new ScriptedClient([["read", {}]], [["read", {}]]);
  const { result, events } = await runScript(client, {}, { limits: { apiCalls: 2 } });
  assert.deepEqual([result.reason, result.error?.limit, result.apiCalls], [
    "error",
    "apiCalls",
    2,
  ]);
  assert.ok(events.some((event) => event.type === "error"));
});

Deno.test("run ends when the weighted tokens are spent", async () => {
  const client = new ScriptedClient([["read", {}]], [["read", {}]], "never");
  const { result } = await runScript(client, {}, { limits: { tokens: 30 } });
  assert.deepEqual([result.error?.limit, result.apiCalls, result.weightedTokens], [
    "tokens",
    2,
    36,
  ]);
});

Deno.test("run refuses an input over the limit before any API call", async () => {
  const client = new ScriptedClient("never");
  const { result, events, out } = await runScript(client, { inputs: ["x".repeat(11)] }, {
    limits: { inputBytes: 10 },
  });
  assert.equal(client.requests.length, 0);
  assert.deepEqual([result.reason, result.error?.limit, out], [
    "error",
    "inputBytes",
    "",
  ]);
  assert.match(
    result.error?.message ?? "",
    /^file3 \(11 bytes\) is larger than inputBytes \(10 bytes\); raise it/,
  );
  assert.deepEqual(events.map(({ type }) => type), ["run_start", "error", "run_end"]);
});

Deno.test("run calls its limits what the user sets to raise them", async () => {
  const names = {
    apiCalls: "MAX_CALLS",
    tokens: "MAX_TOKENS",
    inputBytes: "MAX_INPUT",
    outputBytes: "MAX_OUTPUT",
  };
  const cases: [Partial<LlmcmdLimits>, string][] = [
    [{ apiCalls: 1 }, "Reached MAX_CALLS (1 API calls); raise it to go on"],
    [{ tokens: 1 }, "Reached MAX_TOKENS (1 weighted tokens); raise it to go on"],
    [{ inputBytes: 2 }, "file3 (3 bytes) is larger than MAX_INPUT (2 bytes); raise it to go on"],
    [{ outputBytes: 2 }, "Output is larger than MAX_OUTPUT (2 bytes); raise it to go on"],
  ];
  for (const [limits, message] of cases) {
    const client = new ScriptedClient([["pipe", { in_fd: 3, out_fd: 1 }]], [["read", {}]], "never");
    const { result } = await runScript(client, { inputs: ["abc"] }, {
      limits: { ...limits, names },
    });
    assert.equal(result.error?.message, message);
    assert.equal(result.error?.limit, /[A-Z]+_[A-Z]+/.exec(message)?.[0]);
  }
});

Deno.test("run ends when fd 1 is closed by its reader, and says so", async () => {
  const gone = new BrokenPipeError();
  const sink: ByteSink = {
    write: () => Promise.reject(gone),
    close: () => Promise.resolve(),
  };
  const client = new ScriptedClient([
    ["pipe", { in_fd: 3, out_fd: 1 }],
    ["exit", {}],
  ], "never");
  const { result, events } = await runScript(client, { inputs: ["abc"], sink });
  assert.equal(client.requests.length, 1);
  assert.equal(result.outputError, gone);
  assert.deepEqual([result.reason, result.outputClosed, result.error?.name, result.exitCode], [
    "error",
    true,
    "OutputError",
    undefined,
  ]);
  assert.deepEqual(events.slice(-2).map(({ type }) => type), ["error", "run_end"]);
});

Deno.test("run needs a sink as descriptor 1", () => {
  const fds = new FdTable();
  const options = { instructions: "x", fds, client: new ScriptedClient(), model: "scripted" };
  assert.throws(() => run(options), { name: "BadFdError" });
  fds.open({ number: 1, name: "stdout" });
  assert.throws(() => run(options), /^TypeError: Cannot run: fd 1 \(stdout\) must be a sink/);
});

Deno.test("run tells each message of its conversation", async () => {
  const client = new ScriptedClient([["read", {}]], [
    ["exit", { code: 1 }],
    ["write", { data: "x" }],
  ]);
  const { events } = await runScript(client);
  const told = events.flatMap((event) => event.type === "message" ? [event.message.role] : []);
  assert.deepEqual(told, ["assistant", "tool", "assistant", "tool", "tool"]);
  const [, , ...sent] = client.requests[1]?.messages ?? [];
  assert.deepEqual(
    sent,
    events.flatMap((event) => event.type === "message" ? [event.message] : []).slice(0, 2),
  );
});

Deno.test("run gives tool errors to the model, which corrects itself", async () => {
  const client = new ScriptedClient(
    [["read", { fd: 9 }], ["pipe", { cmd: "grep '['", in_fd: 3, out_fd: 1 }]],
    [["pipe", { cmd: "cat", in_fd: 3, out_fd: 1 }], ["exit", {}]],
  );
  const { result, out } = await runScript(client, { inputs: ["abc"] });
  const [read, pipe] = client.lastResults;
  assert.match(read.error, /not an open descriptor/);
  assert.match(pipe.error, /^grep: /);
  assert.deepEqual([result.exitCode, out], [0, "abc"]);
});

Deno.test("run sends a model on that writes calls as text, unless it makes none between", async () => {
  const read = '{"name": "read", "parameters": {"fd": 3}}';
  const sort = 'pipe(cmd: "sort", in_fd: 3, out_fd: 1)';
  const slips = await runScript(
    new ScriptedClient(
      read,
      [["read", { fd: 3 }]],
      sort,
      [["pipe", { cmd: "sort", in_fd: 3, out_fd: 1 }]],
      "exit(code: 0)",
    ),
    { inputs: ["b\na\n"] },
  );
  assert.deepEqual([slips.result.exitCode, slips.result.apiCalls, slips.out], [0, 5, "a\nb\n"]);
  const never = await runScript(
    new ScriptedClient([["read", { fd: 3 }]], read, sort),
    { inputs: ["b\na\n"] },
  );
  assert.deepEqual([never.result.error?.code, never.result.apiCalls, never.out], [
    "protocol",
    3,
    "",
  ]);
});

Deno.test("run refuses limits that make no sense, and takes endless ones", async () => {
  const fds = openFds();
  const options = { instructions: "x", fds, client: new ScriptedClient("ok"), model: "scripted" };
  for (const limits of [{ seconds: NaN }, { inputBytes: -1 }, { readBufferSize: 0 }]) {
    assert.throws(() => run({ ...options, limits }), RangeError);
  }
  const { result } = await runScript(new ScriptedClient("ok"), {}, {
    limits: { seconds: Infinity, apiCalls: Infinity, outputBytes: Infinity },
  });
  assert.equal(result.reason, "stop");
  await fds[Symbol.asyncDispose]();
});

Deno.test("run drops a pipe to descriptor 1 that was made without in_fd and made again with it", async () => {
  const client = new ScriptedClient(
    [["pipe", { cmd: "wc -l", out_fd: 1 }]],
    [["pipe", { cmd: "wc -l", in_fd: 3, out_fd: 1 }]],
    [["exit", { code: 0 }]],
    [["exit", { code: 0 }]],
  );
  const { result, out } = await runScript(client, { inputs: ["a\nb\n"] });
  assert.match(
    client.lastResults[0].error,
    /^Not ended: nothing was written to fd 4, .* end again/,
  );
  assert.deepEqual([result.exitCode, out], [0, "2\n"]);
});

Deno.test("run ends a pipe to descriptor 1 that the model wrote nothing to, but wrote", async () => {
  for (
    const [name, input] of [
      ["pipe", { in_fd: 3, out_fd: 4 }],
      ["write", { fd: 4, data: "" }],
      ["write", { fd: 4, eof: true }],
    ] as const
  ) {
    const client = new ScriptedClient(
      [["pipe", { cmd: "wc -l", out_fd: 1 }], [name, input]],
      [["exit", { code: 0 }]],
    );
    const { result, out } = await runScript(client, { inputs: [""] });
    assert.deepEqual([result.exitCode, out], [0, "0\n"], name);
  }
});

Deno.test("run takes no text for the output that stands beside a transfer to fd 1 of nothing", async () => {
  const beside = new ScriptedClient({
    text: "I look for the lines.",
    calls: [["pipe", { cmd: "grep x", in_fd: 3, out_fd: 1 }], ["exit", {}]],
  });
  const { result, out } = await runScript(beside, { inputs: ["a\n"] });
  assert.deepEqual([result.exitCode, out], [0, ""]);
  const after = new ScriptedClient(
    [["pipe", { cmd: "grep x", in_fd: 3, out_fd: 1 }]],
    { text: "There are none.", calls: [["exit", {}]] },
    // It is asked once whether that is the output.
    { text: "There are none.", calls: [["exit", {}]] },
  );
  assert.equal((await runScript(after, { inputs: ["a\n"] })).out, "There are none.\n");
});
