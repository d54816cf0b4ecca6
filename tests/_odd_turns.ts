/** Endpoints that get more than one request. */
import assert from "node:assert/strict";
import {
  calling,
  chunk,
  DONE,
  END,
  error,
  event,
  EXITS,
  HTML,
  json,
  made,
  NEW,
  type OddCase,
  say,
  stream,
  whole,
  WRITES,
} from "./_odd_replies.ts";
import type { OddReply, OddRequest } from "./_odd_server.ts";

/** Endpoints that are busy, or silent. */
export const BUSY: OddCase[] = [
  {
    name: "a proxy's page with 502, again and again",
    replies: [{
      status: 502,
      headers: { ...HTML, "retry-after": "0" },
      body: "<html><head><title>502 Bad Gateway</title></head><body><center>nginx</center>",
    }],
    requests: 3,
    stderr: /^llmcmd: Endpoint answered 502: an HTML page, "502 Bad Gateway" \(3 attempts\)\n$/,
  },
  {
    name: "503 once",
    replies: [error("Loading the model", 503, { "retry-after": "0" }), stream(NEW)],
    out: "new\n",
  },
  {
    name: "Retry-After beyond the limit",
    replies: [error("Slow down", 429, { "retry-after": "90" })],
    stderr: /Slow down; it asks to wait 90 s, longer than LLMCMD_MAX_RETRY_WAIT \(60 s\)$/m,
  },
  {
    name: "Retry-After beyond a limit that is set",
    replies: [error("Slow down", 429, { "retry-after": "2" })],
    env: { LLMCMD_MAX_RETRY_WAIT: "0.5" },
    stderr: /it asks to wait 2 s, longer than LLMCMD_MAX_RETRY_WAIT \(0\.5 s\)$/m,
  },
  {
    name: "an error in the stream before any text, once",
    replies: [
      stream(
        chunk({ reasoning_content: "Hm" }) + event({ error: { code: 503, message: "Overloaded" } }),
      ),
      stream(NEW),
    ],
    out: "new\n",
  },
  {
    name: "comments without an end",
    replies: [stream(": a\n\n: b\n\n", { end: "stall" })],
    env: { LLMCMD_FIRST_TOKEN_TIMEOUT: "0.2" },
    stderr: /did not begin its answer within 0\.2 s; raise LLMCMD_FIRST_TOKEN_TIMEOUT/,
  },
  {
    name: "a role, and nothing more",
    replies: [stream(chunk({ role: "assistant", content: "" }), { end: "stall" })],
    env: { LLMCMD_FIRST_TOKEN_TIMEOUT: "0.2" },
    stderr: /did not begin its answer within 0\.2 s/,
  },
];

/** The answers of a conversation of two requests, the second one checked. */
const twice = (first: string, ...then: (OddReply | ((request: OddRequest) => OddReply))[]) => [
  stream(first),
  ...then,
];
const messages = (request: OddRequest | undefined): Record<string, unknown>[] => {
  const list = request?.body.messages;
  return Array.isArray(list) ? list : assert.fail("The request has no messages");
};
/** The answer that a request sends back. */
const sentBack = (request: OddRequest | undefined): Record<string, unknown> =>
  messages(request).find(({ role }) => role === "assistant") ??
    assert.fail("The request has no answer");
/** Answers only if the previous answer comes back with a field, as DeepSeek and Gemini do. */
const wants = (field: string, of: (request: OddRequest) => unknown) => (request: OddRequest) =>
  of(request) === undefined ? error(`${field} must be passed back`, 400) : stream(NEW_END);
const NEW_END = calling([EXITS]);
const signed = { extra_content: { google: { thought_signature: "c2ln" } } };
const details = (text: string, more = {}) => ({
  reasoning_details: [{ type: "reasoning.text", index: 0, text, ...more }],
});

/** Conversations of several requests. */
export const TURNS: OddCase[] = [
  {
    name: "DeepSeek, which wants reasoning_content back",
    replies: twice(
      chunk({ role: "assistant", content: null, reasoning_content: "Let " }) +
        chunk({ reasoning_content: "me" }) + calling([WRITES]),
      wants("The reasoning_content", (request) => sentBack(request).reasoning_content),
    ),
    out: "new\n",
    check: ([, second]) => assert.equal(sentBack(second).reasoning_content, "Let me"),
  },
  {
    name: "Gemini, which wants thought_signature back",
    replies: twice(
      calling([{ ...WRITES, ...signed }]),
      wants("thought_signature", (request) => {
        const [call] = sentBack(request).tool_calls as Record<string, unknown>[];
        return call?.extra_content;
      }),
    ),
    out: "new\n",
    check: ([, second]) =>
      assert.deepEqual(sentBack(second).tool_calls, [{ ...WRITES, ...signed }]),
  },
  {
    name: "OpenRouter, which sends reasoning_details in pieces",
    replies: twice(
      chunk(details("Let ")) + chunk(details("me")) + chunk(details("", { signature: "s" })) +
        calling([WRITES]),
      stream(NEW_END),
    ),
    out: "new\n",
    check: ([, second]) =>
      assert.deepEqual(
        sentBack(second).reasoning_details,
        details("Let me", { signature: "s" }).reasoning_details,
      ),
  },
  {
    name: "an endpoint that refuses the reasoning it sent",
    replies: twice(
      chunk({ reasoning: "Hm" }) + calling([WRITES]),
      json({ detail: [{ loc: ["messages", 2, "reasoning"], msg: "Extra inputs" }] }, 422),
      stream(calling([made("write", { data: "more\n" })])),
      stream(NEW_END),
    ),
    out: "new\nmore\n",
    check: (requests) =>
      assert.deepEqual(requests.slice(1).map((it) => sentBack(it).reasoning), [
        "Hm",
        undefined,
        undefined,
      ]),
  },
  {
    name: "an endpoint that refuses content that is null",
    replies: twice(
      calling([WRITES]),
      error("Invalid value for 'content': expected a string, got null", 400),
      stream(NEW_END),
    ),
    out: "new\n",
    check: (requests) =>
      assert.deepEqual(requests.slice(1).map((it) => sentBack(it).content), [null, ""]),
  },
  {
    name: "a model that refuses max_tokens",
    replies: [error("Use max_completion_tokens instead of max_tokens", 400), stream(NEW)],
    out: "new\n",
    check: ([, second]) =>
      assert.deepEqual([second?.body.max_tokens, second?.body.max_completion_tokens], [
        undefined,
        4096,
      ]),
  },
  {
    name: "a model that is not streamed to this user",
    replies: [
      json({
        error: {
          message: "Your organization must be verified to stream this model.",
          param: "stream",
        },
      }, 400),
      json(JSON.parse(whole({ content: "new" }))),
    ],
    out: "new\n",
    check: ([first, second]) =>
      assert.deepEqual(
        [first, second].map((it) => [it?.body.stream, it?.body.stream_options]),
        [[true, { include_usage: true }], [false, undefined]],
      ),
  },
  {
    name: "half a character in arguments",
    replies: twice(
      calling([{
        id: "a",
        type: "function",
        function: { name: "write", arguments: '{"data":"new\\n","nope":"\\ud83d"}' },
      }]),
      stream(calling([WRITES])),
      stream(NEW_END),
    ),
    out: "new\n",
    check: (requests) =>
      requests.forEach(({ text }) => assert.equal(/\\ud[89a-f]/i.test(text), false)),
  },
  {
    name: "half a character in text",
    replies: twice(
      calling([WRITES], "tool_calls", { content: "Half: \ud83d" }),
      stream(NEW_END),
    ),
    out: "new\n",
    check: ([, second]) => assert.equal(sentBack(second).content, "Half: \ufffd"),
  },
  {
    name: "a <think> block before a call",
    replies: twice(
      say("<think>Hm</think>\n") + calling([WRITES]),
      stream(say("<think>Done?</think>") + END),
    ),
    out: "new\n",
    check: ([, second]) => assert.equal(sentBack(second).content, "<think>Hm</think>\n"),
  },
  {
    name: "function_call, in pieces",
    replies: twice(
      chunk({ function_call: { name: "write", arguments: "" } }) +
        chunk({ function_call: { arguments: '{"data":"ne' } }) +
        chunk({ function_call: { arguments: 'w\\n"}' } }) + chunk({}, "function_call") + DONE,
      stream(END),
    ),
    out: "new\n",
  },
  {
    name: "function_call of a whole message",
    replies: twice(
      whole(
        { content: null, function_call: { name: "write", arguments: '{"data":"new\\n"}' } },
        "function_call",
      ),
      stream(END),
    ),
    out: "new\n",
  },
  {
    name: "nothing, when something was written before",
    replies: twice(calling([WRITES]), stream(END)),
    out: "new\n",
  },
  {
    name: "a failed finish_reason, when something was written before",
    replies: twice(calling([WRITES]), stream(say("All") + chunk({}, "abort"))),
    partial: "new\n",
    stderr: /finish_reason "abort"/,
  },
  {
    name: "an error in a choice, when something was written before",
    replies: twice(
      calling([WRITES]),
      stream(say("All") + chunk({}, "error", { error: { message: "Upstream broke" } })),
    ),
    partial: "new\n",
    stderr: /broke off with an error: Upstream broke/,
  },
  {
    name: "a key with a newline",
    replies: [stream(NEW)],
    env: { OPENAI_API_KEY: " sk-odd-secret\n" },
    out: "new\n",
    check: ([first]) => assert.equal(first?.headers.get("authorization"), "Bearer sk-odd-secret"),
  },
];
