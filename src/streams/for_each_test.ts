import assert from "node:assert/strict";
import { forEach } from "./for_each.ts";

Deno.test("forEach calls the action with each value in order, one at a time", async () => {
  const seen: string[] = [];
  const stream = ReadableStream.from(["a", "b"]);
  await forEach(stream, async (value) => {
    seen.push(`${value} begins`);
    await Promise.resolve();
    seen.push(`${value} ends`);
  });
  assert.deepEqual(seen, ["a begins", "a ends", "b begins", "b ends"]);
  assert.equal(stream.locked, false);
});

Deno.test("forEach cancels the stream with the error of its action, and throws it", async () => {
  const failure = new Error("no");
  let cancelled: unknown;
  const stream = new ReadableStream<number>({
    pull: (controller) => controller.enqueue(1),
    cancel: (reason) => void (cancelled = reason),
  });
  await assert.rejects(forEach(stream, () => Promise.reject(failure)), failure);
  assert.equal(cancelled, failure);
  assert.equal(stream.locked, false);
});
