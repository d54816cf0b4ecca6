import assert from "node:assert/strict";
import type { AgentEvent } from "../../agent/mod.ts";
import { redactor } from "../../base/mod.ts";
import { MemorySink } from "../../streams/mod.ts";
import { Messages } from "../messages/messages.ts";
import { describeCall } from "./describe_call.ts";
import { formatBytes, Progress } from "./progress.ts";
import { RunWatch } from "./run_watch.ts";
import { VerboseLog } from "./verbose.ts";

function make({ terminal = false } = {}) {
  const sink = new MemorySink();
  const columns = () => 80;
  return { sink, messages: new Messages({ sink, name: "cmd", terminal, color: false, columns }) };
}

Deno.test("Progress says what goes on", () => {
  const progress = new Progress(1000);
  assert.equal(progress.line(1000, 0), "| 0.0 s  starting");
  progress.update({ type: "turn_start", turn: 2 });
  assert.equal(progress.line(2500, 0), "/ 1.5 s  turn 2  waiting for the model");
  progress.update({ type: "tool_start", id: "1", name: "pipe", input: { cmd: "wc -l", in_fd: 3 } });
  assert.equal(
    progress.line(13_400, 12_595),
    "- 12 s  turn 2  12.3 KiB out  pipe wc -l from fd 3",
  );
  progress.update({ type: "retry", attempt: 1, delay: 8000, error: "429" });
  assert.equal(progress.line(1000, 0), "\\ 0.0 s  turn 2  waiting 8.0 s to try again: 429");
});

Deno.test("formatBytes and describeCall are short", () => {
  assert.deepEqual([0, 1023, 1024, 1024 ** 2 * 150, 1024 ** 5].map(formatBytes), [
    "0 B",
    "1023 B",
    "1.0 KiB",
    "150 MiB",
    "1024 TiB",
  ]);
  assert.equal(describeCall("read", { fd: 3, max_size: 10 }), "read fd 3");
  assert.equal(
    describeCall("pipe", { cmd: "sort\n|  uniq", in_fd: 3, out_fd: 1 }),
    "pipe sort | uniq from fd 3 to fd 1",
  );
  assert.equal(describeCall("exit", { code: 2 }), "exit 2");
  assert.equal(describeCall("odd", "not an object"), "odd");
});

Deno.test("VerboseLog shows calls and results in one line each, and text that is no output", () => {
  const lines: string[] = [];
  const log = new VerboseLog((text) => lines.push(...text.split("\n")));
  const events: AgentEvent[] = [
    { type: "turn_start", turn: 1 },
    { type: "text", content: "Let me " },
    { type: "text", content: "look\nat it" },
    { type: "tool_start", id: "1", name: "read", input: { fd: 3 } },
    { type: "tool_end", id: "1", name: "read", content: "x".repeat(600), error: false },
    { type: "turn_start", turn: 2 },
    { type: "text", content: "the output" },
    { type: "tool_start", id: "2", name: "exit", input: "{broken" },
    { type: "tool_end", id: "2", name: "exit", content: "a\nb", error: true },
    { type: "run_end", reason: "tool", api_calls: 2, seconds: 1 },
  ];
  for (const event of events) log.update(event);
  assert.deepEqual(lines, [
    "turn 1",
    "  | Let me look",
    "  | at it",
    '  read {"fd":3}',
    `    -> ${"x".repeat(500)}... (100 more characters)`,
    "turn 2",
    "  exit {broken",
    "    failed a\\nb",
  ]);
});

Deno.test("RunWatch writes every event but messages as redacted JSON, and warnings in words", async () => {
  const { sink, messages } = make();
  messages.redactWith(redactor(["sk-secret"]));
  const events = new MemorySink();
  {
    using watch = new RunWatch({
      messages,
      verbose: false,
      events,
      outputBytes: () => 0,
      progress: true,
    });
    await watch.show({ type: "run_start", model: "m" });
    await watch.show({ type: "message", message: { role: "assistant", content: "Hi" } });
    await watch.show({ type: "warning", message: "careful with sk-secret" });
  }
  await messages.flush();
  assert.equal(
    events.text(),
    `{"type":"run_start","model":"m"}\n` +
      `{"type":"warning","message":"careful with [secret]"}\n`,
  );
  assert.equal(sink.text(), "cmd: warning: careful with [secret]\n");
});

Deno.test("RunWatch with events on standard error writes nothing else there", async () => {
  const { sink, messages } = make({ terminal: true });
  {
    using watch = new RunWatch({
      messages,
      verbose: false,
      events: "messages",
      outputBytes: () => 0,
      progress: true,
    });
    await watch.show({ type: "warning", message: "careful" });
  }
  await messages.flush();
  assert.equal(sink.text(), `{"type":"warning","message":"careful"}\n`);
});
