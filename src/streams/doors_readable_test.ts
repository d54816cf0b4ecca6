import assert from "node:assert/strict";
import { bytes, errorOf, pattern, readAll, ScriptedSource, text } from "./_testing.ts";
import { fromReadable, toReadable } from "./doors.ts";
import { PoisonSource } from "../testing/poison_source.ts";

function stuck(): Promise<never> {
  return new Promise(() => {});
}

Deno.test("toReadable copies lent chunks, in any chunking", async () => {
  const data = pattern(500);
  for (const sizes of [1, 7, [1, 20], 1000]) {
    const kept: Uint8Array[] = [];
    for await (const chunk of toReadable(new PoisonSource(data, sizes))) kept.push(chunk);
    assert.deepEqual(Uint8Array.from(kept.flatMap((chunk) => [...chunk])), data);
  }
});

Deno.test("toReadable pulls nothing before it is read", async () => {
  const source = new ScriptedSource(["a", "b", "c"]);
  const reader = toReadable(source).getReader();
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.equal(source.pulls, 0);
  await reader.read();
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.equal(source.pulls, 1);
  await reader.cancel();
});

Deno.test("toReadable closes its source on cancel, also during a stuck pull", async () => {
  const source = new ScriptedSource(["a", "stuck"]);
  const reader = toReadable(source).getReader();
  await reader.read();
  const pending = reader.read();
  await reader.cancel("enough");
  assert.deepEqual(await pending, { done: true, value: undefined });
  assert.equal(source.releases, 1);
});

Deno.test("toReadable passes an error of its source on", async () => {
  const source = new ScriptedSource(["a", new Error("read")]);
  const reader = toReadable(source).getReader();
  assert.equal(text((await reader.read()).value ?? bytes("")), "a");
  assert.deepEqual(await errorOf(reader.read()), new Error("read"));
  assert.equal(source.releases, 1);
});

Deno.test("toReadable reports an error of closing from cancel", async () => {
  const source = new ScriptedSource(["a"], new Error("release"));
  assert.deepEqual(await errorOf(toReadable(source).cancel()), new Error("release"));
});

Deno.test("toReadable left by break closes its source", async () => {
  const source = new ScriptedSource(["a", "b", "c"]);
  for await (const _ of toReadable(source)) break;
  assert.deepEqual([source.pulls, source.releases], [1, 1]);
});

Deno.test("fromReadable gives a stream's bytes and unlocks it at the end", async () => {
  const stream = new Blob(["hello ", "world"]).stream();
  assert.equal(text(await readAll(fromReadable(stream))), "hello world");
  assert.equal(stream.locked, false);
});

Deno.test("fromReadable locks its stream and refuses a locked one", async () => {
  const stream = new ReadableStream<Uint8Array>();
  const source = fromReadable(stream);
  assert.equal(stream.locked, true);
  assert.throws(() => fromReadable(stream), TypeError);
  await source.return();
  assert.equal(stream.locked, false);
});

Deno.test("fromReadable cancels its stream on return, also during a stuck read", async () => {
  for (const read of [false, true]) {
    let cancelled = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull: stuck,
      cancel: () => void cancelled++,
    });
    const source = fromReadable(stream);
    const pending = read ? source.next() : undefined;
    assert.deepEqual(await source.return(), { done: true, value: undefined });
    assert.deepEqual(await pending, read ? { done: true, value: undefined } : undefined);
    await source.return();
    assert.deepEqual([cancelled, stream.locked], [1, false]);
  }
});

Deno.test("fromReadable passes an error of its stream on, once, and unlocks it", async () => {
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(bytes("a")),
    pull: (controller) => controller.error(new Error("read")),
  }, { highWaterMark: 0 });
  const source = fromReadable(stream);
  assert.equal((await source.next()).done, false);
  assert.deepEqual(await errorOf(source.next()), new Error("read"));
  assert.deepEqual(await source.return(), { done: true, value: undefined });
  assert.equal(stream.locked, false);
});

Deno.test("fromReadable reports an error of cancelling from return", async () => {
  const stream = new ReadableStream<Uint8Array>({
    cancel: () => Promise.reject(new Error("cancel")),
  });
  const source = fromReadable(stream);
  assert.deepEqual(await errorOf(source.return()), new Error("cancel"));
  assert.equal(stream.locked, false);
});

Deno.test("fromReadable refuses chunks that are not bytes, and cancels", async () => {
  let cancelled = 0;
  const stream = new ReadableStream<unknown>({
    start: (controller) => controller.enqueue("text"),
    cancel: () => void cancelled++,
  });
  await assert.rejects(fromReadable(stream as ReadableStream<Uint8Array>).next(), {
    name: "TypeError",
    message: "Expected Uint8Array chunks, got a string: pipe it through a TextEncoderStream",
  });
  assert.deepEqual([cancelled, stream.locked], [1, false]);
});

Deno.test("doors in a row keep back-pressure: nothing is read ahead", async () => {
  const source = new ScriptedSource(Array.from({ length: 100 }, () => "x"));
  const through = fromReadable(toReadable(fromReadable(toReadable(source))));
  for (let i = 0; i < 5; i++) await through.next();
  assert.equal(source.pulls, 5);
  await through.return();
  assert.equal(source.releases, 1);
});
