import assert from "node:assert/strict";
import { OutputRing, tailOf } from "./output_ring.ts";
import { TerminalOutput } from "./terminal_output.ts";

const encoder = new TextEncoder();
const opened = () => new TerminalOutput({ columns: 40, rows: 6, reply: () => {} });

Deno.test("OutputRing drops the oldest, and counts its bytes", () => {
  const ring = new OutputRing(10);
  ring.add("\u00e4\u00e4\r\n");
  ring.add("12345\r\n");
  ring.add("6789\r\n");
  assert.equal(ring.take(100), "12345\n6789\n");
  assert.equal(ring.takeDropped(), 6);
  assert.equal(ring.takeDropped(), 0);
});

Deno.test("Output is never cut within a character, and hasMore says exactly whether there is more", async () => {
  const output = opened();
  const text = "\u20ac\u{1f600}a\u00e9\r\n\u20ac";
  for (const byte of encoder.encode(text)) await output.add(Uint8Array.of(byte));
  const parts: string[] = [];
  for (;;) {
    const { output: part, hasMore } = output.take(4);
    assert(encoder.encode(part).length <= 4);
    parts.push(part);
    if (!hasMore) break;
  }
  assert.deepEqual(parts, ["\u20ac", "\u{1f600}", "a\u00e9", "\n\u20ac"]);
  assert.equal(output.hasUnread, false);
  assert.equal(tailOf("a\u20acb", 3), "b");
});

Deno.test("Output of which too much comes is dropped from its beginning, and the gap is told", async () => {
  const output = opened();
  const line = `${"x".repeat(98)}\r\n`;
  const block = encoder.encode(line.repeat(600));
  for (let count = 0; count < 40; count++) await output.add(block);
  const { output: text, droppedBytes = 0, hasMore } = output.take(2 ** 22);
  assert.equal(hasMore, false);
  assert.equal(text.replaceAll(`${"x".repeat(98)}\n`, ""), "");
  assert.equal(droppedBytes + text.length / 99 * 100, 40 * block.length);
  assert(text.length > 1_000_000 && text.length < 1_200_000);
});

Deno.test("Of a flood, the end can be seen before it is read, and what was text already goes first", async () => {
  const output = opened();
  await output.add(encoder.encode("first\r\nbegun"));
  assert.equal(output.peek(100), "first\nbegun");
  const lines = Array.from({ length: 200_000 }, (_, at) => `\x1b[32m${at}\x1b[m \u20ac\r\n`);
  const bytes = encoder.encode(lines.join(""));
  for (let at = 0; at < bytes.length; at += 60_001) {
    await output.add(bytes.subarray(at, at + 60_001));
  }
  assert.deepEqual(output.peekEnd(25), {
    text: "\n199998 \u20ac\n199999 \u20ac\n",
    hasMore: true,
  });
  const { output: text, droppedBytes = 0 } = output.take(2 ** 22);
  const first = Number(text.slice(0, text.indexOf(" ")));
  const kept = Array.from({ length: 200_000 - first }, (_, at) => `${first + at} \u20ac\n`);
  assert.equal(text, kept.join(""));
  const before = encoder.encode(lines.slice(0, first).join("")).length;
  assert.equal(droppedBytes, before + "first\r\nbegun".length);
  assert.equal(output.hasUnread, false);
});

Deno.test("A control sequence that comes in two parts acts, whatever waits", async () => {
  const output = opened();
  await output.add(encoder.encode("a line\r\nab\x1b["));
  await output.add(encoder.encode("2Dcd\r\n"));
  await output.add(encoder.encode("x\x1b[?1049"));
  await output.add(encoder.encode("hdrawn"));
  const { output: text, screen } = output.take(1000);
  assert.deepEqual([text, screen], ["a line\ncd\n\n\n drawn", true]);
});

Deno.test("While a program uses the alternate screen, the output is the screen if it has changed", async () => {
  const output = opened();
  await output.add(encoder.encode("$ edit\r\n\x1b[?1049h\x1b[H\x1b[2Jone\x1b[3;5Htwo"));
  const first = output.take(1000);
  assert.deepEqual(first, {
    output: "$ edit\none\n\n    two",
    hasMore: false,
    screen: true,
    cursor: { row: 3, column: 8 },
  });
  assert.equal(output.hasUnread, false);
  assert.equal(output.take(1000).output, "");
  await output.add(encoder.encode("\x1b[1;1HONE\x1b["));
  assert.equal(output.take(1000).output, "ONE\n\n    two");
  await output.add(encoder.encode("?1049"));
  await output.add(encoder.encode("l$ done\r\n"));
  assert.deepEqual(output.take(1000), { output: "$ done\n", hasMore: false });
  output.close();
});

Deno.test("A program that moves the cursor is seen on a screen with what was there before", async () => {
  const output = opened();
  await output.add(encoder.encode("old\r\nPick:\r\n> a\r\n  b\r\n"));
  await output.add(encoder.encode("\x1b[2A  a\r\n> b\r\n"));
  const { output: text, screen } = output.take(1000);
  assert.deepEqual([text, screen], ["old\nPick:\n  a\n> b", true]);
  // Lines that scroll off the top meanwhile are not lost.
  await output.add(encoder.encode("1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n$ "));
  assert.match(output.take(1000).output, /> b\n1\n2\n3\n4\n5\n6\n7\n\$$/);
  output.leaveScreen();
  await output.add(encoder.encode("ls\r\nfile\r\n"));
  assert.deepEqual(output.take(1000), { output: "ls\nfile\n", hasMore: false });
  output.close();
});

Deno.test("Questions of the program in what is drawn again are not answered twice", async () => {
  const replies: string[] = [];
  const output = new TerminalOutput({ columns: 40, rows: 6, reply: (it) => replies.push(it) });
  await output.add(encoder.encode("\x1b[cab\x1b[6n"));
  assert.deepEqual(replies, ["\x1b[?1;2c", "\x1b[1;3R"]);
  output.close();
});
