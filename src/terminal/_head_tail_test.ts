import assert from "node:assert/strict";
import { HeadTail } from "./_head_tail.ts";

/** The kept part of a text that comes in chunks of `size` bytes. */
function keep(most: number, text: string, size = 3) {
  const output = new HeadTail(most);
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) output.add(bytes.slice(at, at + size));
  return output.result();
}

Deno.test("HeadTail keeps a short output whole, also where a character is at the seam", () => {
  for (const text of ["", "a\n", "x".repeat(40), `${"x".repeat(9)}\u{1F600}${"y".repeat(27)}`]) {
    for (const size of [1, 7, 100]) {
      const bytes = new TextEncoder().encode(text).length;
      assert.deepEqual(keep(40, text, size), { head: text, tail: "", bytes, droppedBytes: 0 });
    }
  }
});

Deno.test("HeadTail keeps whole lines of the beginning and the end, in chunks of any size", () => {
  const lines = Array.from({ length: 1000 }, (_, n) => `line ${n}\n`);
  const text = lines.join("");
  for (const size of [1, 5, 64, 1000, 100_000]) {
    const { head, tail, bytes, droppedBytes } = keep(400, text, size);
    assert.equal(head, lines.slice(0, 13).join(""), `${size}`);
    assert.equal(tail, lines.slice(-33).join(""), `${size}`);
    assert.equal(bytes, text.length);
    assert.equal(droppedBytes, bytes - head.length - tail.length);
  }
});

Deno.test("HeadTail splits no character of a line that is too long", () => {
  for (let before = 0; before < 4; before++) {
    const text = "a".repeat(before) + "\u{1F600}".repeat(100);
    const { head, tail, bytes, droppedBytes } = keep(40, text);
    assert.match(head + tail, /^a*(\u{1F600})+$/u);
    const { length } = new TextEncoder().encode(head + tail);
    assert(length > 40 - 8);
    assert.equal(droppedBytes, bytes - length);
  }
});
