import assert from "node:assert/strict";
import { afterWaiting, WaitingBytes } from "./waiting_bytes.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

Deno.test("WaitingBytes gives what came in order, and drops whole lines and characters", () => {
  const waiting = new WaitingBytes(20);
  assert.equal(waiting.push(encoder.encode("one\ntwo\nthree\n")), 0);
  assert.equal(decoder.decode(waiting.take(4)), "one\n");
  // The first 7 of "two
  // three
  // " must be dropped, and with them the rest of that line.
  assert.equal(waiting.push(encoder.encode("fourteen bytes\nab")), 10);
  assert.equal(decoder.decode(waiting.last(5)), "es\nab");
  const parts: string[] = [];
  while (waiting.length > 0) parts.push(decoder.decode(waiting.take(100)));
  assert.equal(parts.join(""), "fourteen bytes\nab");
  assert.equal(waiting.push(encoder.encode("\u20ac".repeat(7))), 1);
  assert.equal(waiting.length, 20);
});

Deno.test("WaitingBytes is what a plain list of bytes would be, whatever comes", () => {
  const capacity = 100_000;
  const waiting = new WaitingBytes(capacity);
  let list: number[] = [];
  let next = 0;
  let random = 1;
  const below = (limit: number) => (random = random * 48271 % 2147483647) % limit;
  for (let round = 0; round < 300; round++) {
    const bytes = Uint8Array.from({ length: below(9000) }, () => 65 + next++ % 26);
    const dropped = waiting.push(bytes);
    list = [...list, ...bytes];
    assert(dropped <= Math.max(0, list.length - capacity));
    assert.equal(dropped, Math.max(0, list.length - capacity));
    list = list.slice(dropped);
    for (let takes = below(3); takes > 0; takes--) {
      const taken = waiting.take(below(7000));
      assert.deepEqual([...taken], list.slice(0, taken.length));
      list = list.slice(taken.length);
    }
    assert.equal(waiting.length, list.length);
    assert.deepEqual([...waiting.last(50)], list.slice(-50));
  }
});

Deno.test("afterWaiting takes text with colours, and nothing that acts on a screen or asks", () => {
  const after = (text: string, state: Parameters<typeof afterWaiting>[1] = "none") =>
    afterWaiting(encoder.encode(text), state);
  for (const text of ["", "a\r\nb\b", "\x1b[1;31mred\x1b[m\x1b[K", "\x1b[38:5:1m"]) {
    assert.equal(after(text), "none");
    for (let cut = 0; cut <= text.length; cut++) {
      const first = after(text.slice(0, cut));
      assert(first !== undefined);
      assert.equal(after(text.slice(cut), first), "none", `${cut} of ${JSON.stringify(text)}`);
    }
  }
  assert.deepEqual(["\x1b", "\x1b[", "\x1b[1;"].map((it) => after(it)), [
    ...["begun", "parameters", "parameters"],
  ]);
  for (const text of ["\x1b[2J", "\x1b[c", "\x1b[?25l", "\x1b]0;x\x07", "\x1bM", "\x1b[\x1b[m"]) {
    assert.equal(after(`x${text}`), undefined, text);
  }
  assert.equal(after("2J", "parameters"), undefined);
});
