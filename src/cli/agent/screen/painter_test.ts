import assert from "node:assert/strict";
import { FakeTerminal } from "./_testing.ts";
import { Painter } from "./painter.ts";

function setUp(columns = 20) {
  const terminal = new FakeTerminal(columns);
  const painter = new Painter(columns);
  const write = (text: string) => terminal.write(text);
  return { terminal, painter, write };
}

Deno.test("Painter prints above the live rows, also text that goes on in a line", () => {
  const { terminal, painter, write } = setUp();
  write(painter.show(["status", "You: x"], { row: 1, column: 6 }));
  write(painter.print("one\n"));
  assert.equal(terminal.screen, "one\nstatus\nYou: x");
  assert.deepEqual(terminal.cursor, { row: 2, column: 6 });
  write(painter.print("two "));
  write(painter.print("words\nthr"));
  assert.equal(terminal.screen, "one\ntwo words\nthr\nstatus\nYou: x");
  write(painter.show(["status 2", "You: x"], { row: 1, column: 6 }));
  write(painter.print("ee\n"));
  assert.equal(terminal.screen, "one\ntwo words\nthree\nstatus 2\nYou: x");
});

Deno.test("Painter draws rows again in place, more and fewer of them, and moves the cursor", () => {
  const { terminal, painter, write } = setUp();
  write(painter.print("text\n"));
  write(painter.show(["a", "b", "c"], { row: 0, column: 1 }));
  assert.deepEqual(terminal.cursor, { row: 1, column: 1 });
  write(painter.show(["a", "B", "c", "d"], { row: 3, column: 0 }));
  assert.equal(terminal.screen, "text\na\nB\nc\nd");
  write(painter.show(["a"], { row: 0, column: 0 }));
  assert.equal(terminal.screen, "text\na");
  assert.deepEqual(terminal.cursor, { row: 1, column: 0 });
  write(painter.show([]));
  write(painter.print("more\n"));
  assert.equal(terminal.screen, "text\nmore");
});

Deno.test("Painter does not write rows that are as they were", () => {
  const { painter } = setUp();
  painter.show(["the same", "old"], { row: 1, column: 0 });
  const text = painter.show(["the same", "new"], { row: 1, column: 0 });
  assert.equal(text.includes("the same"), false);
  assert.equal(text.includes("new"), true);
});

Deno.test("Painter hides the cursor where there is nothing to edit, and shows it when it leaves", () => {
  const { painter } = setUp();
  assert.equal(painter.show(["status"]).includes("\x1b[?25l"), true);
  assert.equal(painter.show(["status"]).includes("\x1b[?25"), false);
  assert.equal(painter.leave().includes("\x1b[?25h"), true);
});

Deno.test("Painter goes on in a line that is wider than the terminal", () => {
  const { terminal, painter, write } = setUp(10);
  write(painter.show(["live"]));
  write(painter.print("twelve chars"));
  write(painter.print(" more\nend\n"));
  assert.equal(terminal.screen, "twelve cha\nrs more\nend\nlive");
});

Deno.test("Painter removes rows that a narrower terminal has broken, and no others", () => {
  const { terminal, painter, write } = setUp(20);
  write(painter.print("text before\n"));
  write(painter.show(["x".repeat(19), "y".repeat(12)], { row: 1, column: 12 }));
  terminal.resize(8);
  write(painter.resize(8));
  write(painter.show(["xx", "yy"], { row: 1, column: 2 }));
  assert.equal(terminal.screen, "text bef\nore\nxx\nyy");
  terminal.resize(30);
  write(painter.resize(30));
  write(painter.show(["xxx", "yyy"], { row: 1, column: 3 }));
  assert.equal(terminal.screen, "text bef\nore\nxxx\nyyy");
});

Deno.test("Painter leaves the terminal at the start of a line, without live rows", () => {
  const { terminal, painter, write } = setUp();
  write(painter.print("no end"));
  write(painter.show(["live"]));
  write(painter.leave());
  assert.deepEqual([terminal.screen, terminal.cursor], ["no end", { row: 1, column: 0 }]);
});

Deno.test("Painter draws the live rows again on a screen that it has cleared", () => {
  const { terminal, painter, write } = setUp();
  write(painter.print("text\n"));
  write(painter.show(["You: a"], { row: 0, column: 6 }));
  write(painter.clear());
  assert.deepEqual([terminal.screen, terminal.cursor], ["You: a", { row: 0, column: 6 }]);
});
