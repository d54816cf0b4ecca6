import assert from "node:assert/strict";
import { appOf } from "../web/mock/_testing.ts";
import { chat, type ChatHost } from "./chat.ts";

const env = (name: string) =>
  ({ LLM_AUTH_TOKEN: "sk-secret-1", LLM_BASE_URL: "http://llm/v1/", LLM_DEFAULT_MODEL: "big" })[
    name
  ];
const messages = [{ role: "user" as const, content: "go" }];
const tools = [{ type: "function" as const, function: { name: "bash" } }];
const answering = (answer: () => Response | Promise<Response>): ChatHost => ({
  env,
  fetch: async () => await answer(),
});

Deno.test("chat sends one request with max_tokens 4096 and gives the response as it came", async () => {
  const sent: unknown[] = [];
  const response = { id: "x", choices: [{ message: { content: "Hi" } }], extra: [1] };
  const host: ChatHost = {
    env,
    fetch: (url, { method, headers, body, redirect }) => {
      sent.push([url, method, headers, JSON.parse(String(body)), redirect]);
      return Promise.resolve(Response.json(response));
    },
  };
  assert.deepEqual(await chat(messages, tools, undefined, host), response);
  await chat(messages, null, "other", host);
  await chat(messages, null, "", host);
  const headers = { "content-type": "application/json", authorization: "Bearer sk-secret-1" };
  const url = "http://llm/v1/chat/completions";
  assert.deepEqual(sent, [
    [url, "POST", headers, { model: "big", messages, max_tokens: 4096, tools }, "error"],
    [url, "POST", headers, { model: "other", messages, max_tokens: 4096 }, "error"],
    [url, "POST", headers, { model: "big", messages, max_tokens: 4096 }, "error"],
  ]);
});

Deno.test("chat takes for a base URL what the agent takes, and refuses what is none", async () => {
  const asked = async (base: string) => {
    let url = "";
    await chat(messages, null, null, {
      env: (name) => name === "LLM_BASE_URL" ? base : env(name),
      fetch: (input) => {
        url = input;
        return Promise.resolve(Response.json({ choices: [] }));
      },
    });
    return url;
  };
  assert.equal(
    await asked("http://llm/v1?api-version=1"),
    "http://llm/v1/chat/completions?api-version=1",
  );
  assert.equal(await asked("http://llm/v1/chat/completions"), "http://llm/v1/chat/completions");
  await assert.rejects(asked("llm/v1"), {
    name: "TypeError",
    message: 'Cannot use "llm/v1" as base URL: give one like https://api.openai.com/v1',
  });
});

Deno.test("chat says why there is no connection", async () => {
  const cause = new Error(
    "error sending request for url (http://llm/v1/chat/completions): client error (Connect): " +
      "tcp connect error: Connection refused (os error 111)",
  );
  const host = answering(() => Promise.reject(new TypeError("fetch failed", { cause })));
  await assert.rejects(chat(messages, null, null, host), {
    name: "LlmError",
    code: "connection",
    message: "Connection to http://llm failed: Connection refused; is the server running?",
  });
});

Deno.test("chat sends no fields of another endpoint, and no half characters", async () => {
  let sent: unknown;
  const host: ChatHost = {
    env,
    fetch: (_, { body }) => {
      sent = JSON.parse(String(body));
      return Promise.resolve(Response.json({ choices: [] }));
    },
  };
  const extras = { origin: "o", message: { reasoning_content: "hm" } };
  await chat([{ role: "assistant", content: "a\ud83d", extras }], null, "m", host);
  const messages = [{ role: "assistant", content: "a\ufffd" }];
  assert.deepEqual(sent, { model: "m", max_tokens: 4096, messages });
});

Deno.test("chat throws on errors, without retrying and without the key", async () => {
  let calls = 0;
  const host = answering(() => {
    calls++;
    return Response.json({ error: { message: "No sk-secret-1 here" } }, { status: 503 });
  });
  await assert.rejects(chat(messages, [], null, host), {
    name: "LlmError",
    status: 503,
    message: "Endpoint answered 503: No [secret] here",
  });
  assert.equal(calls, 1);
  await assert.rejects(chat(messages, [], null, answering(() => new Response("<html>"))), {
    name: "LlmError",
    code: "protocol",
  });
  await assert.rejects(
    chat(messages, [], null, answering(() => Promise.reject(new TypeError("refused sk-secret-1")))),
    {
      name: "LlmError",
      code: "connection",
      message: "Connection to http://llm failed: refused [secret]; is the server running?",
    },
  );
  const placeholder = {
    ...host,
    env: (name: string) => name === "LLM_AUTH_TOKEN" ? "x" : undefined,
  };
  const broken = () => Promise.reject(new TypeError("next context: x"));
  await assert.rejects(chat(messages, [], null, { ...placeholder, fetch: broken }), {
    message: "Connection to https://api.openai.com failed: next context: x",
  });
  await assert.rejects(chat(messages, [], null, { env: () => undefined }), {
    name: "TypeError",
    message: "Cannot ask a model: set LLM_AUTH_TOKEN or OPENAI_API_KEY",
  });
});

Deno.test("chat gives up after its time, or when it is told", async () => {
  const silent: ChatHost = {
    env,
    fetch: (_, { signal }) =>
      new Promise((_, reject) =>
        signal?.addEventListener("abort", () => reject(signal.reason), { once: true })
      ),
  };
  await assert.rejects(chat(messages, [], null, { ...silent, timeout: 10 }), {
    name: "LlmError",
    code: "timeout",
    message: "Endpoint did not answer within 0.01 s",
  });
  const reason = new Error("Stop");
  await assert.rejects(
    chat(messages, [], null, { ...silent, signal: AbortSignal.abort(reason) }),
    reason,
  );
});

Deno.test("chat reads a completion of the mock", async () => {
  const app = appOf([{ name: "go", trigger: "go", steps: [{ response: { content: "Hello" } }] }]);
  const { choices } = await chat(messages, tools, null, {
    env,
    fetch: async (url, init) => await app.fetch(new Request(url, init)),
  });
  assert.equal(choices[0]?.message.content, "Hello");
  assert.equal(choices[0]?.finish_reason, "stop");
});
