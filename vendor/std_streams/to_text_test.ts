import assert from "node:assert/strict";
import { toText } from "@std/streams/to-text";

Deno.test("toText joins strings", async () => {
  assert.equal(await toText(ReadableStream.from(["a", "", "b"])), "ab");
});

Deno.test("toText decodes UTF-8 across chunk borders", async () => {
  const bytes = new TextEncoder().encode("\u65e5\u672c");
  const chunks = [...bytes].map((byte) => Uint8Array.of(byte));
  assert.equal(await toText(ReadableStream.from(chunks)), "\u65e5\u672c");
});

Deno.test("toText rejects with the stream's error", async () => {
  const stream = new ReadableStream({
    pull(controller) {
      controller.error(new RangeError("too large"));
    },
  });
  await assert.rejects(toText(stream), new RangeError("too large"));
});
