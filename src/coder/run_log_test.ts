import assert from "node:assert/strict";
import { type ChatClient, type ChatDelta, LlmError } from "../llm/mod.ts";
import { FakeRunner, MemoryLog, play, ScriptedClient } from "./_testing.ts";
import { encodeRecord, parseSessionLog, type SessionRecord } from "./session_log.ts";
import { estimateTokens } from "./tokens.ts";

const bash = (command: string): [string, unknown] => ["bash", { command }];

/** A log that takes its time, and notes what it has. */
class SlowLog extends MemoryLog {
  readonly #log: string[];
  readonly #onRecord: (record: SessionRecord) => void;

  constructor(log: string[], onRecord: (record: SessionRecord) => void = () => {}) {
    super();
    this.#log = log;
    this.#onRecord = onRecord;
  }

  override async append(record: SessionRecord): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 1));
    this.#onRecord(record);
    await super.append(record);
    if (record.type === "message") this.#log.push(`kept ${record.message.role}`);
  }
}

/** A model that sends these deltas, one answer a request. */
function deltas(...answers: ChatDelta[][]): ChatClient {
  return { stream: () => ReadableStream.from(answers.shift() ?? []) };
}

Deno.test("run goes on when its log fails, and says so once", async () => {
  const log = { append: () => Promise.reject(new Error("No space left")) };
  const { result, warnings } = await play(new ScriptedClient({ calls: [bash("ls")] }, "Done."), {
    log,
  });
  assert.equal(result.reason, "stop");
  assert.deepEqual(warnings, ["The session is no longer saved: No space left"]);
});

Deno.test("run keeps each message once in its log, as soon as it is complete", async () => {
  const log = new MemoryLog();
  const kept: string[] = [];
  const runner = new FakeRunner(() => {
    kept.push(
      log.records.flatMap((it) => it.type === "message" ? [it.message.role] : []).join(" "),
    );
    return {};
  });
  const calls = [bash("one"), bash("two")];
  const client = new ScriptedClient(
    { text: "Look:", calls, tokens: 5 },
    { text: "Done.", tokens: 7 },
  );
  const { result } = await play(client, { log, runner });
  assert.deepEqual(kept, ["system user assistant", "system user assistant tool"]);
  const messages = log.records.flatMap((it) => it.type === "message" ? [it.message] : []);
  assert.deepEqual(messages, result.messages);
  assert.deepEqual(log.records.flatMap((it) => it.type === "event" ? [it.event] : []), [
    { type: "usage", model: "m", prompt_tokens: 5, completion_tokens: 0 },
    { type: "usage", model: "m", prompt_tokens: 7, completion_tokens: 0 },
    { type: "end", reason: "stop", seconds: 0 },
  ]);
});

Deno.test("run keeps the diffs of calls, which calls failed, and why the turn did", async () => {
  const log = new MemoryLog();
  const long = Array.from({ length: 9000 }, (_, at) => `line ${at}\n`).join("");
  const client = new ScriptedClient(
    { calls: [["write_file", { path: "a", content: "x\n" }], ["read_file", { path: "none" }]] },
    { calls: [["write_file", { path: "b", content: long }], ["read_file", { path: "a" }]] },
    new LlmError("Endpoint answered 500", { status: 500, code: "c" }),
  );
  await play(client, { log });
  const events = log.records.flatMap((it) => it.type === "event" ? [it.event] : []);
  const [first, second, third, ...others] = events.filter(({ type }) => type === "result");
  assert.deepEqual(first, {
    ...{ type: "result", id: "id_1", error: false },
    diff: "--- a\n+++ a\n@@ -0,0 +1 @@\n+x\n",
  });
  assert.deepEqual(second, { type: "result", id: "id_2", error: true });
  const { diff = "" } = third?.type === "result" ? third : {};
  assert.ok(diff.length < 33_000, String(diff.length));
  assert.match(diff, /\n\+line \d+\n\[The diff is longer\]\n$/);
  assert.deepEqual(others, []);
  assert.deepEqual(events.filter(({ type }) => type === "error"), [{
    ...{ type: "error", name: "LlmError", message: "Endpoint answered 500" },
    ...{ status: 500, code: "c" },
  }]);
  assert.deepEqual(parseSessionLog(log.records.map(encodeRecord).join("")).records, log.records);
});

Deno.test("run runs no call and shows no event of a message before its log has it", async () => {
  const happened: string[] = [];
  const runner = new FakeRunner((command) => {
    happened.push(`run ${command}`);
    return {};
  });
  const client = new ScriptedClient({ calls: [bash("one"), bash("two")] }, "Done.");
  await play(client, { log: new SlowLog(happened), runner }, (event) => {
    if (event.type === "message") happened.push(`show ${event.message.role}`);
    if (event.type === "tool_start" || event.type === "tool_end") happened.push(event.type);
  });
  assert.deepEqual(happened, [
    ...["kept system", "kept user", "kept assistant", "show assistant"],
    ...["tool_start", "run one", "kept tool", "show tool", "tool_end"],
    ...["tool_start", "run two", "kept tool", "show tool", "tool_end"],
    ...["kept assistant", "show assistant"],
  ]);
});

Deno.test("run keeps calls as they are sent back, with the ids that they were given once", async () => {
  const log = new MemoryLog();
  const bare = (args: string): ChatDelta => ({ type: "tool_call", name: "bash", arguments: args });
  const client = deltas(
    [bare('{"command":"a"}'), bare('{"comm'), { type: "finish", reason: "tool_calls" }],
    [bare('{"command":"b"}'), { type: "finish", reason: "tool_calls" }],
    [{ type: "text", content: "Done." }, { type: "finish", reason: "stop" }],
  );
  const { result, events } = await play(client, { log });
  const kept = log.records.flatMap((it) => it.type === "message" ? [it.message] : []);
  assert.deepEqual(kept, result.messages);
  const calls = kept.flatMap((it) => it.role === "assistant" ? it.tool_calls ?? [] : []);
  assert.deepEqual(calls.map((call) => [call.id, call.function.arguments]), [
    ["call_1", '{"command":"a"}'],
    ["call_2", '{"malformed_arguments":"{\\"comm"}'],
    ["call_3", '{"command":"b"}'],
  ]);
  assert.deepEqual(
    events.flatMap((event) => event.type === "tool_start" ? [event.id] : []),
    ["call_1", "call_2", "call_3"],
  );
});

Deno.test("run estimates, counts and keeps the usage that an endpoint does not tell", async () => {
  const log = new MemoryLog();
  const client = new ScriptedClient({ text: "Look:", calls: [bash("ls")] }, {
    text: "Done.",
    tokens: 7,
  });
  const { result, events } = await play(client, { log });
  const [system, user, answer] = result.messages;
  assert(system !== undefined && user !== undefined && answer !== undefined);
  const prompt_tokens = estimateTokens([system, user]);
  const completion_tokens = estimateTokens([answer]);
  assert.deepEqual(
    events.flatMap((event) => event.type === "usage" ? [event.usage] : []),
    [
      { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
      { prompt_tokens: 7, completion_tokens: 0, total_tokens: 7 },
    ],
  );
  assert.deepEqual(
    [result.usage.prompt_tokens, result.usage.completion_tokens],
    [prompt_tokens + 7, completion_tokens],
  );
  assert.deepEqual(log.records.flatMap((it) => it.type === "event" ? [it.event] : []), [
    { type: "usage", model: "m", prompt_tokens, completion_tokens },
    { type: "usage", model: "m", prompt_tokens: 7, completion_tokens: 0 },
    { type: "end", reason: "stop", seconds: 0 },
  ]);
});

Deno.test("run, stopped while its log takes an answer, keeps it with the ends of its calls", async () => {
  for (const calls of [[bash("one"), bash("two")], []]) {
    const stop = new AbortController();
    const log = new SlowLog([], (record) => {
      const isAnswer = record.type === "message" && record.message.role === "assistant";
      if (isAnswer) stop.abort(new Error("Enough"));
    });
    const runner = new FakeRunner();
    const { result } = await play(new ScriptedClient({ text: "Look:", calls }), {
      ...{ log, runner, signal: stop.signal },
    });
    assert.deepEqual([result.reason, result.error?.message], ["abort", "Enough"]);
    assert.deepEqual(runner.commands, []);
    const kept = log.records.flatMap((it) => it.type === "message" ? [it.message] : []);
    assert.deepEqual(kept, result.messages);
    assert.deepEqual(
      kept.slice(3).map(({ content }) => content),
      calls.map(() => "Not run: the run was stopped"),
    );
  }
});

Deno.test("run keeps what is left of an answer that was cut, after what was warned of", async () => {
  const log = new MemoryLog();
  const { result } = await play(new ScriptedClient({ text: "Half", finish: "length" }), { log });
  assert.deepEqual(
    log.records.map((it) => it.type === "event" ? it.event.type : it.type),
    ["message", "message", "usage", "warning", "message", "end"],
  );
  const kept = log.records.flatMap((it) => it.type === "message" ? [it.message] : []);
  assert.deepEqual(kept, result.messages);
  assert.deepEqual(kept.at(-1), { role: "assistant", content: "Half" });
});
