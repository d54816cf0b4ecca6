import assert from "node:assert/strict";
import { ask, chunk, failure, fakeFetch, hello, sse } from "./_fixtures_test.ts";
import { type AssistantMessage, DeltaAccumulator } from "./accumulator.ts";
import type { ChatDelta } from "./client.ts";
import { LlmError } from "./errors.ts";
import { openaiClient } from "./openai_client.ts";
import type { Message } from "./wire.ts";

const ORIGIN = "http://llm.test/v1/chat/completions m";

function setUp(...answers: Response[]) {
  const { fetch, seen } = fakeFetch(...answers);
  const client = openaiClient({ apiKey: "k", baseUrl: "http://llm.test/v1", fetch, maxRetries: 0 });
  return { client, seen, sent: (index: number) => seen[index]?.body.messages };
}

function messageOf(deltas: readonly ChatDelta[]): AssistantMessage {
  const answer = new DeltaAccumulator();
  deltas.forEach((delta) => answer.add(delta));
  return answer.message();
}

const CALL = { id: "c1", type: "function" as const, function: { name: "read", arguments: "{}" } };
const RESULT: Message = { role: "tool", tool_call_id: "c1", content: "x" };
const GOOGLE = { extra_content: { google: { thought_signature: "sig" } } };
/** An answer with a call, as a thinking model gives it. */
const THINKING: Message = {
  role: "assistant",
  content: null,
  tool_calls: [CALL],
  extras: { origin: ORIGIN, message: { reasoning_content: "hm" }, calls: { c1: GOOGLE } },
};
const request = (...messages: Message[]) => ({ model: "m", messages });

Deno.test("openaiClient sends fields that it does not know back as they came", async () => {
  const details = (text: string) => [{ type: "reasoning.text", index: 0, text }];
  const { client, seen, sent } = setUp(
    sse(
      chunk({ role: "assistant", content: "", reasoning_content: "Let ", audio: null }),
      chunk({ reasoning_content: "me", reasoning_details: details("a"), annotations: [{}] }),
      chunk({ reasoning_details: details("b") }),
      chunk({ tool_calls: [{ index: 0, ...CALL, ...GOOGLE }] }),
      chunk({}, "tool_calls"),
    ),
    hello(),
  );
  const { deltas } = await ask(client);
  const message = messageOf(deltas);
  assert.deepEqual(message, {
    role: "assistant",
    content: null,
    tool_calls: [CALL],
    extras: {
      origin: ORIGIN,
      message: { reasoning_content: "Let me", reasoning_details: details("ab") },
      calls: { c1: GOOGLE },
    },
  });
  await ask(client, {}, request(message, RESULT));
  assert.equal(seen.length, 2);
  assert.deepEqual(sent(1), [
    {
      role: "assistant",
      content: null,
      reasoning_content: "Let me",
      reasoning_details: details("ab"),
      tool_calls: [{ ...CALL, ...GOOGLE }],
    },
    RESULT,
  ]);
});

Deno.test("openaiClient leaves fields of another model or endpoint out, and never sends extras", async () => {
  const { client, sent } = setUp(hello(), hello());
  const plain = [{ role: "assistant", content: null, tool_calls: [CALL] }, RESULT];
  await ask(client, {}, { ...request(THINKING, RESULT), model: "other" });
  assert.deepEqual(sent(0), plain);
  const { fetch, seen } = fakeFetch(hello());
  const elsewhere = openaiClient({ apiKey: "k", baseUrl: "http://other.test/v1", fetch });
  await ask(elsewhere, {}, request(THINKING, RESULT));
  assert.deepEqual(seen[0]?.body.messages, plain);
});

Deno.test("openaiClient keeps no field of an attempt that failed while the model thought", async () => {
  const { fetch } = fakeFetch(
    sse(
      chunk({ reasoning_content: "first" }),
      chunk({ content: "<think>hm" }),
      { error: { message: "Overloaded", code: 503 } },
    ),
    sse(chunk({ reasoning_content: "second" }), chunk({ content: "Hi" }, "stop")),
  );
  const { deltas, error } = await ask(
    openaiClient({ apiKey: "", baseUrl: "http://llm.test/v1", fetch, random: () => 0.99 }),
  );
  assert.equal(error, undefined);
  assert.deepEqual(messageOf(deltas), {
    role: "assistant",
    content: "Hi",
    extras: { origin: ORIGIN, message: { reasoning_content: "second" } },
  });
});

Deno.test("openaiClient asks again without a field that is refused, and remembers", async () => {
  const refusals = [
    failure(400, { message: "The reasoning_content is not supported in the input messages" }),
    new Response(
      JSON.stringify({
        message: {
          detail: [{ type: "extra_forbidden", loc: [2, "assistant", "reasoning_content"] }],
        },
      }),
      { status: 422 },
    ),
    failure(400, { message: "Unknown parameter", param: "messages.[0].reasoning_content" }),
  ];
  for (const refusal of refusals) {
    const { client, seen, sent } = setUp(refusal, hello(), hello());
    const { deltas, error } = await ask(client, {}, request(THINKING, RESULT));
    assert.equal(error, undefined);
    assert.equal(deltas[0]?.type, "retry");
    const without: unknown[] = [
      { role: "assistant", content: null, tool_calls: [{ ...CALL, ...GOOGLE }] },
      RESULT,
    ];
    assert.deepEqual(sent(1), without);
    await ask(client, {}, request(THINKING, RESULT));
    assert.deepEqual(sent(2), without);
    assert.equal(seen.length, 3);
  }
});

Deno.test("openaiClient asks again without a field of a call that is refused by an inner name", async () => {
  const { client, sent } = setUp(
    failure(400, { message: "Unknown name thought_signature" }),
    hello(),
  );
  await ask(client, {}, request(THINKING));
  assert.deepEqual(sent(1), [
    { role: "assistant", content: null, tool_calls: [CALL], reasoning_content: "hm" },
  ]);
});

Deno.test("openaiClient gives DeepSeek and Gemini what they miss in answers of other models", async () => {
  const foreign: Message = { role: "assistant", content: null, tool_calls: [CALL] };
  const deepseek = setUp(
    failure(400, {
      message: "The `reasoning_content` in the thinking mode must be passed back to the API.",
    }),
    hello(),
  );
  await ask(deepseek.client, {}, request(foreign, THINKING));
  const [first, second] = deepseek.sent(1) as Record<string, unknown>[];
  assert.equal(first?.reasoning_content, "");
  assert.equal(second?.reasoning_content, "hm");
  const gemini = setUp(
    failure(400, {
      message: "Function call is missing a thought_signature in functionCall parts.",
    }),
    hello(),
  );
  await ask(gemini.client, {}, request(foreign, THINKING));
  const signatures = (gemini.sent(1) as { tool_calls: (typeof GOOGLE)[] }[])
    .map(({ tool_calls: [call] }) => call?.extra_content.google.thought_signature);
  assert.deepEqual(signatures, ["skip_thought_signature_validator", "sig"]);
});

Deno.test("openaiClient asks again with empty content where null is refused, once", async () => {
  const nothing: Message = { role: "assistant", content: null, tool_calls: [CALL] };
  const refuse = () =>
    failure(400, { message: "messages[0].content: expected a string, got null" });
  const { client, seen, sent } = setUp(refuse(), hello(), hello(), refuse());
  assert.equal((await ask(client, {}, request(nothing))).error, undefined);
  assert.deepEqual(sent(1), [{ ...nothing, content: "" }]);
  await ask(client, {}, request(nothing));
  assert.deepEqual(sent(2), [{ ...nothing, content: "" }]);
  const { error } = await ask(client, {}, request(nothing));
  assert(error instanceof LlmError);
  assert.equal(seen.length, 4);
});

Deno.test("openaiClient does not ask again where a filter withholds the request", async () => {
  const policy = "The response was filtered due to our content management policy";
  const { client, seen } = setUp(failure(400, { message: policy, code: "content_filter" }));
  await ask(client, {}, request(THINKING));
  assert.equal(seen.length, 1);
});

Deno.test("openaiClient mends half characters everywhere, and leaves whole ones as they are", async () => {
  const { client, seen } = setUp(hello());
  const half = "a\ud83d";
  const tools = [{ type: "function" as const, function: { name: "f", description: "\udc00" } }];
  await ask(client, {}, {
    ...request(
      { role: "user", content: [{ type: "text", text: half }] },
      { role: "assistant", content: half, extras: { origin: ORIGIN, message: { r: [half] } } },
      { role: "tool", tool_call_id: "c", content: "\\ud83d \u{1f600}" },
    ),
    tools,
  });
  const mended = "a\ufffd";
  assert.deepEqual(seen[0]?.body.messages, [
    { role: "user", content: [{ type: "text", text: mended }] },
    { role: "assistant", content: mended, r: [mended] },
    { role: "tool", tool_call_id: "c", content: "\\ud83d \u{1f600}" },
  ]);
  assert.deepEqual(seen[0]?.body.tools, [{
    type: "function",
    function: { name: "f", description: "\ufffd" },
  }]);
});
