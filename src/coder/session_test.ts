import assert from "node:assert/strict";
import { LlmError, type Message } from "../llm/mod.ts";
import { memoryVfs } from "../vfs/mod.ts";
import { checkConversation, FakeRunner, MemoryLog, play, ScriptedClient } from "./_testing.ts";
import { repairMessages } from "./repair.ts";
import { newSession, resume, sessionLabel } from "./session.ts";
import { encodeRecord, parseSessionLog, type SessionRecord } from "./session_log.ts";

const call = (id: string, name = "bash", input = "{}") => ({
  id,
  type: "function" as const,
  function: { name, arguments: input },
});
const time = "2026-11-27T10:00:00.000Z";

Deno.test("resume tells whether the last turn has no end", () => {
  const { record } = newSession({ root: "/w", model: "m" });
  const time = "2026-11-27T10:00:00Z";
  const said = { type: "message" as const, time, message: { role: "user" as const, content: "x" } };
  const event = { type: "end" as const, reason: "stop", seconds: 1 };
  const end = { type: "event" as const, time, event };
  const title = { type: "title" as const, time, title: "X" };
  assert.equal(resume([record, said, title]).interrupted, true);
  assert.equal(resume([record, said, end, title]).interrupted, undefined);
  assert.equal(resume([record, said, end, said]).interrupted, true);
  const cleared = { type: "clear" as const, time, messages: [] };
  assert.equal(resume([record, said, cleared]).interrupted, undefined);
});

Deno.test("newSession names sessions so that they sort by time", () => {
  const { session, record } = newSession({ root: "/w", model: "m", now: () => Date.parse(time) });
  assert.match(session.id, /^20261127T100000-[0-9a-f]{8}$/);
  assert.equal(session.created, time);
  assert.deepEqual(resume([record]), session);
  assert.throws(() => resume([]), {
    name: "RangeError",
    message: "Cannot resume the session: its log does not begin with session_start",
  });
});

Deno.test("resume gives the session back wherever the log ends, ready for any endpoint", async () => {
  const log = new MemoryLog();
  const { record } = newSession({ root: "/work", model: "m" });
  await log.append(record);
  const vfs = memoryVfs({ root: "/work" });
  const client = new ScriptedClient(
    { text: "Look:", calls: [["bash", { command: "a" }], ["bash", { command: "b" }]], tokens: 5 },
    { text: "Done.", tokens: 0 },
    { calls: [["read_file", { path: "none" }]], tokens: 7 },
    new LlmError("No", { status: 401 }),
  );
  const options = { vfs, log, runner: new FakeRunner() };
  const first = await play(client, { ...options, input: "One" });
  await log.append({ type: "title", time, title: "Looking" });
  const { messages } = first.result;
  const second = await play(client, { ...options, input: "Two", messages });
  const whole = resume(log.records);
  assert.deepEqual(whole.messages, second.result.messages);
  assert.deepEqual(whole.usage, { prompt_tokens: 12, completion_tokens: 0 });
  assert.equal(whole.title, "Looking");
  for (let end = 1; end <= log.records.length; end++) {
    const session = resume(log.records.slice(0, end));
    checkConversation(session.messages);
    assert.equal(session.messages.length <= whole.messages.length, true);
    // But for answers of interrupted calls, it is how the whole begins.
    session.messages.forEach((message, index) => {
      const interrupted = message.role === "tool" && String(message.content).startsWith("Interr");
      if (!interrupted) assert.deepEqual(message, whole.messages[index], `record ${end}`);
    });
  }
});

Deno.test("resume knows compactions and what was cleared", async () => {
  const log = new MemoryLog();
  const { record } = newSession({ root: "/work", model: "m" });
  await log.append(record);
  const messages: Message[] = [
    { role: "system", content: "S" },
    { role: "user", content: "long ".repeat(2000) },
    { role: "assistant", content: "long ".repeat(2000) },
  ];
  for (const message of messages) await log.append({ type: "message", time, message });
  const { result } = await play(new ScriptedClient("Summary.", "Done."), {
    log,
    messages,
    limits: { contextTokens: 5000 },
  });
  assert.equal(result.compactions, 1);
  assert.deepEqual(resume(log.records).messages, result.messages);
  await log.append({ type: "clear", time, messages: result.messages.slice(0, 1) });
  assert.deepEqual(resume(log.records).messages, [{ role: "system", content: "S" }]);
});

Deno.test("a conversation without a system prompt is logged so that it comes back with one", async () => {
  const log = new MemoryLog();
  await log.append(newSession({ root: "/work", model: "m" }).record);
  const messages: Message[] = [{ role: "user", content: "a" }, { role: "assistant", content: "b" }];
  for (const message of messages) await log.append({ type: "message", time, message });
  const { result } = await play(new ScriptedClient("Done."), { log, messages });
  assert.deepEqual(resume(log.records).messages, result.messages);
  assert.equal(result.messages[0]?.role, "system");
});

Deno.test("parseSessionLog reads what encodeRecord wrote, and survives every tear", () => {
  const records: SessionRecord[] = [
    newSession({ root: "/w", model: "m" }).record,
    { type: "message", time, message: { role: "user", content: "\u00e4\n\u{1f41f}" } },
    {
      type: "message",
      time,
      message: {
        role: "assistant",
        content: null,
        tool_calls: [call("c")],
        extras: { origin: "o", message: { reasoning: ["a", 1] }, calls: { c: { s: { t: "u" } } } },
      },
    },
    { type: "message", time, message: { role: "tool", tool_call_id: "c", content: "x" } },
    { type: "compaction", time, messages: [{ role: "system", content: "s" }], before: 9, after: 1 },
    { type: "clear", time, messages: [] },
    { type: "title", time, title: "T" },
    { type: "event", time, event: { type: "end", reason: "stop", seconds: 1 } },
    { type: "event", time, event: { type: "warning", message: "w" } },
  ];
  const text = records.map(encodeRecord).join("");
  assert.deepEqual(parseSessionLog(text), { records, problems: [], torn: false });
  for (let end = 0; end <= text.length; end++) {
    const parsed = parseSessionLog(text.slice(0, end));
    assert.deepEqual(parsed.problems, []);
    assert.deepEqual(parsed.records, records.slice(0, parsed.records.length));
    const lines = text.slice(0, end).split("\n").length - 1;
    assert.equal(parsed.records.length - lines <= 1 && parsed.records.length >= lines, true);
  }
});

Deno.test("parseSessionLog leaves out damaged lines and unknown records, and says so", () => {
  const start = encodeRecord(newSession({ root: "/w", model: "m" }).record);
  const text = `${start}{"type":"mess\n\n{"type":"future","time":""}\n` +
    `{"type":"title","time":"${time}"}\n${encodeRecord({ type: "title", time, title: "T" })}`;
  const { records, problems, torn } = parseSessionLog(text);
  assert.deepEqual(records.map(({ type }) => type), ["session_start", "title"]);
  assert.equal(torn, false);
  assert.deepEqual(problems.map((problem) => problem.replace(/:.*:/, ":")), [
    "Line 2: not JSON",
    problems[1]?.replace(/:.*:/, ":"),
    problems[2]?.replace(/:.*:/, ":"),
  ]);
  assert.match(problems[1] ?? "", /^Line 4: not a record of a session \(type: /);
  assert.match(problems[2] ?? "", /^Line 5: not a record of a session \(title: /);
});

Deno.test("repairMessages answers every call once, behind its message", () => {
  const malformed = call("d", "a b", "{bad");
  const repaired = repairMessages([
    { role: "tool", tool_call_id: "stray", content: "x" },
    { role: "assistant", content: null, tool_calls: [call("a"), call("b"), malformed] },
    { role: "tool", tool_call_id: "b", content: "B" },
    { role: "tool", tool_call_id: "b", content: "twice" },
    { role: "user", content: "Go on" },
    { role: "tool", tool_call_id: "a", content: "late" },
    { role: "assistant", content: "" },
    { role: "assistant" },
    { role: "assistant", content: "end" },
  ]);
  checkConversation(repaired);
  assert.deepEqual(repaired.map(({ role }) => role), [
    "assistant",
    "tool",
    "tool",
    "tool",
    "user",
    "assistant",
  ]);
  assert.deepEqual(repaired[2], { role: "tool", tool_call_id: "b", content: "B" });
  const [first] = repaired;
  assert(first?.role === "assistant");
  assert.deepEqual(
    first.tool_calls?.[2],
    call("d", "a_b", JSON.stringify({ malformed_arguments: "{bad" })),
  );
  assert.deepEqual(repairMessages(repaired), repaired);
});

Deno.test("sessionLabel falls back to the first message", () => {
  const { session } = newSession({ root: "/w", model: "m" });
  assert.equal(sessionLabel(session), "");
  session.messages = [{ role: "user", content: `\n${"word ".repeat(30)}\nmore` }];
  assert.match(sessionLabel(session), /^(word )+.*\.\.\.$/);
  assert.equal(sessionLabel(session).length, 60);
  session.title = "Title";
  assert.equal(sessionLabel(session), "Title");
});
