import assert from "node:assert/strict";
import { bytes } from "./_testing.ts";
import { CaptureSink } from "./capture.ts";

Deno.test("CaptureSink keeps the first bytes and counts the rest", async () => {
  const sink = new CaptureSink(5);
  await sink.write(bytes("abc"));
  assert.deepEqual([sink.text(), sink.total, sink.truncated], ["abc", 3, false]);
  await sink.write(bytes("de"));
  assert.deepEqual([sink.text(), sink.total, sink.truncated], ["abcde", 5, false]);
  await sink.write(bytes("fgh"));
  await sink.write(bytes("i"));
  assert.deepEqual([sink.text(), sink.total, sink.truncated], ["abcde", 9, true]);
  assert.equal(sink.bytes().length, 5);
});

Deno.test("CaptureSink.text leaves out a character that the limit cut in two", async () => {
  const sink = new CaptureSink(4);
  await sink.write(bytes("a\u00e9\u65e5"));
  assert.equal(sink.text(), "a\u00e9");
  assert.deepEqual([...sink.bytes()], [0x61, 0xc3, 0xa9, 0xe6]);
});

Deno.test("CaptureSink.text shows a character cut by the writer as invalid", async () => {
  const sink = new CaptureSink(10);
  await sink.write(Uint8Array.of(0x61, 0xe6));
  assert.equal(sink.text(), "a\ufffd");
});

Deno.test("CaptureSink with limit 0 only counts", async () => {
  const sink = new CaptureSink(0);
  await sink.write(bytes("abc"));
  assert.deepEqual([sink.text(), sink.total, sink.truncated], ["", 3, true]);
});

Deno.test("CaptureSink refuses writes after close, and a limit below 0", async () => {
  const sink = new CaptureSink(1);
  await sink.close();
  await assert.rejects(sink.write(bytes("a")), TypeError);
  assert.equal(sink.total, 0);
  assert.throws(() => new CaptureSink(-1), RangeError);
  assert.throws(() => new CaptureSink(NaN), RangeError);
});
