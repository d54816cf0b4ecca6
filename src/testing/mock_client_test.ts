import assert from "node:assert/strict";
import { type ChatDelta, LlmError } from "../llm/mod.ts";
import type { Scenario } from "../mock/mod.ts";
import { type MockClient, mockClient } from "./mock_client.ts";

const HELLO: Scenario = {
  name: "hello",
  trigger: "hello",
  steps: [{ response: { content: "Hi!" } }],
};

async function ask(
  client: MockClient,
  text: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<ChatDelta[]> {
  const request = { model: "m", messages: [{ role: "user" as const, content: text }] };
  return await Array.fromAsync(client.stream(request, { signal }));
}

function answerText(deltas: ChatDelta[]): string {
  return deltas.map((delta) => delta.type === "text" ? delta.content : "").join("");
}

Deno.test("mockClient answers from its scenarios, and its journal has the requests", async () => {
  const client = mockClient([HELLO]);
  const deltas = await ask(client, "Say hello");
  assert.equal(answerText(deltas), "Hi!");
  assert.deepEqual(deltas.filter(({ type }) => type === "finish"), [
    { type: "finish", reason: "stop" },
  ]);
  assert.deepEqual(
    client.mock.journal.entries.map(({ scenario, stream }) => [scenario, stream]),
    [["hello", true]],
  );
});

Deno.test("mockClient takes a whole scenario file with its default response", async () => {
  const file = { scenarios: [HELLO], default_response: { content: "What?" } };
  assert.equal(answerText(await ask(mockClient(file), "Sing")), "What?");
});

Deno.test("mockClient in strict mode refuses what no scenario matches", async () => {
  await assert.rejects(ask(mockClient([HELLO], { strict: true }), "Sing"), (error) => {
    assert.ok(error instanceof LlmError);
    assert.equal(error.status, 400);
    return true;
  });
});

Deno.test("mockClient retries a fault as on a real connection, by the clock it is given", async () => {
  const waits: number[] = [];
  const clock = {
    now: () => 0,
    sleep: (milliseconds: number) => Promise.resolve(void waits.push(milliseconds)),
  };
  const fault = { times: 1, status: 503, retry_after: 3 };
  const busy = { ...HELLO, steps: [{ response: { content: "Hi!" }, fault }] };
  const client = mockClient([busy], { client: { clock } });
  assert.equal(answerText(await ask(client, "hello")), "Hi!");
  assert.deepEqual(waits, [3000]);
  assert.equal(client.mock.journal.total, 2);
  const hasty = mockClient([busy], { client: { maxRetries: 0 } });
  await assert.rejects(ask(hasty, "hello"), { name: "LlmError" });
});

Deno.test("mockClient ends an answer that hangs when the request is aborted", async () => {
  const client = mockClient([{ name: "hang", trigger: "", steps: [{ fault: { hang: true } }] }]);
  const controller = new AbortController();
  const asked = ask(client, "hello", controller.signal);
  controller.abort(new Error("Enough"));
  await assert.rejects(asked);
});

Deno.test("mockClient names the place where a scenario is wrong", () => {
  assert.throws(() => mockClient([{ name: "empty", trigger: "x", steps: [] }]), {
    name: "TypeError",
    message: /^mockClient: scenarios\[0\]\.steps/,
  });
});
