import assert from "node:assert/strict";
import { mockOf, payloadsOf, playAll, user } from "./_testing.ts";
import { chatApi, type HttpScript } from "./mod.ts";

const ANSWER = "The answer arrives whole.";

/** What the mock sends for a step with this fault. */
function serve(fault: unknown, stream = true): HttpScript {
  const step = { response: { content: ANSWER }, fault };
  const mock = mockOf([{ name: "go", trigger: "go", steps: [step] }]);
  const body = JSON.stringify({ model: "m", messages: [user("go")], stream });
  return mock.serve(chatApi, { path: "/", headers: [], body });
}

/** The text that the events of a stream carry, and how it ended. */
function streamed(fault: unknown) {
  const { text, end } = playAll(serve(fault));
  const payloads = payloadsOf(text);
  const done = payloads.at(-1) === "[DONE]";
  const events = (done ? payloads.slice(0, -1) : payloads).map((it) => JSON.parse(it));
  const content = events.map(({ choices }) => choices?.[0]?.delta.content ?? "").join("");
  const reason = events.at(-1)?.choices?.[0]?.finish_reason;
  return { content, end, done, reason, count: payloads.length, last: events.at(-1) };
}

Deno.test("fault status sends OpenAI's error object with a fitting type", () => {
  const script = serve({ status: 429, retry_after: 300 });
  assert.equal(script.status, 429);
  assert.deepEqual(script.headers, { "content-type": "application/json", "retry-after": "300" });
  assert.deepEqual(JSON.parse(playAll(script).text), {
    error: {
      message: "The scenario asks for status 429",
      type: "requests",
      code: "rate_limit_exceeded",
      param: null,
    },
  });
  const own = serve({
    status: 400,
    error: { message: "no", param: "max_tokens", code: "unsupported_parameter" },
    headers: { "X-Request-Id": "7" },
  });
  assert.equal(own.headers["x-request-id"], "7");
  assert.deepEqual(JSON.parse(playAll(own).text).error, {
    message: "no",
    type: "invalid_request_error",
    code: "unsupported_parameter",
    param: "max_tokens",
  });
});

Deno.test("fault html sends a page, with status 200 or its own", () => {
  const page = serve({ html: true });
  assert.equal(page.status, 200);
  assert.equal(page.headers["content-type"], "text/html; charset=utf-8");
  assert.match(playAll(page).text, /^<!DOCTYPE html>/);
  const own = serve({ html: "<h1>Bad</h1>", status: 502 });
  assert.deepEqual([own.status, own.body], [502, "<h1>Bad</h1>"]);
});

Deno.test("fault redirect sends an address, with status 307 or its own", () => {
  const script = serve({ redirect: "http://elsewhere.invalid/" });
  assert.deepEqual([script.status, script.headers, script.body], [
    307,
    { location: "http://elsewhere.invalid/" },
    "",
  ]);
  assert.equal(serve({ redirect: "/x", status: 301 }).status, 301);
});

Deno.test("fault hang never begins a response", () => {
  const script = serve({ hang: true });
  assert.deepEqual([script.wait, script.status], [Infinity, 0]);
});

Deno.test("fault latency, first_token and chunk_delay give the waits in order", () => {
  const script = serve({ latency: 1, first_token: 2, chunk_delay: 3 });
  assert.equal(script.wait, 1);
  // Role, four words, finish reason, [DONE].
  assert.deepEqual(playAll(script).waits, [2, 3, 3, 3, 3, 3, 3]);
  const whole = serve({ latency: 1, first_token: 2, chunk_delay: 3 }, false);
  assert.deepEqual([whole.wait, playAll(whole).waits], [1, [2]]);
});

Deno.test("fault cut_after breaks the connection after so many events", () => {
  assert.deepEqual({ ...streamed({ cut_after: 3 }), last: 0 }, {
    content: "The answer",
    end: "cut",
    done: false,
    reason: null,
    count: 3,
    last: 0,
  });
  assert.deepEqual([streamed({ cut_after: 0 }).count, streamed({ cut_after: 0 }).end], [0, "cut"]);
  const all = streamed({ cut_after: 7 });
  assert.deepEqual([all.count, all.done, all.end], [7, true, "cut"]);
  assert.equal(streamed({ cut_after: 8 }).end, "clean");
});

Deno.test("fault cut_after_bytes breaks the connection after so many bytes", () => {
  for (const stream of [true, false]) {
    const full = playAll(serve({ latency: 1 }, stream)).text;
    for (const bytes of [0, 1, 100, full.length - 1]) {
      const { text, end } = playAll(serve({ cut_after_bytes: bytes }, stream));
      assert.deepEqual([text.length, end], [bytes, "cut"]);
    }
    assert.equal(playAll(serve({ cut_after_bytes: full.length + 1 }, stream)).end, "clean");
  }
});

Deno.test("fault end_after ends cleanly in the middle", () => {
  assert.deepEqual({ ...streamed({ end_after: 3 }), last: 0 }, {
    content: "The answer",
    end: "clean",
    done: false,
    reason: null,
    count: 3,
    last: 0,
  });
});

Deno.test("fault stall_after falls silent", () => {
  const { content, end } = streamed({ stall_after: 2 });
  assert.deepEqual([content, end], ["The", "stall"]);
  assert.equal(playAll(serve({ stall_after: 2 }, false)).end, "stall");
});

Deno.test("fault error_after sends an error object in place of the rest", () => {
  const { count, end, last } = streamed({ error_after: 3, error: { message: "overloaded" } });
  assert.deepEqual([count, end], [4, "clean"]);
  assert.deepEqual(last.error, {
    message: "overloaded",
    type: "server_error",
    code: null,
    param: null,
  });
  assert.equal(JSON.parse(playAll(serve({ error_after: 3 }, false)).text).error.code, null);
});

Deno.test("fault malformed breaks the JSON of the second event, or of the body", () => {
  const payloads = payloadsOf(playAll(serve({ malformed: true })).text);
  assert.equal(payloads.length, 7);
  JSON.parse(payloads[0] ?? "");
  assert.throws(() => JSON.parse(payloads[1] ?? ""), SyntaxError);
  JSON.parse(payloads[2] ?? "");
  const whole = serve({ malformed: true }, false);
  assert.throws(() => JSON.parse(playAll(whole).text), SyntaxError);
});

Deno.test("fault no_finish_reason leaves it out and sends the rest", () => {
  const { content, done, reason, count } = streamed({ no_finish_reason: true });
  assert.deepEqual([content, done, reason, count], [ANSWER, true, null, 6]);
  const whole = JSON.parse(playAll(serve({ no_finish_reason: true }, false)).text);
  assert.equal(whole.choices[0].finish_reason, null);
});

Deno.test("fault no_done leaves [DONE] out", () => {
  const { done, reason, end } = streamed({ no_done: true });
  assert.deepEqual([done, reason, end], [false, "stop", "clean"]);
});

Deno.test("fault chunk_bytes tears events apart and loses nothing", () => {
  for (const stream of [true, false]) {
    const { pieces, text, end } = playAll(serve({ chunk_bytes: 7 }, stream));
    assert.ok(pieces.every((piece) => piece.length <= 7));
    assert.equal(end, "clean");
    assert.equal(pieces.join(""), text);
  }
  const { content, reason } = streamed({ chunk_bytes: 1 });
  assert.deepEqual([content, reason], [ANSWER, "stop"]);
});

Deno.test("fault on an answer in one piece breaks it in its middle", () => {
  for (const fault of [{ cut_after: 3 }, { stall_after: 0 }, { end_after: 1 }]) {
    const { text } = playAll(serve(fault, false));
    assert.match(text, /^\{"id":"mock-/);
    assert.throws(() => JSON.parse(text), SyntaxError);
  }
});
