import assert from "node:assert/strict";
import { OutputTail } from "./output_tail.ts";

/** The tail of output that comes in chunks of `size` bytes. */
function tailOf(text: string, size: number): string[] {
  const bytes = new TextEncoder().encode(text);
  const tail = new OutputTail(3);
  for (let at = 0; at < bytes.length; at += size) tail.add(bytes.subarray(at, at + size));
  return tail.lines;
}

Deno.test("OutputTail keeps the last lines as a terminal would show them", () => {
  const cases: [text: string, lines: string[]][] = [
    ["1\n2\n3\n4\n5", ["3", "4", "5"]],
    ["1\n2\n3\n4\n", ["2", "3", "4"]],
    ["a\n\nb\n", ["a", "", "b"]],
    ["10%\r55%\rdone\nnext\r\n", ["done", "next"]],
    ["\x1b[1;31mred\x1b[0m \x1b]0;title\x07x\x07\n", ["red x"]],
    ["h\u00e9 \u65e5\u672c\t|\n", ["h\u00e9 \u65e5\u672c    |"]],
    ["", []],
  ];
  for (const [text, lines] of cases) {
    for (const size of [1, 2, 3, 100]) assert.deepEqual(tailOf(text, size), lines, `by ${size}`);
  }
});

Deno.test("OutputTail keeps no more than the beginning of a long line", () => {
  const tail = new OutputTail(3);
  for (let at = 0; at < 100; at++) tail.add(new Uint8Array(10_000).fill(120));
  assert.deepEqual(tail.lines.map((line) => line.length), [500]);
});
