import assert from "node:assert/strict";
import type { DriverName } from "../registry/mod.ts";
import { type CliEvent, drivers, LineSplitter, noOutput, normaliseOutput } from "./mod.ts";

/** Parses the recorded output of a real CLI, run against a local endpoint. */
async function parse(driver: DriverName, name: string) {
  const url = new URL(`./fixtures/${driver}_${name}.jsonl`, import.meta.url);
  return parseText(driver, await Deno.readTextFile(url));
}

function parseText(driver: DriverName, text: string) {
  const parser = drivers[driver].parser();
  const events: CliEvent[] = [];
  for (const line of text.split("\n")) if (line !== "") events.push(...parser.line(line));
  const { events: last, outcome } = parser.end();
  events.push(...last);
  const join = (type: string) =>
    events.filter((event) => event.type === type).map(({ text }) => text).join("");
  return { outcome, text: join("text"), activity: join("activity"), events };
}

const ANSWER = 'First paragraph of the answer.\n\nSecond paragraph: it\'s "quoted".\n\n' +
  "Third paragraph.";
const TOLD = `I will make the file.\n\n${ANSWER}`;

const usage = {
  inputTokens: 200,
  outputTokens: 40,
  cachedTokens: 80,
  reasoningTokens: 0,
};

Deno.test("codex's parser gives messages, tools and the whole last message", async () => {
  const { outcome, text, activity } = await parse("codex", "tool");
  assert.equal(text, TOLD);
  assert.equal(activity, "Think a bit.\nexec: /bin/bash -lc 'echo made > made.txt'\n");
  assert.equal(outcome.answer, ANSWER);
  assert.equal(outcome.complete, true);
  assert.equal(outcome.error, undefined);
  assert.deepEqual(outcome.usage, { ...usage, reasoningTokens: 10 });
  assert.match(outcome.session ?? "", /^[0-9a-f-]{36}$/);
  assert.match(outcome.noise, /^Model metadata for/);
});

Deno.test("gemini's, qwen's and claude's parsers give pieces, tools and the whole last message", async () => {
  const tools = { gemini: "run_shell_command", qwen: "run_shell_command", claude: "Bash" };
  for (const [driver, tool] of Object.entries(tools)) {
    if (driver !== "gemini" && driver !== "qwen" && driver !== "claude") continue;
    const { outcome, text, activity, events } = await parse(driver, "tool");
    assert.equal(text, TOLD, driver);
    assert.ok(events.length > 8, `${driver} gave ${events.length} events`);
    assert.equal(activity, `${tool}: echo made > made.txt\n`, driver);
    assert.equal(outcome.answer, ANSWER, driver);
    assert.equal(outcome.error, undefined, driver);
    assert.equal(outcome.complete, true, driver);
    assert.deepEqual(outcome.usage, usage, driver);
    assert.match(outcome.session ?? "", /^[0-9a-f-]{36}$/, driver);
  }
});

Deno.test("a parser tells an error of the endpoint apart from an answer", async () => {
  const expected = {
    codex: "mock says no",
    gemini:
      '[API Error: {"error":{"code":400,"message":"mock says no","status":"INVALID_ARGUMENT"}}]',
    qwen: "[API Error: 400 mock says no]",
    claude: "API Error: 400 mock says no",
  };
  for (const driver of ["codex", "gemini", "qwen", "claude"] as const) {
    const { outcome, text } = await parse(driver, "fail");
    assert.equal(outcome.error, expected[driver], driver);
    assert.equal(text, "", driver);
    assert.equal(outcome.answer, "", driver);
  }
});

Deno.test("codex's parser: an empty answer is one, an error that was overcome is none", async () => {
  const { outcome } = await parse("codex", "empty");
  assert.deepEqual([outcome.answer, outcome.complete, outcome.error], ["", true, undefined]);
  const reconnected = parseText(
    "codex",
    '{"type":"error","message":"Reconnecting... 1/5"}\n' +
      '{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"ok"}}\n' +
      '{"type":"item.completed","item":{"id":"2","type":"file_change","changes":[{"path":"/a"}]}}\n' +
      '{"type":"turn.completed","usage":{}}\n',
  );
  assert.deepEqual(
    [reconnected.outcome.answer, reconnected.outcome.error, reconnected.text, reconnected.activity],
    ["ok", undefined, "ok", "edit: /a\n"],
  );
});

Deno.test("a parser goes on after lines that are no events, and keeps the end of them", () => {
  for (const driver of ["codex", "gemini", "qwen", "claude"] as const) {
    const { outcome, events } = parseText(
      driver,
      'warning: x\n{"type":\n[1]\n{"type":"new_kind"}\nnull\n{"type":"assistant","message":7}\n',
    );
    assert.deepEqual(events, [], driver);
    assert.equal(outcome.complete, false, driver);
    assert.match(outcome.noise, /^warning: x\n/, driver);
  }
});

Deno.test("claude's parser leaves out what a sub-agent says, and tells a result without pieces", () => {
  const { text, outcome, activity } = parseText(
    "claude",
    '{"type":"assistant","parent_tool_use_id":"t1","message":{"content":[{"type":"text","text":"sub"}]}}\n' +
      '{"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"hm"}}}\n' +
      '{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Read","input":{"file_path":"/a"}}]}}\n' +
      '{"type":"result","is_error":false,"result":"done","usage":{}}\n',
  );
  assert.deepEqual([text, outcome.answer, activity], ["done", "done", "hm\nRead: /a\n"]);
});

Deno.test("qwen's parser tells an answer that begins like an error, at its end", () => {
  const piece = (text: string) =>
    `{"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"text_delta","text":"${text}"}}}\n`;
  const { text, outcome } = parseText(
    "qwen",
    piece("[API Error: 500]") + piece(" means that") +
      '{"type":"assistant","message":{"content":[{"type":"text","text":"[API Error: 500] means that"}]}}\n' +
      '{"type":"result","is_error":false,"result":"[API Error: 500] means that","usage":{}}\n',
  );
  assert.deepEqual([text, outcome.answer], [
    "[API Error: 500] means that",
    "[API Error: 500] means that",
  ]);
});

Deno.test("normaliseOutput takes the last block that is not blank", () => {
  assert.equal(
    normaliseOutput("log\n\ntool: x\n \n answer a\nanswer b  \n\n \n"),
    "answer a\nanswer b",
  );
  assert.equal(normaliseOutput("one\r\n\r\ntwo\r\n"), "two");
  assert.equal(normaliseOutput("only"), "only");
  assert.equal(normaliseOutput(""), "No output from CLI.");
  assert.equal(normaliseOutput(" \n\t\n"), noOutput);
});

Deno.test("generic's parser answers with the last block, or says that there was none", () => {
  assert.equal(parseText("generic", "log\n \nanswer").outcome.answer, "answer");
  const { outcome, text } = parseText("generic", "");
  assert.deepEqual([outcome.answer, text], [noOutput, noOutput]);
});

Deno.test("LineSplitter cuts lines over chunks whose memory is used again, and drops long ones", () => {
  const splitter = new LineSplitter(6);
  const lines: string[] = [];
  const memory = new Uint8Array(3);
  const bytes = new TextEncoder().encode("a\u20acb\r\n\nlonger line\nsix123\nend");
  for (let at = 0; at < bytes.length; at += 3) {
    const part = memory.subarray(0, Math.min(3, bytes.length - at));
    part.set(bytes.subarray(at, at + 3));
    lines.push(...splitter.push(part));
  }
  lines.push(...splitter.end());
  assert.deepEqual(lines, ["a\u20acb", "", "six123", "end"]);
  assert.equal(splitter.dropped, 1);
});
