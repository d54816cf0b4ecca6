import assert from "node:assert/strict";
import { bytes, errorOf, isSettled, pattern, ScriptedSource, text } from "./_testing.ts";
import { fromWritable, toReadable, toWritable } from "./doors.ts";
import { drain } from "./drain.ts";
import { MemorySink, memorySource } from "./memory.ts";
import { PoisonSource } from "../testing/poison_source.ts";
import type { ByteSink } from "./source.ts";

function stuck(): Promise<never> {
  return new Promise(() => {});
}

Deno.test("toWritable passes chunks and the close on, and waits for each write", async () => {
  const sink = new MemorySink();
  await new Blob(["a", "bc"]).stream().pipeTo(toWritable(sink));
  assert.deepEqual([sink.text(), sink.closed], ["abc", true]);

  let finish = (): void => {};
  const slow: ByteSink = {
    write: () => new Promise((resolve) => finish = resolve),
    close: () => Promise.resolve(),
  };
  const writer = toWritable(slow).getWriter();
  const written = writer.write(bytes("a"));
  assert.equal(await isSettled(written), false);
  assert.equal(writer.desiredSize, 0);
  finish();
  await written;
  await writer.close();
});

Deno.test("toWritable reaches its sink with an abort during a stuck write or close", async () => {
  for (const where of ["write", "close"] as const) {
    const log: unknown[] = [];
    const sink: ByteSink = {
      write: () => where === "write" ? stuck() : Promise.resolve(),
      close: stuck,
      abort: (reason) => Promise.resolve(void log.push(reason)),
    };
    const writer = toWritable(sink).getWriter();
    writer.closed.catch(() => {});
    const pending = where === "write" ? writer.write(bytes("a")) : writer.close();
    const failed = errorOf(pending);
    await new Promise((resolve) => setTimeout(resolve, 0));
    await writer.abort("stop").catch(() => {});
    assert.equal(await failed, "stop");
    assert.deepEqual(log, ["stop"]);
  }
});

Deno.test("toWritable aborts its sink when a write fails, because nobody else will", async () => {
  const log: unknown[] = [];
  const error = new Error("write");
  const sink: ByteSink = {
    write: () => Promise.reject(error),
    close: () => Promise.resolve(void log.push("close")),
    abort: (reason) => Promise.resolve(void log.push(reason)),
  };
  const writer = toWritable(sink).getWriter();
  writer.closed.catch(() => {});
  assert.equal(await errorOf(writer.write(bytes("a"))), error);
  assert.equal(await errorOf(writer.closed), error);
  assert.deepEqual(log, [error]);
});

Deno.test("toWritable of a sink without abort closes it", async () => {
  let closed = 0;
  const sink: ByteSink = {
    write: () => Promise.resolve(),
    close: () => Promise.resolve(void closed++),
  };
  await toWritable(sink).abort("stop");
  assert.equal(closed, 1);
});

Deno.test("toWritable refuses chunks that are not bytes", async () => {
  const writer = toWritable(new MemorySink()).getWriter() as WritableStreamDefaultWriter<unknown>;
  writer.closed.catch(() => {});
  await assert.rejects(writer.write(7), {
    name: "TypeError",
    message: "Expected Uint8Array chunks, got a number",
  });
});

Deno.test("fromWritable copies lent chunks, also into an identity transform", async () => {
  const data = pattern(300);
  for (const sizes of [1, 7, 1000]) {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const kept: Uint8Array[] = [];
    const sink = fromWritable(writable);
    const drained = drain(new PoisonSource(data, sizes), sink).then(() => sink.close());
    for await (const chunk of readable) kept.push(chunk);
    await drained;
    assert.deepEqual(Uint8Array.from(kept.flatMap((chunk) => [...chunk])), data);
    assert.equal(writable.locked, false);
  }
});

Deno.test("fromWritable's write waits until the stream has taken it, at any high-water mark", async () => {
  for (const highWaterMark of [0, 1, 16]) {
    let finish = (): void => {};
    const stream = new WritableStream<Uint8Array>({
      write: () => new Promise<void>((resolve) => finish = resolve),
    }, { highWaterMark });
    const sink = fromWritable(stream);
    const written = sink.write(bytes("a"));
    assert.equal(await isSettled(written), false);
    finish();
    await written;
    await sink.close();
  }
});

Deno.test("fromWritable with preventClose and preventAbort leaves the stream open and unlocked", async () => {
  const log: string[] = [];
  const stream = new WritableStream<Uint8Array>({
    write: (chunk) => void log.push(text(chunk)),
    close: () => void log.push("close"),
    abort: () => void log.push("abort"),
  });
  const options = { preventClose: true, preventAbort: true };
  const first = fromWritable(stream, options);
  await first.write(bytes("a"));
  await first.close();
  const second = fromWritable(stream, options);
  await second.write(bytes("b"));
  await second.abort?.("why");
  assert.equal(stream.locked, false);
  await stream.close();
  assert.deepEqual(log, ["a", "b", "close"]);
});

Deno.test("fromWritable's stuck write is given up by drain's signal, then by abort", async () => {
  const log: unknown[] = [];
  const stream = new WritableStream<Uint8Array>({
    write: (_, controller) =>
      new Promise((_, reject) =>
        controller.signal.addEventListener("abort", () => reject(controller.signal.reason))
      ),
    abort: (reason) => void log.push(reason),
  });
  const sink = fromWritable(stream);
  const source = new ScriptedSource(["a", "b"]);
  const abort = new AbortController();
  const drained = drain(source, sink, abort.signal);
  assert.equal(await isSettled(drained), false);
  abort.abort("stop");
  assert.equal(await errorOf(drained), "stop");
  await sink.abort?.("stop");
  assert.deepEqual(log, ["stop"]);
  assert.deepEqual([source.releases, stream.locked], [1, false]);
});

Deno.test("fromWritable reports a failing stream from write, and leaves no unhandled rejection", async () => {
  const stream = new WritableStream<Uint8Array>({
    write: () => Promise.reject(new Error("write")),
  });
  const sink = fromWritable(stream);
  assert.deepEqual(await errorOf(sink.write(bytes("a"))), new Error("write"));
  assert.deepEqual(await errorOf(sink.write(bytes("b"))), new Error("write"));
  assert.deepEqual(await errorOf(sink.close()), new Error("write"));
  assert.equal(stream.locked, false);

  // A stream that fails while nobody writes.
  let fail = (_: Error): void => {};
  const idle = new WritableStream<Uint8Array>({
    start: (controller) => void (fail = (error) => controller.error(error)),
  });
  const idleSink = fromWritable(idle);
  fail(new Error("gone"));
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.deepEqual(await errorOf(idleSink.write(bytes("a"))), new Error("gone"));
  await idleSink.abort?.();
});

Deno.test("fromWritable refuses a write after close, and closes once", async () => {
  let closed = 0;
  const sink = fromWritable(new WritableStream({ close: () => void closed++ }));
  await Promise.all([sink.close(), sink.close(), sink.abort?.()]);
  assert.equal(closed, 1);
  await assert.rejects(sink.write(bytes("a")), {
    name: "TypeError",
    message: "Cannot write: the sink is closed",
  });
});

Deno.test("toReadable and toWritable work with pipeThrough and pipeTo", async () => {
  const sink = new MemorySink();
  await toReadable(memorySource("some text ".repeat(1000), { chunkSize: 100 }))
    .pipeThrough(new CompressionStream("gzip"))
    .pipeThrough(new DecompressionStream("gzip"))
    .pipeTo(toWritable(sink));
  assert.equal(sink.text(), "some text ".repeat(1000));
});
