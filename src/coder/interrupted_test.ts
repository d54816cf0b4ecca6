import assert from "node:assert/strict";
import { LlmError } from "../llm/mod.ts";
import { memoryVfs } from "../vfs/mod.ts";
import { checkConversation, FakeRunner, MemoryLog, play, ScriptedClient } from "./_testing.ts";
import { newSession, resume } from "./session.ts";
import type { SessionRecord } from "./session_log.ts";

const calls: [string, unknown][] = [
  ["bash", { command: "one" }],
  ["write_file", { path: "a/b", content: "x" }],
  ["nonsense", {}],
  ["bash", { timeout: -1 }],
];

/** A turn with calls, a compaction, a change of the model, and a final answer. */
function script(): ScriptedClient {
  return new ScriptedClient(
    { text: "Look:", calls, tokens: 10 },
    { text: "Half", error: new LlmError("Endpoint answered 500: oops", { status: 500 }) },
    { text: "More:", calls, tokens: 120_000 },
    { text: "Summary." },
    { text: "Done." },
  );
}

/** A log that stops the turn when it is given record number `at`. */
class StoppingLog extends MemoryLog {
  readonly #at: number;
  readonly #stop: AbortController;

  constructor(at: number, stop: AbortController) {
    super();
    this.#at = at;
    this.#stop = stop;
  }

  override async append(record: SessionRecord): Promise<void> {
    await super.append(record);
    if (this.records.length === this.#at) this.#stop.abort(new Error("Enough"));
  }
}

async function stopped(options: { event?: number; record?: number }) {
  const stop = new AbortController();
  const log = new StoppingLog(options.record ?? -1, stop);
  await log.append(newSession({ root: "/work", model: "m" }).record);
  let events = 0;
  const client = script();
  const { result, types } = await play(client, {
    log,
    signal: stop.signal,
    fallbackModels: ["b"],
    vfs: memoryVfs({ root: "/work" }),
    runner: new FakeRunner((_, { signal }) => ({
      text: "x".repeat(9000),
      aborted: signal?.aborted,
    })),
  }, () => {
    if (events++ === options.event) stop.abort(new Error("Enough"));
  });
  return { result, types, records: log.records, events, client };
}

Deno.test("run may be stopped at any event or record: messages and log stay valid and agree", async () => {
  const whole = await stopped({});
  assert.equal(whole.result.reason, "stop");
  assert.equal(whole.result.compactions, 1);
  assert.deepEqual(resume(whole.records).messages, whole.result.messages);
  const aborts = [
    ...Array.from({ length: whole.events - 1 }, (_, event) => ({ event })),
    ...Array.from({ length: whole.records.length - 2 }, (_, n) => ({ record: n + 2 })),
  ];
  for (const abort of aborts) {
    const where = JSON.stringify(abort);
    const { result, types, records } = await stopped(abort);
    assert.equal(types[0], "run_start", where);
    assert.equal(types.at(-1), "run_end", where);
    checkConversation(result.messages, where);
    if (result.reason === "abort") {
      assert.equal(result.error?.message, "Enough", where);
      assert.equal(types.filter((type) => type === "error").length, 1, where);
    } else assert.equal(result.reason, "stop", where);
    const resumed = resume(records).messages;
    checkConversation(resumed, where);
    assert.deepEqual(resumed, result.messages, where);
  }
});

Deno.test("a log that is cut anywhere gives a conversation that can go on", async () => {
  const { records, result } = await stopped({});
  for (let end = 1; end <= records.length; end++) {
    const { messages } = resume(records.slice(0, end));
    checkConversation(messages, `record ${end}`);
    const next = await play(new ScriptedClient("On."), { messages, input: "Go on" });
    checkConversation(next.result.messages, `record ${end}`);
    assert.equal(next.result.reason, "stop");
  }
  assert.deepEqual(resume(records).messages, result.messages);
});
