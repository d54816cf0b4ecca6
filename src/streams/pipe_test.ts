import assert from "node:assert/strict";
import { bytes, errorOf, isSettled, pattern, readAll, text, withSeed } from "./_testing.ts";
import { drain } from "./drain.ts";
import { MemorySink, memorySource } from "./memory.ts";
import { BrokenPipeError, pipe } from "./pipe.ts";
import { PoisonSource } from "../testing/poison_source.ts";

const done = { done: true, value: undefined };
const closedError = { name: "TypeError", message: "Cannot write: the pipe is closed" };

Deno.test("pipe lends the writer's chunk itself, until the reader asks for more", async () => {
  const { source, sink } = pipe();
  const chunk = bytes("ab");
  const written = sink.write(chunk);
  assert.equal(await isSettled(written), false);
  const first = await source.next();
  assert.equal(first.value, chunk);
  assert.equal(await isSettled(written), false);
  const next = source.next();
  await written;
  assert.equal(await isSettled(next), false);
  await sink.close();
  assert.deepEqual(await next, done);
});

Deno.test("pipe wakes a reader that waits", async () => {
  const { source, sink } = pipe();
  const next = source.next();
  const written = sink.write(bytes("ab"));
  assert.equal(text((await next).value ?? bytes("")), "ab");
  await source.return();
  await written;
});

Deno.test("pipe carries lent chunks unharmed, in any chunking", () =>
  withSeed(async (random) => {
    const data = pattern(2000);
    const sizes = function* () {
      for (;;) yield 1 + random(300);
    };
    for (const size of [1, 9, 5000, sizes, sizes]) {
      const { source, sink } = pipe();
      const out = new MemorySink();
      const filled = drain(new PoisonSource(data, size), sink).then(() => sink.close());
      await Promise.all([filled, drain(source, out)]);
      assert.deepEqual(out.bytes(), data);
    }
  }));

Deno.test("pipe takes concurrent writes, each whole and in the order of the calls", async () => {
  const { source, sink } = pipe();
  const writes = ["aa", "bb", "cc"].map((word) => sink.write(bytes(word)));
  const closed = sink.close();
  const seen: string[] = [];
  for await (const chunk of source) seen.push(text(chunk));
  await Promise.all([...writes, closed]);
  assert.deepEqual(seen, ["aa", "bb", "cc"]);
});

Deno.test("pipe's close gives the reader what was written, then the end", async () => {
  const { source, sink } = pipe();
  const written = sink.write(bytes("a"));
  const closed = sink.close();
  await assert.rejects(sink.write(bytes("b")), closedError);
  assert.equal(await isSettled(closed), false);
  assert.equal(text(await readAll(source)), "a");
  await Promise.all([written, closed, sink.close()]);
  assert.deepEqual(await source.next(), done);
});

Deno.test("pipe's close with nothing to deliver does not wait for a reader", async () => {
  const { source, sink } = pipe();
  await sink.close();
  await sink.close();
  assert.deepEqual(await source.next(), done);
});

Deno.test("pipe's writer gets EPIPE after the reader has left", async () => {
  const { source, sink } = pipe();
  const waiting = [sink.write(bytes("a")), sink.write(bytes("b"))];
  await source.return();
  for (const write of waiting) {
    const error = await errorOf(write);
    assert.ok(error instanceof BrokenPipeError);
    assert.equal(error.code, "EPIPE");
    assert.equal(error.name, "BrokenPipeError");
    assert.equal(error.message, "Cannot write: the pipe's reader has left");
  }
  await assert.rejects(sink.write(bytes("c")), BrokenPipeError);
  await sink.close();
});

Deno.test("pipe's reader that leaves with a chunk in hand has received it", async () => {
  const { source, sink } = pipe();
  const writes = [sink.write(bytes("a")), sink.write(bytes("b"))];
  for await (const chunk of source) {
    assert.equal(text(chunk), "a");
    break;
  }
  await writes[0];
  await assert.rejects(writes[1] ?? Promise.resolve(), BrokenPipeError);
});

Deno.test("pipe's reader that leaves while it waits gets the end", async () => {
  const { source, sink } = pipe();
  const next = source.next();
  await source.return();
  assert.deepEqual(await next, done);
  await assert.rejects(sink.write(bytes("a")), BrokenPipeError);
});

Deno.test("pipe's reader that leaves frees a close that waits", async () => {
  const { source, sink } = pipe();
  const written = errorOf(sink.write(bytes("a")));
  const closed = sink.close();
  await source.return();
  await closed;
  assert.ok(await written instanceof BrokenPipeError);
});

Deno.test("pipe's abort gives the reader the reason, waiting or later, and all writers", async () => {
  const reason = new Error("why");
  const waiting = pipe();
  const next = errorOf(waiting.source.next());
  await waiting.sink.abort(reason);
  assert.equal(await next, reason);
  assert.equal(await errorOf(waiting.sink.write(bytes("a"))), reason);

  const later = pipe();
  const writes = [later.sink.write(bytes("a")), later.sink.write(bytes("b"))].map(errorOf);
  await later.sink.abort(reason);
  assert.deepEqual(await Promise.all(writes), [reason, reason]);
  assert.equal(await errorOf(later.source.next()), reason);
  assert.deepEqual(await later.source.next(), done);
});

Deno.test("pipe's abort leaves a chunk that the reader holds to the reader", async () => {
  const { source, sink } = pipe();
  const held = sink.write(bytes("a"));
  await source.next();
  await sink.abort(new Error("why"));
  assert.equal(await isSettled(held), false);
  const next = errorOf(source.next());
  await held;
  assert.deepEqual(await next, new Error("why"));
});

Deno.test("pipe's first error wins", async () => {
  const first = pipe();
  await first.sink.abort(new Error("one"));
  await first.sink.abort(new Error("two"));
  await first.sink.close();
  assert.deepEqual(await errorOf(first.source.next()), new Error("one"));

  const closed = pipe();
  await closed.sink.close();
  await closed.sink.abort(new Error("late"));
  assert.deepEqual(await closed.source.next(), done);

  const left = pipe();
  await left.source.return();
  await left.sink.abort(new Error("late"));
  await assert.rejects(left.sink.write(bytes("a")), BrokenPipeError);
});

Deno.test("pipe's abort ends a close that waits: with the reason if bytes are lost", async () => {
  const lost = pipe();
  const outcome = Promise.all([
    errorOf(lost.sink.write(bytes("a"))),
    errorOf(lost.sink.close()),
  ]);
  await lost.sink.abort("why");
  assert.deepEqual(await outcome, ["why", "why"]);
  assert.equal(await errorOf(lost.source.next()), "why");

  const held = pipe();
  const written = held.sink.write(bytes("a"));
  await held.source.next();
  const closed = held.sink.close();
  await held.sink.abort("why");
  await closed;
  assert.deepEqual(await held.source.next(), done);
  await written;
});

Deno.test("pipe's abort without a reason is an AbortError", async () => {
  const { source, sink } = pipe();
  await sink.abort();
  await assert.rejects(source.next(), { name: "AbortError", message: "The pipe was aborted" });
});

Deno.test("pipe takes empty writes without the reader", async () => {
  const { source, sink } = pipe();
  await sink.write(new Uint8Array(0));
  await source.return();
  await assert.rejects(sink.write(new Uint8Array(0)), BrokenPipeError);
});

Deno.test("pipe leaves no call pending, whatever its ends do and in what order", () =>
  withSeed(async (random) => {
    for (let round = 0; round < 100; round++) {
      const { source, sink } = pipe();
      const calls: Promise<unknown>[] = [];
      let reading = false;
      let received = 0;
      let written = 0;
      for (let step = 0; step < 12; step++) {
        switch (random(8)) {
          case 0:
          case 1:
          case 2:
            calls.push(sink.write(bytes("x")).then(() => written++, () => {}));
            break;
          case 3:
          case 4:
          case 5:
            if (reading) break;
            reading = true;
            calls.push(
              source.next().then(({ value }) => received += value?.length ?? 0, () => {})
                .finally(() => reading = false),
            );
            break;
          case 6:
            if (random(6) === 0) calls.push(sink.close().catch(() => {}));
            break;
          case 7:
            if (random(6) === 0) calls.push(sink.abort("why"));
            break;
        }
        if (random(3) === 0) await new Promise<void>((resolve) => setTimeout(resolve, 0));
      }
      await new Promise<void>((resolve) => setTimeout(resolve, 0));
      await source.return();
      await sink.close().catch(() => {});
      await Promise.all(calls);
      assert.equal(received, written);
    }
  }));

Deno.test("pipe between two drains stops both when one side is aborted", async () => {
  const { source, sink } = pipe();
  const abort = new AbortController();
  const out = { write: () => new Promise<void>(() => {}), close: () => Promise.resolve() };
  const reading = errorOf(drain(source, out, abort.signal));
  const writing = errorOf(drain(memorySource("abcdef", { chunkSize: 1 }), sink));
  await new Promise((resolve) => setTimeout(resolve, 0));
  abort.abort("stop");
  assert.equal(await reading, "stop");
  assert.ok(await writing instanceof BrokenPipeError);
});
