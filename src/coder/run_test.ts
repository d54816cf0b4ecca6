import assert from "node:assert/strict";
import { LlmError, type Message } from "../llm/mod.ts";
import { memoryVfs } from "../vfs/mod.ts";
import { FakeRunner, play, ScriptedClient } from "./_testing.ts";
import { run } from "./run.ts";
import { systemPrompt } from "./prompt.ts";
import { estimateTokens, messageText } from "./tokens.ts";

const roles = (messages: readonly Message[]) => messages.map(({ role }) => role).join(" ");
const bash = (command: string): [string, unknown] => ["bash", { command }];

Deno.test("run makes the system prompt once, and goes on with the messages of the last turn", async () => {
  const vfs = memoryVfs({ root: "/work", files: { "AGENTS.md": "Use tabs" } });
  const client = new ScriptedClient({ calls: [bash("ls")] }, "Done.", "Again.");
  const facts = { platform: "linux" };
  const first = await play(client, { vfs, facts, input: "One" });
  assert.equal(first.result.reason, "stop");
  assert.equal(first.result.text, "Done.");
  assert.equal(first.result.apiCalls, 2);
  assert.deepEqual(first.notices, ["Using /work/AGENTS.md"]);
  assert.deepEqual(first.types, [
    ...["run_start", "notice", "turn_start", "usage", "message"],
    ...["tool_start", "message", "tool_end", "turn_end"],
    ...["turn_start", "text", "usage", "message", "turn_end", "run_end"],
  ]);
  assert.equal(roles(first.result.messages), "system user assistant tool assistant");
  const prompt = messageText(first.result.messages[0] as Message);
  assert.match(prompt, /Working folder: \/work /);
  assert.match(prompt, /Date: 2026-11-27\n- Platform: linux\n\nThe project's \/work\/AGENTS.md/);
  const second = await play(client, { vfs, input: "Two", messages: first.result.messages });
  assert.deepEqual(second.notices, []);
  assert.equal(
    roles(second.result.messages),
    "system user assistant tool assistant user assistant",
  );
  assert.deepEqual(client.requests[2]?.messages, second.result.messages.slice(0, 6));
  assert.equal(first.result.messages.length, 5);
});

Deno.test("run sends the tools and nothing that was not asked for", async () => {
  const client = new ScriptedClient("Hi.", "Hi.");
  await play(client);
  await play(client, { temperature: 0.5, maxTokens: 9 });
  const [request, tuned] = client.requests;
  assert.deepEqual(Object.keys(request ?? {}), ["model", "messages", "tools"]);
  assert.deepEqual(
    request?.tools?.map(({ function: { name } }) => name),
    ["read_file", "write_file", "edit_file", "bash"],
  );
  assert.equal(tuned?.temperature, 0.5);
  assert.equal(tuned?.max_tokens, 9);
});

Deno.test("run ends when the calls or the tokens of a turn are used up, and says what to raise", async () => {
  const calls = [bash("ls")];
  const capped = await play(new ScriptedClient({ calls }, { calls }, { calls }), {
    limits: { apiCalls: 2, names: { apiCalls: "MAX_CALLS" } },
  });
  assert.equal(capped.result.reason, "error");
  assert.deepEqual(capped.result.error, {
    name: "LimitError",
    message: "Reached MAX_CALLS (2 API calls); raise it to go on",
    limit: "MAX_CALLS",
  });
  assert.equal(roles(capped.result.messages), "system user assistant tool assistant tool");
  assert.equal(capped.types.filter((type) => type === "error").length, 1);
  const spent = await play(new ScriptedClient({ calls, tokens: 500 }, "x"), {
    limits: { tokens: 500 },
  });
  assert.equal(spent.result.error?.limit, "tokens");
  await assert.rejects(() => play(new ScriptedClient(), { limits: { apiCalls: 0 } }), RangeError);
});

Deno.test("run goes on with the next model when one fails, and says so", async () => {
  const client = new ScriptedClient(
    { calls: [bash("ls")] },
    { text: "Broken", error: new LlmError("Endpoint answered 500: oops", { status: 500 }) },
    new LlmError("Endpoint answered 404: no such model", { status: 404 }),
    "Done.",
  );
  const { result, warnings, types } = await play(client, { fallbackModels: ["b", "c"] });
  assert.equal(result.reason, "stop");
  assert.equal(result.model, "c");
  assert.deepEqual(client.requests.map(({ model }) => model), ["m", "m", "b", "c"]);
  assert.deepEqual(warnings, [
    "Model m failed (Endpoint answered 500: oops): going on with b",
    "Model b failed (Endpoint answered 404: no such model): going on with c",
  ]);
  assert.equal(types.includes("error"), false);
  assert.equal(roles(result.messages), "system user assistant tool assistant");
  const turns = new ScriptedClient(
    { calls: [bash("ls")] },
    new LlmError("x", { status: 500 }),
    "y",
  );
  const { events } = await play(turns, { fallbackModels: ["b"] });
  assert.deepEqual(
    events.flatMap((event) => event.type === "turn_start" ? [event.turn] : []),
    [1, 2, 3],
  );
});

Deno.test("run fails when the model does nothing and says nothing, and tries the next model", async () => {
  const silent = "Model m answered with nothing, neither text nor a call";
  const { result, types } = await play(new ScriptedClient(""));
  assert.equal(result.reason, "error");
  assert.deepEqual(result.error, { name: "LlmError", message: silent, code: "protocol" });
  assert.deepEqual(types.slice(-2), ["error", "run_end"]);
  const next = await play(new ScriptedClient("", "Done."), { fallbackModels: ["b"] });
  assert.deepEqual([next.result.reason, next.result.text], ["stop", "Done."]);
  assert.deepEqual(next.warnings, [`Model m failed (${silent}): going on with b`]);
  assert.equal(roles(next.result.messages), "system user assistant");
});

Deno.test("run warns when the model ends its work without a word", async () => {
  const { result, warnings, types } = await play(new ScriptedClient({ calls: [bash("ls")] }, ""));
  assert.equal(result.reason, "stop");
  assert.deepEqual(warnings, ["Model m said nothing more"]);
  assert.equal(types.includes("error"), false);
  assert.equal(roles(result.messages), "system user assistant tool");
});

Deno.test("run does not try another model after a wrong key, and reports the last failure", async () => {
  const wrong = new LlmError("Endpoint answered 401: wrong key", { status: 401 });
  const client = new ScriptedClient(wrong);
  const { result, types } = await play(client, { fallbackModels: ["b"] });
  assert.equal(client.requests.length, 1);
  assert.equal(result.error?.status, 401);
  assert.deepEqual(types, ["run_start", "turn_start", "error", "run_end"]);
  const busy = () => new LlmError("Endpoint answered 429: busy", { status: 429 });
  const both = await play(new ScriptedClient(busy(), busy()), { fallbackModels: ["b"] });
  assert.equal(both.result.error?.status, 429);
  assert.equal(roles(both.result.messages), "system user");
});

Deno.test("run compacts in the middle of a turn when the context is nearly full", async () => {
  const runner = new FakeRunner(() => ({ text: "x".repeat(800) }));
  const prompt: Message = {
    role: "system",
    content: systemPrompt({ root: "/work", date: "2026-11-27" }),
  };
  // Room for one result of 200 tokens, but not for two.
  const contextTokens = (estimateTokens([prompt]) + 400) / 0.8;
  const client = new ScriptedClient(
    { calls: [bash("one")] },
    { calls: [bash("two")] },
    ({ messages, tools, model }) => {
      assert.equal(tools, undefined);
      assert.equal(model, "small");
      assert.match(
        messageText(messages[1] as Message),
        /User: Go\n\nCall: bash\(\{"command":"one"\}\)/,
      );
      return "We did one.";
    },
    "Done.",
  );
  const { result, notices } = await play(client, {
    runner,
    smallModel: "small",
    limits: { contextTokens, keepTokens: 700 },
  });
  assert.equal(result.error, undefined);
  assert.equal(result.reason, "stop");
  assert.equal(result.compactions, 1);
  assert.match(notices[0] ?? "", /^Compacted the conversation from about \d+ to \d+ tokens$/);
  assert.equal(roles(result.messages), "system user assistant tool assistant");
  assert.equal(
    messageText(result.messages[1] as Message),
    "[The conversation so far was compacted. Summary:]\n\nWe did one.\n\n" +
      "[The user's last message, word for word:]\n\nGo",
  );
  assert.deepEqual(client.requests[3]?.messages, result.messages.slice(0, 4));
});

Deno.test("run believes the endpoint's count of tokens", async () => {
  const client = new ScriptedClient(
    { calls: [bash("one")], tokens: 90_000 },
    { calls: [bash("two")], tokens: 110_000 },
    "Summary.",
    "Done.",
  );
  const runner = new FakeRunner(() => ({ text: "long ".repeat(1000) }));
  const { result } = await play(client, { runner });
  assert.equal(client.requests.length, 4);
  assert.equal(result.compactions, 1);
  assert.equal(result.usage.prompt_tokens >= 200_000, true);
});

Deno.test("run compacts and goes on when the endpoint says that the context is exceeded", async () => {
  const full = () =>
    new LlmError("Endpoint answered 400: This model's maximum context length is 8192 tokens", {
      status: 400,
      code: "context_length_exceeded",
    });
  const messages: Message[] = [
    { role: "system", content: "S" },
    ...Array.from({ length: 20 }, (_, n): Message => ({
      role: n % 2 === 0 ? "user" : "assistant",
      content: `${n} `.repeat(400),
    })),
  ];
  const client = new ScriptedClient(full(), "Summary.", full(), "Shorter.", "Done.");
  const { result, types } = await play(client, { messages });
  assert.equal(result.reason, "stop");
  assert.equal(result.text, "Done.");
  assert.equal(result.compactions, 2);
  assert.equal(types.includes("error"), false);
  const sizes = client.requests.filter(({ tools }) => tools !== undefined)
    .map(({ messages }) => messages.length);
  assert(sizes[0] === 22 && (sizes[1] ?? 0) < 10 && (sizes[2] ?? 0) <= (sizes[1] ?? 0), `${sizes}`);
  assert.equal(messageText(result.messages.at(-2) as Message).endsWith("Go"), true);
});

Deno.test("run ends with a clear error when compaction does not help", async () => {
  const full = new LlmError("Endpoint answered 400: prompt is too long", { status: 400 });
  const { result, types } = await play(new ScriptedClient(full, "Summary.", full, full, full));
  assert.equal(result.reason, "error");
  assert.equal(result.error?.code, "context_length_exceeded");
  assert.match(
    result.error?.message ?? "",
    /^The conversation does not fit the context of m, also compacted \(.*too long\): begin a new/,
  );
  assert.equal(types.filter((type) => type === "error").length, 1);
});

Deno.test("run summarises with the main model when the small one fails", async () => {
  const client = new ScriptedClient(new LlmError("No", { status: 500 }), "Summary.", "Done.");
  const messages: Message[] = [
    { role: "system", content: "S" },
    { role: "user", content: "long ".repeat(2000) },
    { role: "assistant", content: "long ".repeat(2000) },
  ];
  const { result } = await play(client, {
    messages,
    smallModel: "small",
    limits: { contextTokens: 5000 },
  });
  assert.deepEqual(client.requests.map(({ model }) => model), ["small", "m", "m"]);
  assert.equal(result.compactions, 1);
});

Deno.test("run is stopped by its signal and by cancelling, and every call is answered", async () => {
  const stop = new AbortController();
  const runner = new FakeRunner((_, { signal }) =>
    new Promise((resolve) => {
      signal?.addEventListener("abort", () => resolve({ text: "half", aborted: true }), {
        once: true,
      });
      stop.abort(new Error("Enough"));
    })
  );
  const calls = [bash("one"), bash("two")];
  const aborted = await play(new ScriptedClient({ calls }), { runner, signal: stop.signal });
  assert.equal(aborted.result.reason, "abort");
  assert.equal(aborted.result.error?.message, "Enough");
  assert.equal(roles(aborted.result.messages), "system user assistant tool tool");
  assert.match(messageText(aborted.result.messages[3] as Message), /^half\n\[Stopped and killed/);
  assert.equal(messageText(aborted.result.messages[4] as Message), "Not run: the run was stopped");

  const turn = run({
    client: new ScriptedClient("hang"),
    model: "m",
    input: "Go",
    vfs: memoryVfs(),
    runner: new FakeRunner(),
  });
  const reader = turn.events.getReader();
  await reader.read();
  await reader.read();
  await reader.cancel();
  const result = await turn.result;
  assert.equal(result.reason, "abort");
  assert.equal(roles(result.messages), "system user");
});

Deno.test("run without input goes on where the conversation broke off", async () => {
  const messages: Message[] = [
    { role: "system", content: "S" },
    { role: "user", content: "Go" },
    { role: "assistant", content: "x" },
  ];
  const client = new ScriptedClient(new LlmError("No", { status: 401 }));
  const { result } = await play(client, { messages, input: undefined });
  assert.deepEqual(result.messages, messages);
});
