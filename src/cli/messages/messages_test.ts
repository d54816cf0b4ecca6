import { unicodeWidth } from "@std/cli/unicode-width";
import assert from "node:assert/strict";
import { redactor } from "../../base/mod.ts";
import { MemorySink } from "../../streams/mod.ts";
import { fit } from "../text/fit.ts";
import { Messages } from "./messages.ts";
import { besideStatusLine } from "./shared_terminal.ts";

function make(part: { terminal?: boolean; color?: boolean; columns?: number } = {}) {
  const sink = new MemorySink();
  const messages = new Messages({
    sink,
    name: "cmd",
    terminal: part.terminal ?? false,
    color: part.color ?? false,
    columns: () => part.columns ?? 80,
  });
  return { sink, messages };
}

/**
 * The screen of a terminal after these bytes: a carriage return moves to the start of the line, and
 * text overwrites.
 */
function screen(text: string): string[] {
  return text.split("\n").map((line) => {
    let shown = "";
    for (const piece of line.split("\r")) shown = piece + shown.slice(piece.length);
    return shown.trimEnd();
  });
}

Deno.test("fit cuts by columns, not characters", () => {
  assert.equal(unicodeWidth("ab\u65e5\u672ce\u0301\u{1f600}"), 2 + 4 + 1 + 2);
  assert.equal(fit("short", 5), "short");
  assert.equal(fit("longer", 5), "lo...");
  assert.equal(fit("\u65e5\u672c\u8a9e\u6587", 7), "\u65e5\u672c...");
  assert.equal(fit("longer", 2), "..");
});

Deno.test("Messages: every line has the name; secrets and control characters don't get out", async () => {
  const { sink, messages } = make();
  messages.redactWith(redactor(["sk-secret"]));
  messages.say("one\ntwo sk-secret\x1b\n");
  messages.warn("three");
  messages.status("never shown without a terminal");
  await messages.flush();
  assert.equal(sink.text(), "cmd: one\ncmd: two [secret]\\x1b\ncmd: warning: three\n");
});

Deno.test("Messages erases the status line before it writes, and leaves none behind", async () => {
  const { sink, messages } = make({ terminal: true, columns: 12 });
  messages.status("working on \u65e5\u672c\u8a9e");
  messages.say("hello");
  messages.status("more");
  await messages.flush();
  assert.deepEqual(screen(sink.text()), ["cmd: hello", "more"]);
  messages.status("");
  await messages.flush();
  assert.deepEqual(screen(sink.text()), ["cmd: hello", ""]);
  assert.ok(Math.max(...sink.text().split(/[\r\n]/).map(unicodeWidth)) < 12);
});

Deno.test("Messages styles the status line only when colours are wanted", async () => {
  for (const color of [true, false]) {
    const { sink, messages } = make({ terminal: true, color });
    messages.status("x");
    await messages.flush();
    assert.equal(sink.text(), color ? "\x1b[2mx\x1b[22m" : "x");
  }
});

Deno.test("Messages goes on in silence when standard error is closed", async () => {
  const messages = new Messages({
    sink: {
      write: () => Promise.reject(new Deno.errors.BrokenPipe("gone")),
      close: () => Promise.resolve(),
    },
    name: "cmd",
    terminal: true,
    color: false,
    columns: () => 80,
  });
  messages.say("one");
  messages.status("two");
  await messages.flush();
});

Deno.test("besideStatusLine keeps the status line off unfinished lines", async () => {
  const { sink, messages } = make({ terminal: true });
  const output = besideStatusLine(sink, messages);
  const bytes = (text: string) => new TextEncoder().encode(text);
  messages.status("busy");
  await output.write(bytes("half a "));
  messages.status("still busy");
  await output.write(bytes("line\n"));
  messages.status("busy again");
  await messages.flush();
  assert.deepEqual(screen(sink.text()), ["half a line", "busy again"]);
});
