/** Answers of real endpoints, and the expected reactions of the whole command. */
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
  JSON_TYPE,
  NEW,
  type OddCase,
  say,
  stream,
  whole,
  WRITES,
} from "./_odd_replies.ts";
import type { OddReply } from "./_odd_server.ts";
import { BUSY, TURNS } from "./_odd_turns.ts";

/** Endpoints whose only answer is the text `new`. */
const understood = (answers: Record<string, OddReply | string>): OddCase[] =>
  Object.entries(answers).map(([name, reply]) => ({
    name,
    replies: [typeof reply === "string" ? stream(reply) : reply],
    out: "new\n",
  }));

/** Endpoints whose only answer is a failure. */
const failed = (answers: Record<string, [OddReply | string, RegExp]>): OddCase[] =>
  Object.entries(answers).map(([name, [reply, stderr]]) => ({
    name,
    replies: [typeof reply === "string" ? stream(reply) : reply],
    stderr,
  }));

const FRAMING = understood({
  "a plain stream": NEW,
  "CRLF": NEW.replaceAll("\n", "\r\n"),
  "CR": NEW.replaceAll("\n", "\r"),
  "a byte order mark": `\ufeff${NEW}`,
  "comments": `: OPENROUTER PROCESSING\n\n:\n\n${NEW}`,
  "comments as data": `data: : OPENROUTER PROCESSING\n\ndata::\n\n${NEW}`,
  "empty data": `data:\n\ndata: \n\ndata\n\n${NEW}`,
  "an event's name without data": `event: ping\n\n${NEW}`,
  "a ping that is no JSON": `event: ping\ndata: pong\n\n${NEW}`,
  "named events": NEW.replaceAll("data: {", "event: completion.chunk\ndata: {"),
  "[DONE] with a space": NEW.replace("[DONE]", " [DONE] "),
  "[DONE] without a space": NEW.replace(" [DONE]", "[DONE]"),
  "no [DONE]": NEW.replace(DONE, ""),
  "no blank line at the end": NEW.replace(DONE, "").trimEnd(),
  "rubbish after [DONE]": `${NEW}data: {"choices"\n\n`,
  "no end after [DONE]": stream(NEW, { end: "stall" }),
  "a cut after finish_reason": stream(NEW.replace(DONE, ""), { end: "cut" }),
  "data on several lines": NEW.replaceAll('":[{', '":[\ndata: {'),
  "ids, retry and unknown fields": `id: 1\nretry: 3000\nfoo: bar\n${NEW}`,
  "one byte at a time": stream(NEW, { pieces: 1 }),
  "no content type": { body: NEW },
  "text/plain": { headers: { "content-type": "text/plain; charset=utf-8" }, body: NEW },
  "text/plain that begins with a comment": {
    headers: { "content-type": "text/plain" },
    body: `: hi\n\n${NEW}`,
  },
  "events called JSON": { headers: JSON_TYPE, body: NEW },
  "events called HTML": { headers: HTML, body: `event: message\n${NEW}` },
  "an upper-case content type": { headers: { "Content-Type": "TEXT/EVENT-STREAM" }, body: NEW },
  "a whole completion": { headers: JSON_TYPE, body: whole({ content: "new" }) },
  "a whole completion called events": stream(whole({ content: "new" })),
  "a whole completion without a type": { body: ` \n${whole({ content: "new" })}` },
});

const SHAPES = understood({
  "Azure's filter results first": event({ choices: [], prompt_filter_results: [{}] }) + NEW,
  "usage in every event": NEW.replaceAll(
    '{"choices"',
    '{"usage":{"prompt_tokens":1,"completion_tokens":1},"choices"',
  ),
  "a second choice": event({ choices: [{ index: 1, delta: { content: "no" } }] }) + NEW,
  "no index": NEW.replaceAll('"index":0,', ""),
  "a message in place of a delta": NEW.replaceAll('"delta"', '"message"'),
  "empty finish reasons": NEW.replaceAll("null", '""'),
  'finish reasons called "null"': NEW.replaceAll("null", '"null"'),
  "null in all fields": chunk({
    role: null,
    content: "new",
    tool_calls: null,
    function_call: null,
    refusal: null,
    reasoning_content: null,
  }) + END,
  "content as parts": chunk({ content: [{ type: "text", text: "n" }] }) +
    chunk({ content: [{ type: "text", text: "e" }, { type: "text", text: "w" }] }) + END,
  "content with parts that think": chunk({
    content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm" }] }],
  }) + chunk({ content: [{ type: "text", text: "new" }] }) + END,
  "a whole message of parts": stream(whole({ content: [{ type: "text", text: "new" }] })),
  "reasoning beside the text": chunk({ reasoning_content: "Hm", reasoning: "Hm" }) + NEW,
  "a <think> block": ["<thi", "nk>\nHm", "</thi", "nk>", "\n\nnew"].map(say).join("") + END,
  "a <think> block that the template opened": say("Hm.\n</think>\n\nnew") + END,
  "a <think> block in a whole message": stream(whole({ content: "<think>Hm</think>\nnew" })),
  ...Object.fromEntries(
    ["end_turn", "eos", "eos_token", "STOP", "stop_sequence", "COMPLETE", "FINISH_REASON_STOP"]
      .map((reason) => [`finish_reason ${reason}`, say("new") + chunk({}, reason) + DONE]),
  ),
});

const CALLS = understood({
  "calls in one piece": calling([WRITES, EXITS]),
  "calls with finish_reason stop": calling([WRITES, EXITS], "stop"),
  "calls with finish_reason tool_use": calling([WRITES, EXITS], "tool_use"),
  "arguments that are an object": calling([
    { id: "a", function: { name: "write", arguments: { data: "new\n" } } },
    EXITS,
  ]),
  "calls without index and id": [{ data: "ne" }, { data: "w\n" }].map((data) =>
    chunk({ tool_calls: [{ function: { name: "write", arguments: JSON.stringify(data) } }] })
  ).join("") + chunk({ tool_calls: [EXITS] }) + chunk({}, "tool_calls"),
  "calls of a whole message": stream(whole({ tool_calls: [WRITES, EXITS] }, "tool_calls")),
  "calls with the names of gpt-oss": calling([
    { ...WRITES, function: { name: "functions.write", arguments: '{"data":"new\\n"}' } },
    { ...EXITS, function: { name: "exit<|channel|>commentary", arguments: "{}" } },
  ]),
  "calls beside text": calling([WRITES, EXITS], "tool_calls", { content: "I write" }),
});

const FINISHES = failed({
  ...Object.fromEntries(
    [
      "error",
      "abort",
      "insufficient_system_resource",
      "MALFORMED_FUNCTION_CALL",
      "function_call_filter: MALFORMED_FUNCTION_CALL",
      "network_error",
      "pause_turn",
      "OTHER",
      "",
    ].map((reason): [string, [string, RegExp]] => [
      `text with finish_reason ${JSON.stringify(reason)}`,
      [
        say("half") + chunk({}, reason) + DONE,
        reason === "" ? /without finish_reason/ : new RegExp(`finish_reason "${reason}"`),
      ],
    ]),
  ),
  "nothing with finish_reason error": [chunk({}, "error") + DONE, /finish_reason "error"/],
  "a finish_reason that is no text": [say("half") + chunk({}, 7) + DONE, /finish_reason "7"/],
  "a whole message that failed": [
    stream(whole({ content: "half" }, "error")),
    /finish_reason "error"/,
  ],
  "finish_reason tool_calls without a call": [
    say("I sort it now") + chunk({}, "tool_calls") + DONE,
    /finish_reason tool_calls, but sent no call$/m,
  ],
  "a withheld answer of Gemini": [
    chunk({}, "content_filter: PROHIBITED_CONTENT"),
    /withheld the answer/,
  ],
  "a refusal": [chunk({ refusal: "I won't" }) + END, /^llmcmd: The model refuses: I won't/],
  "no finish_reason": [say("half") + DONE, /without finish_reason/],
  "half of the last event": [(say("half") + END).slice(0, -40), /without finish_reason/],
  "a cut stream": [stream(say("half"), { end: "cut" }), /Connection to \S+ failed/],
});

/** Answers that are cut: nothing of them is output. A cut at the token limit is reported once. */
const CUT: OddCase[] = [
  ["length", /cut off at the token limit .*; raise LLMCMD_MAX_TOKENS \(4096 tokens\) to go on$/m],
  ["MAX_TOKENS", /^llmcmd: The answer was cut off at the token limit/],
  ["content_filter", /^llmcmd: The endpoint withheld the answer/],
  ["SAFETY", /^llmcmd: The endpoint withheld the answer/],
].map(([reason, stderr]) => ({
  name: `text cut with finish_reason ${reason}`,
  replies: Array(/length|TOKENS/.test(String(reason)) ? 2 : 1).fill(
    stream(say("half") + chunk({}, reason) + DONE),
  ),
  ...(stderr instanceof RegExp ? { stderr } : {}),
}));

const NOTHING = /answered with nothing, neither text nor a call, and wrote nothing$/m;

const EMPTY = failed({
  "nothing but stop": [END, NOTHING],
  "empty text": [say("") + END, NOTHING],
  "white space": [say(" \n") + END, NOTHING],
  "nothing but thought": [say("<think>Hm</think>\n") + END, NOTHING],
  "thought without an end": [say("<think>Hm. new") + END, NOTHING],
  "nothing but reasoning": [chunk({ reasoning_content: "Hm" }) + END, NOTHING],
  "a whole message without content": [stream(whole({ content: null })), NOTHING],
  "an empty list of parts": [chunk({ content: [] }) + END, NOTHING],
  "an empty body": ["", /sent no answer: an empty body$/m],
  "an empty body without a type": [{ body: "" }, /sent no content type instead of/],
  "204": [{ status: 204, headers: { "content-length": "0" }, body: "" }, /no content type/],
  "nothing but [DONE]": [DONE, /sent no answer: data: \[DONE\]$/m],
  "nothing but comments": [": a\n\n: b\n\n", /sent no answer: : a : b$/m],
});

const REPORTED = failed({
  "an error in a choice": [
    say("half") + chunk({}, "error", { error: { code: 502, message: "Upstream broke" } }),
    /broke off with an error: Upstream broke$/m,
  ],
  "an error in the stream": [
    say("half") + event({ error: { message: "Overloaded" } }),
    /broke off with an error: Overloaded$/m,
  ],
  "an error that is only text": [
    say("half") + event({ error: "Out of memory" }),
    /broke off with an error: Out of memory$/m,
  ],
  "an event called error": [
    `${say("half")}event: error\ndata: {"message":"Gone"}\n\n`,
    /broke off with an error: Gone$/m,
  ],
  "an event called error that is no JSON": [
    `${say("half")}event: error\ndata: gone wrong\n\n`,
    /broke off with an error: gone wrong$/m,
  ],
  "an error with status 200": [
    json({ error: { message: "No such model", code: "model_not_found" } }),
    /answered with an error: No such model$/m,
  ],
  "an error with status 200 in a list": [
    json([{ error: { message: "No such model" } }]),
    /answered with an error: No such model$/m,
  ],
  "an error called events": [
    stream('{"error":"model not loaded"}'),
    /answered with an error: model not loaded$/m,
  ],
  "an event that is no JSON": [
    `${say("half")}data: {"choices"\n\n`,
    /event that is not JSON: \{"choices"$/m,
  ],
  "JSON that is no completion": [json({ status: "ok" }), /not a completion: \{"status":"ok"\}$/m],
  "lines of JSON": [
    {
      headers: { "content-type": "application/x-ndjson" },
      body: '{"message":{}}\n{"done":true}\n',
    },
    /malformed JSON/,
  ],
  "an error in the form of vLLM": [
    event({ object: "error", message: "too long", code: 400 }),
    /broke off with an error: too long$/m,
  ],
  "an error in a form of its own": [
    event({ choices: null, base_resp: { status_msg: "no login" } }),
    /sent no answer: data: .*"no login"/,
  ],
  "an error of the provider behind it": [
    json({ error: { message: "Provider returned error", metadata: { raw: "too long" } } }, 400),
    /answered 400: Provider returned error: too long$/m,
  ],
  "a web page that is said to be a stream": [
    "<html><head><title>Sign in</title></head>no no",
    /sent no answer: an HTML page, "Sign in"$/m,
  ],
  "a web page": [
    { headers: HTML, body: "<!DOCTYPE html><html><head><title>Sign &amp; in</title><body>no no" },
    /sent text\/html .*\(check the base URL\): an HTML page, "Sign & in"$/m,
  ],
  "plain text": [{ body: "Not here" }, /instead of text\/event-stream .*: Not here$/m],
  "a proxy's page with 403": [
    { status: 403, headers: HTML, body: "<html>\n<head><title>403\nForbidden</title></head>no no" },
    /answered 403: an HTML page, "403 Forbidden"$/m,
  ],
  "a redirect": [
    { status: 307, headers: { location: "/elsewhere" }, body: "" },
    /redirects to http:.*\/elsewhere, which is refused/,
  ],
  "a wrong key": [error("Incorrect API key provided: sk-odd-secret", 401), /401: .*\[secret\]$/m],
});

/** All cases. */
export const ODD_CASES: readonly OddCase[] = [
  ...FRAMING,
  ...SHAPES,
  ...CALLS,
  ...FINISHES,
  ...CUT,
  ...EMPTY,
  ...REPORTED,
  ...BUSY,
  ...TURNS,
];
