import assert from "node:assert/strict";
import OpenAI from "openai";
import { serving } from "../http/_testing.ts";
import { appOf, go } from "./_testing.ts";
import type { FetchApp } from "../http/mod.ts";
import faults from "../../../scenarios/faults.json" with { type: "json" };

/** OpenAI's own client, talking to an app without a socket unless `baseURL` is given. */
function clientOf(app: FetchApp, options: { baseURL?: string; maxRetries?: number } = {}): OpenAI {
  return new OpenAI({
    apiKey: "sk-test",
    baseURL: "http://localhost/v1",
    maxRetries: 0,
    ...(options.baseURL === undefined
      ? { fetch: async (url, init) => await app.fetch(new Request(url, init)) }
      : {}),
    ...options,
  });
}

const ask = (content: string) => ({
  model: "gpt-4o-mini",
  messages: [{ role: "user" as const, content }],
});

const calls = [
  { id: "c1", function: { name: "read", arguments: { fd: 3, max_size: 4096 } } },
  { id: "c2", function: { name: "write", arguments: { data: "\u65e5\u672c\u8a9e \ud83d\udc1f" } } },
];
const step = { response: { content: "I look, then I write.", tool_calls: calls } };

Deno.test("OpenAI's client reads a completion", async () => {
  const completion = await clientOf(appOf([go(step)])).chat.completions.create(ask("go"));
  assert.equal(completion.object, "chat.completion");
  assert.equal(completion.model, "gpt-4o-mini");
  assert.equal(completion.choices[0]?.message.content, "I look, then I write.");
  assert.equal(completion.choices[0]?.finish_reason, "tool_calls");
  assert.equal(completion.usage?.prompt_tokens, 1);
});

Deno.test("OpenAI's client puts the streamed pieces together again", async () => {
  await serving(appOf([go(step)]), async (url) => {
    const client = clientOf({ fetch: () => new Response() }, { baseURL: `${url}/v1` });
    const stream = client.chat.completions.stream({
      ...ask("go"),
      stream_options: { include_usage: true },
    });
    let text = "";
    stream.on("content", (delta) => text += delta);
    const completion = await stream.finalChatCompletion();
    const [choice] = completion.choices;
    assert.equal(text, "I look, then I write.");
    assert.equal(choice?.message.content, text);
    assert.equal(choice?.finish_reason, "tool_calls");
    const got = choice?.message.tool_calls?.map((call) =>
      call.type === "function"
        ? { id: call.id, name: call.function.name, arguments: JSON.parse(call.function.arguments) }
        : call
    );
    assert.deepEqual(got, calls.map((call) => ({ id: call.id, ...call.function })));
    assert.deepEqual(completion.usage, {
      prompt_tokens: 1,
      completion_tokens: 18,
      total_tokens: 19,
    });
  });
});

Deno.test("OpenAI's client runs a whole conversation with tools", async () => {
  const app = appOf([{
    name: "go",
    trigger: "go",
    steps: [
      { response: { tool_calls: [{ function: { name: "add", arguments: { a: 1, b: 2 } } }] } },
      { match: { tool_result_contains: "3" }, response: { content: "It is 3." } },
    ],
  }], { strict: true });
  const runner = clientOf(app).chat.completions.runTools({
    ...ask("go"),
    stream: true,
    tools: [{
      type: "function",
      function: {
        name: "add",
        description: "Adds",
        parameters: { type: "object", properties: {} },
        parse: JSON.parse,
        function: ({ a, b }: { a: number; b: number }) => String(a + b),
      },
    }],
  });
  assert.equal(await runner.finalContent(), "It is 3.");
  assert.deepEqual(app.mock.journal.entries.map((entry) => entry.step), [0, 1]);
});

Deno.test("OpenAI's client reads errors, and gets over a 503 and a 429", async () => {
  const app = appOf(faults.scenarios);
  await assert.rejects(clientOf(app).chat.completions.create(ask("fault wrong key")), {
    status: 401,
    code: "invalid_api_key",
    message: "401 Incorrect API key provided",
  });
  const retrying = clientOf(app, { maxRetries: 2 });
  const completion = await retrying.chat.completions.create(ask("fault 503 then 429"));
  assert.equal(completion.choices[0]?.message.content, "The answer arrives whole.");
  const last = app.mock.journal.entries.slice(-3);
  assert.deepEqual(last.map(({ status }) => status), [503, 429, 200]);
  assert.equal(last[2]?.headers["x-stainless-retry-count"], "2");
});

Deno.test("OpenAI's client fails on an error object and on broken JSON in a stream", async () => {
  const read = async (trigger: string) => {
    const stream = await clientOf(appOf(faults.scenarios)).chat.completions.create({
      ...ask(trigger),
      stream: true,
    });
    let text = "";
    for await (const { choices } of stream) text += choices[0]?.delta.content ?? "";
    return text;
  };
  await assert.rejects(read("fault error in stream"), /The model is overloaded/);
  await assert.rejects(read("fault malformed JSON"), SyntaxError);
  assert.equal(
    await read("fault bytes one by one"),
    "\u65e5\u672c\u8a9e\u3082 emoji \ud83d\udc1f \u3082\u5c4a\u304f",
  );
});

Deno.test("OpenAI's client lists the models", async () => {
  const ids: string[] = [];
  for await (const { id } of clientOf(appOf([go(step)])).models.list()) ids.push(id);
  assert.deepEqual(ids, ["mock-model"]);
});

Deno.test("OpenAI's client that stops reading is noticed", async () => {
  const app = appOf([go({ response: { content: "word ".repeat(100_000) } })]);
  const stream = await clientOf(app).chat.completions.create({ ...ask("go"), stream: true });
  for await (const _ of stream) break;
  assert.equal(app.mock.journal.entries[0]?.end, "cancelled");
});
