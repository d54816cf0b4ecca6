import assert from "node:assert/strict";
import { send } from "../http/_testing.ts";
import { appOf, chatBody, go, post } from "./_testing.ts";

const hello = go({ response: { content: "Hi!" } });

Deno.test("mockApp answers chat completions with and without /v1", async () => {
  const app = appOf([hello]);
  for (const path of ["/chat/completions", "/v1/chat/completions"]) {
    const response = await post(app, chatBody("go"), path);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "application/json");
    const { choices: [choice], model } = await response.json();
    assert.deepEqual(choice, {
      index: 0,
      message: { role: "assistant", content: "Hi!" },
      finish_reason: "stop",
    });
    assert.equal(model, "m");
  }
});

Deno.test("mockApp streams server-sent events that end with [DONE]", async () => {
  const response = await post(appOf([hello]), chatBody("go", { stream: true }));
  assert.equal(response.headers.get("content-type"), "text/event-stream; charset=utf-8");
  const blocks = (await response.text()).split("\n\n");
  assert.deepEqual(blocks.slice(-2), ["data: [DONE]", ""]);
  assert.equal(blocks.length, 5);
});

Deno.test("mockApp gives each response its own id", async () => {
  const app = appOf([hello]);
  const ids = new Set<string>();
  for (let count = 0; count < 20; count++) {
    ids.add((await (await post(app, chatBody("go"))).json()).id);
  }
  assert.equal(ids.size, 20);
});

Deno.test("mockApp answers at its base path only", async () => {
  const app = appOf([hello], { base: "/mock" });
  const at = async (path: string) => (await post(app, chatBody("go"), path)).status;
  assert.equal(await at("/mock/v1/chat/completions"), 200);
  assert.equal(await at("/v1/chat/completions"), 404);
  assert.equal((await send(app, "/mock/__mock/journal")).status, 200);
});

Deno.test("mockApp lists models and describes any", async () => {
  const app = appOf([
    { name: "a", match: { model: "big" }, steps: [{ response: {} }] },
  ]);
  const model = (id: string) => ({ id, object: "model", created: 0, owned_by: "mock" });
  for (const base of ["", "/v1"]) {
    assert.deepEqual(await (await send(app, `${base}/models`)).json(), {
      object: "list",
      data: [model("mock-model"), model("big")],
    });
    assert.deepEqual(
      await (await send(app, `${base}/models/azure/gpt-5`)).json(),
      model("azure/gpt-5"),
    );
  }
});

Deno.test("mockApp shows its journal and forgets it on DELETE", async () => {
  const app = appOf([hello]);
  await post(app, chatBody("go"), undefined, { headers: { authorization: "Bearer sk-secret" } });
  const text = await (await send(app, "/__mock/journal")).text();
  assert.ok(!text.includes("secret"));
  const { total, limits, entries } = JSON.parse(text);
  assert.equal(total, 1);
  assert.deepEqual(limits, { journalEntries: 1000, journalCharacters: 16_777_216 });
  assert.equal(entries.length, 1);
  assert.equal(entries[0].path, "/v1/chat/completions");
  assert.equal(entries[0].headers.authorization, "[hidden]");
  assert.equal(entries[0].end, "complete");
  assert.deepEqual(entries[0].body, JSON.parse(chatBody("go")));
  const cleared = await send(app, "/__mock/journal", { method: "DELETE" });
  assert.deepEqual([cleared.status, await cleared.text()], [204, ""]);
  assert.deepEqual((await (await send(app, "/__mock/journal")).json()).entries, []);
});

Deno.test("mockApp leaves the query out of the journal", async () => {
  const app = appOf([hello]);
  await post(app, chatBody("go"), "/chat/completions?key=sk-secret");
  assert.equal(app.mock.journal.entries[0]?.path, "/chat/completions");
});

Deno.test("mockApp answers unknown paths and methods with OpenAI's error object", async () => {
  const app = appOf([hello]);
  const lost = await send(app, "/v2/x");
  assert.equal(lost.status, 404);
  assert.deepEqual(await lost.json(), {
    error: {
      message: "Invalid URL (GET /v2/x)",
      type: "invalid_request_error",
      code: null,
      param: null,
    },
  });
  const wrong = await send(app, "/v1/chat/completions");
  assert.deepEqual([wrong.status, wrong.headers.get("allow")], [405, "POST"]);
  assert.equal((await wrong.json()).error.message, "Not allowed: GET; use POST");
});

Deno.test("mockApp refuses wrong bodies with 400 and the field's name", async () => {
  const app = appOf([hello]);
  const wrong = await post(app, '{"messages":[{"role":"user"}]}');
  assert.equal(wrong.status, 400);
  assert.equal((await wrong.json()).error.param, "messages[0].content");
  const broken = await post(app, "{");
  assert.deepEqual([broken.status, (await broken.json()).error.code], [400, "invalid_json"]);
  const empty = await post(app, "");
  assert.deepEqual([empty.status, (await empty.json()).error.code], [400, "invalid_json"]);
});

Deno.test("mockApp in strict mode answers 400 without a match", async () => {
  const response = await post(appOf([hello], { strict: true }), chatBody("stop"));
  assert.equal(response.status, 400);
  assert.deepEqual(await response.json(), {
    error: {
      message: 'No scenario matches "stop" (triggers: "go")',
      type: "invalid_request_error",
      code: "no_scenario",
      param: null,
    },
  });
});

Deno.test("mockApp refuses a body over its limit with 413, with and without a length", async () => {
  const app = appOf([hello], { limits: { bodyBytes: 200 } });
  assert.equal((await post(app, chatBody("go"))).status, 200);
  const large = chatBody("go".repeat(100));
  const streamed = ReadableStream.from([new TextEncoder().encode(large)]);
  for (
    const init of [
      { method: "POST", body: large, headers: { "content-length": String(large.length) } },
      { method: "POST", body: streamed },
    ]
  ) {
    const response = await send(app, "/chat/completions", init);
    assert.equal(response.status, 413);
    assert.equal(
      (await response.json()).error.message,
      "The body is larger than 200 bytes",
    );
  }
  assert.equal(app.mock.journal.total, 1);
});

Deno.test("mockApp produces a stream only as it is read", async () => {
  const content = "word ".repeat(10_000);
  const app = appOf([go({ response: { content } })]);
  const { body } = await post(app, chatBody("go", { stream: true }));
  assert.ok(body);
  const reader = body.getReader();
  await reader.read();
  assert.equal(app.mock.journal.entries[0]?.end, undefined);
  await reader.cancel();
  assert.equal(app.mock.journal.entries[0]?.end, "cancelled");
});

// The test sanitizer reports a timer that is left running.
Deno.test("mockApp ends its timers when the body is cancelled", async () => {
  for (const fault of [{ first_token: 60_000 }, { chunk_delay: 60_000 }, { stall_after: 1 }]) {
    const app = appOf([go({ response: { content: "a b" }, fault })]);
    const { body } = await post(app, chatBody("go", { stream: true }));
    const reader = body?.getReader();
    if (!("first_token" in fault)) await reader?.read();
    const pending = reader?.read();
    await reader?.cancel();
    assert.deepEqual(await pending, { done: true, value: undefined });
    assert.equal(app.mock.journal.entries[0]?.end, "cancelled");
  }
});

Deno.test("mockApp ends its timers when the client leaves before the response", async () => {
  for (const fault of [{ latency: 60_000 }, { hang: true }]) {
    const app = appOf([go({ response: {}, fault })]);
    const controller = new AbortController();
    const pending = post(app, chatBody("go"), undefined, { signal: controller.signal });
    await Promise.resolve();
    controller.abort();
    assert.equal((await pending).status, 499);
    assert.equal(app.mock.journal.entries[0]?.end, "cancelled");
  }
});

Deno.test("mockApp ends everything that waits when its signal fires", async () => {
  for (const fault of [{ latency: 60_000 }, { hang: true }]) {
    const controller = new AbortController();
    const app = appOf([go({ response: {}, fault })], { signal: controller.signal });
    const pending = post(app, chatBody("go"));
    setTimeout(() => controller.abort(), 1);
    assert.equal((await pending).status, 499);
    assert.equal((await post(app, chatBody("go"))).status, 499);
  }
  for (const fault of [{ first_token: 60_000 }, { stall_after: 0 }]) {
    const controller = new AbortController();
    const app = appOf([go({ response: {}, fault })], { signal: controller.signal });
    const pending = (await post(app, chatBody("go", { stream: true }))).text();
    setTimeout(() => controller.abort(), 1);
    await assert.rejects(pending, { message: "The scenario cuts the connection" });
    assert.equal(app.mock.journal.entries[0]?.end, "cancelled");
  }
});
