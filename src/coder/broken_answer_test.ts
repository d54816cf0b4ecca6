import assert from "node:assert/strict";
import { LlmError, type Message } from "../llm/mod.ts";
import { play, ScriptedClient, type Step } from "./_testing.ts";

const roles = (messages: readonly Message[]) => messages.map(({ role }) => role).join(" ");

const LOST = new LlmError("Connection to http://llm.test failed: reset", { code: "connection" });

/** Waits in no real time; keeps what was to be waited. */
function pauses() {
  const slept: number[] = [];
  const sleep = (milliseconds: number) => {
    slept.push(milliseconds);
    return Promise.resolve();
  };
  return { slept, sleep };
}

Deno.test("run keeps the text of an answer that broke off, and has the model go on with it", async () => {
  const { slept, sleep } = pauses();
  const client = new ScriptedClient(
    { text: "The first half, ", error: LOST },
    { text: "the second ", error: LOST },
    "half.",
  );
  const { result, events } = await play(client, { sleep });
  assert.equal(result.reason, "stop");
  assert.equal(result.text, "The first half, the second half.");
  assert.equal(roles(result.messages), "system user assistant user assistant user assistant");
  assert.equal(result.messages[2]?.content, "The first half, ");
  assert.match(
    String(client.requests[1]?.messages.at(-1)?.content),
    /^\[The connection broke here/,
  );
  assert.deepEqual(slept, [1000, 2000]);
  const retries = events.filter(({ type }) => type === "retry");
  assert.deepEqual(retries, [
    { type: "retry", attempt: 1, delay: 1000, error: LOST.message },
    { type: "retry", attempt: 2, delay: 2000, error: LOST.message },
  ]);
});

Deno.test("run gives up on answers that break off again and again, and keeps what came", async () => {
  const { slept, sleep } = pauses();
  const steps: Step[] = Array.from({ length: 9 }, (_, at) => ({ text: `${at} `, error: LOST }));
  const { result } = await play(new ScriptedClient(...steps), { sleep });
  assert.equal(result.reason, "error");
  assert.equal(result.messages.at(-1)?.content, "8 ");
  assert.deepEqual(slept, [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
});

Deno.test("run begins to count anew after an answer that came whole", async () => {
  const { slept, sleep } = pauses();
  const client = new ScriptedClient(
    { text: "a", error: LOST },
    { calls: [["bash", { command: "ls" }]] },
    { text: "b", error: LOST },
    "c",
  );
  await play(client, { sleep });
  assert.deepEqual(slept, [1000, 1000]);
});

Deno.test("run ends with an answer that the endpoint did not end, and keeps it", async () => {
  const error = new LlmError("Endpoint ended its answer without finish_reason", {
    code: "protocol",
  });
  const { result } = await play(new ScriptedClient({ text: "Half", error }));
  assert.equal(result.reason, "error");
  assert.equal(result.messages.at(-1)?.content, "Half");
});
