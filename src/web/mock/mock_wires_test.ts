import assert from "node:assert/strict";
import OpenAI from "openai";
import { send, serving } from "../http/_testing.ts";
import { appOf, go, post } from "./_testing.ts";

const calls = [{ id: "c1", function: { name: "read", arguments: { fd: 3 } } }];
const step = { response: { content: "I look.", tool_calls: calls } };
const hello = go(step);

const GEMINI = "/v1beta/models/m:generateContent";

/** Each API: its path, a body whose user says `text`, and where the answer's text is. */
const APIS = [
  {
    path: "/v1/chat/completions",
    body: (text: string) => ({ messages: [{ role: "user", content: text }] }),
    // deno-lint-ignore no-explicit-any -- what a client reads
    text: (answer: any) => answer.choices[0].message.content,
    // deno-lint-ignore no-explicit-any -- what a client reads
    message: (refusal: any) => refusal.error.message,
  },
  {
    path: "/v1/responses",
    body: (text: string) => ({ input: [{ role: "user", content: text }] }),
    // deno-lint-ignore no-explicit-any -- what a client reads
    text: (answer: any) => answer.output[0].content[0].text,
    // deno-lint-ignore no-explicit-any -- what a client reads
    message: (refusal: any) => refusal.error.message,
  },
  {
    path: "/v1/messages",
    body: (text: string) => ({ max_tokens: 1, messages: [{ role: "user", content: text }] }),
    // deno-lint-ignore no-explicit-any -- what a client reads
    text: (answer: any) => answer.content[0].text,
    // deno-lint-ignore no-explicit-any -- what a client reads
    message: (refusal: any) => {
      assert.deepEqual([refusal.type, refusal.error.type], ["error", "invalid_request_error"]);
      return refusal.error.message;
    },
  },
  {
    path: GEMINI,
    body: (text: string) => ({ contents: [{ parts: [{ text }] }] }),
    // deno-lint-ignore no-explicit-any -- what a client reads
    text: (answer: any) => answer.candidates[0].content.parts[0].text,
    // deno-lint-ignore no-explicit-any -- what a client reads
    message: (refusal: any) => {
      assert.deepEqual([refusal.error.code, refusal.error.status], [400, "INVALID_ARGUMENT"]);
      return refusal.error.message;
    },
  },
];

Deno.test("mockApp answers each wire API from the same scenario, at its base too", async () => {
  for (const { path, body, text } of APIS) {
    for (const base of ["", "/mock"]) {
      const app = appOf([hello], { base });
      const response = await post(app, JSON.stringify(body("go")), base + path);
      assert.equal(response.status, 200, path);
      assert.equal(text(await response.json()), "I look.");
      assert.equal(app.mock.journal.entries[0]?.path, base + path);
    }
  }
});

Deno.test("mockApp in strict mode refuses what nothing matches in each API's form", async () => {
  for (const { path, body, message } of APIS) {
    const app = appOf([hello], { strict: true });
    const response = await post(app, JSON.stringify(body("stop")), path);
    assert.equal(response.status, 400);
    assert.equal(message(await response.json()), 'No scenario matches "stop" (triggers: "go")');
    const broken = await post(app, "{", path);
    assert.match(message(await broken.json()), /^The request body is not JSON: /);
  }
});

Deno.test("mockApp refuses wrong methods, paths and sizes in the form of the API", async () => {
  const app = appOf([hello], { limits: { bodyBytes: 10 } });
  const gemini = await send(app, GEMINI);
  assert.deepEqual([gemini.status, gemini.headers.get("allow"), await gemini.json()], [
    405,
    "POST",
    {
      error: { code: 405, message: "Not allowed: GET; use POST", status: "INVALID_ARGUMENT" },
    },
  ]);
  const large = await post(app, "x".repeat(11), "/v1/messages");
  assert.deepEqual([large.status, await large.json()], [413, {
    type: "error",
    error: { type: "request_too_large", message: "The body is larger than 10 bytes" },
  }]);
  const headers = { "anthropic-version": "2023-06-01" };
  const lost = await send(app, "/v1/x", { headers });
  assert.deepEqual([lost.status, await lost.json()], [404, {
    type: "error",
    error: { type: "not_found_error", message: "Invalid URL (GET /v1/x)" },
  }]);
  assert.equal((await (await send(app, "/v1beta/x")).json()).error.status, "NOT_FOUND");
  assert.equal((await post(app, "{}", "/v1beta/models/m:embedContent")).status, 404);
});

Deno.test("mockApp says that it is there to HEAD and GET of its root", async () => {
  for (const [base, path] of [["", "/"], ["/mock", "/mock"], ["/mock", "/mock/"]] as const) {
    const app = appOf([hello], { base });
    const head = await send(app, path, { method: "HEAD" });
    assert.deepEqual([head.status, await head.text()], [200, ""], path);
    assert.equal((await (await send(app, path)).json()).name, "llmcmd mock");
  }
});

Deno.test("mockApp lists its models in the form of each API", async () => {
  const app = appOf([{ name: "a", match: { model: "big" }, steps: [step] }]);
  const get = async (path: string, headers: Record<string, string> = {}) =>
    await (await send(app, path, { headers })).json();
  const anthropic = (id: string) => ({
    type: "model",
    id,
    display_name: id,
    created_at: "1970-01-01T00:00:00Z",
  });
  const version = { "anthropic-version": "2023-06-01" };
  assert.deepEqual(await get("/v1/models", version), {
    data: [anthropic("mock-model"), anthropic("big")],
    has_more: false,
    first_id: "mock-model",
    last_id: "big",
  });
  assert.deepEqual(await get("/v1/models/claude-x", version), anthropic("claude-x"));
  const { models } = await get("/v1beta/models");
  assert.deepEqual(models.map(({ name }: { name: string }) => name), [
    "models/mock-model",
    "models/big",
  ]);
  assert.equal((await get("/v1beta/models/gemini-x")).displayName, "gemini-x");
  assert.equal((await get("/v1/models")).object, "list");
});

Deno.test("mockApp keeps the key of a Gemini URL out of the journal", async () => {
  const app = appOf([hello]);
  const path = "/v1beta/models/m:streamGenerateContent?alt=sse&key=sk-secret";
  const response = await post(
    app,
    JSON.stringify({ contents: [{ parts: [{ text: "go" }] }] }),
    path,
    {
      headers: { "x-goog-api-key": "sk-secret" },
    },
  );
  assert.match(await response.text(), /"finishReason":"STOP"/);
  assert.equal(JSON.stringify(app.mock.journal.entries).includes("secret"), false);
  assert.equal(app.mock.journal.entries[0]?.stream, true);
});

Deno.test("OpenAI's client reads a response, whole and streamed", async () => {
  await serving(appOf([hello]), async (url) => {
    const client = new OpenAI({ apiKey: "sk-test", baseURL: `${url}/v1`, maxRetries: 0 });
    const request = { model: "m", input: "go" };
    const whole = await client.responses.create(request);
    assert.deepEqual([whole.output_text, whole.status, whole.usage?.output_tokens], [
      "I look.",
      "completed",
      5,
    ]);
    const stream = client.responses.stream(request);
    let text = "";
    stream.on("response.output_text.delta", ({ delta }) => text += delta);
    const final = await stream.finalResponse();
    assert.equal(text, "I look.");
    const [, call] = final.output;
    assert.ok(call?.type === "function_call");
    assert.deepEqual([call.call_id, call.name, call.arguments], ["c1", "read", '{"fd":3}']);
  });
});

Deno.test("a cut in each wire API's stream breaks the connection", async () => {
  const app = appOf([go({ ...step, fault: { cut_after: 2 } })]);
  const paths = ["/v1/responses", "/v1/messages", "/v1beta/models/m:streamGenerateContent?alt=sse"];
  for (const [index, path] of paths.entries()) {
    const body = { ...APIS[index + 1]?.body("go"), stream: true };
    const response = await post(app, JSON.stringify(body), path);
    assert.equal(response.headers.get("content-type"), "text/event-stream; charset=utf-8");
    await assert.rejects(response.text(), { message: "The scenario cuts the connection" });
  }
  assert.deepEqual(app.mock.journal.entries.map(({ end }) => end), ["cut", "cut", "cut"]);
});
