import assert from "node:assert/strict";
import { bytes, errorOf, isSettled, pattern, readAll, text, withSeed } from "./_testing.ts";
import { bufferedPipe } from "./buffered_pipe.ts";
import { LimitError } from "./limit.ts";
import { MemorySink } from "./memory.ts";
import { BrokenPipeError } from "./pipe.ts";

const done = { done: true, value: undefined };

Deno.test("bufferedPipe takes writes without a reader and gives them in order", async () => {
  const pipe = bufferedPipe();
  assert.deepEqual([pipe.available, pipe.capacity, pipe.closed], [0, 1_048_576, false]);
  const chunk = bytes("ab");
  await pipe.sink.write(chunk);
  chunk.fill(0);
  await pipe.sink.write(bytes("cd"));
  assert.equal(pipe.available, 4);
  await pipe.sink.close();
  assert.equal(pipe.closed, true);
  assert.equal(text(await readAll(pipe.source)), "abcd");
  assert.equal(pipe.available, 0);
});

Deno.test("bufferedPipe wakes a reader that waits, by a write or by the close", async () => {
  const { source, sink } = bufferedPipe();
  const first = source.next();
  assert.equal(await isSettled(first), false);
  await sink.write(new Uint8Array(0));
  assert.equal(await isSettled(first), false);
  await sink.write(bytes("a"));
  assert.equal(text((await first).value ?? bytes("")), "a");
  const second = source.next();
  await sink.close();
  assert.deepEqual(await second, done);
});

Deno.test("bufferedPipe's lent chunk stays while more is written", async () => {
  const { source, sink } = bufferedPipe(10);
  await sink.write(bytes("abcde"));
  const lent = (await source.next()).value ?? bytes("");
  await sink.write(bytes("0123456789"));
  assert.equal(text(lent), "abcde");
  const next = (await source.next()).value ?? bytes("");
  await sink.write(bytes("ABCDE"));
  assert.equal(text(next), "0123456789");
});

Deno.test("bufferedPipe refuses a write that does not fit, whole, and says what to do", async () => {
  const pipe = bufferedPipe(4);
  await pipe.sink.write(bytes("abc"));
  const error = await errorOf(pipe.sink.write(bytes("de")));
  assert.ok(error instanceof LimitError);
  assert.equal(error.max, 4);
  assert.equal(
    error.message,
    "Cannot write 2 bytes: 3 bytes wait and the pipe buffer is 4 bytes; read from the pipe first",
  );
  await pipe.sink.write(bytes("d"));
  assert.equal(pipe.available, 4);
  assert.equal(text((await pipe.source.next()).value ?? bytes("")), "abcd");
  await pipe.sink.write(bytes("efgh"));
  await pipe.sink.close();
  assert.equal(text(await readAll(pipe.source)), "efgh");
});

Deno.test("bufferedPipe's error names the limit it was given", async () => {
  const { sink } = bufferedPipe({ name: "PIPE_MAX", max: 1 });
  const error = await errorOf(sink.write(bytes("ab")));
  assert.ok(error instanceof LimitError);
  assert.equal(error.limit, "PIPE_MAX");
  assert.equal(
    error.message,
    "Cannot write 2 bytes: 0 bytes wait and PIPE_MAX is 1 bytes; read from the pipe first",
  );
  assert.throws(() => bufferedPipe(0), RangeError);
  assert.throws(() => bufferedPipe(NaN), RangeError);
});

Deno.test("bufferedPipe's writer gets EPIPE after the reader has left", async () => {
  const pipe = bufferedPipe();
  await pipe.sink.write(bytes("a"));
  await pipe.source.return();
  assert.equal(pipe.available, 0);
  await assert.rejects(pipe.sink.write(bytes("b")), BrokenPipeError);
  await pipe.sink.close();
});

Deno.test("bufferedPipe's reader that leaves while it waits gets the end", async () => {
  const pipe = bufferedPipe();
  const next = pipe.source.next();
  await pipe.source.return();
  assert.deepEqual(await next, done);
  assert.equal(pipe.starved, false);
});

Deno.test("bufferedPipe's abort gives the reader the reason and drops what waits", async () => {
  const { source, sink } = bufferedPipe();
  await sink.write(bytes("a"));
  await sink.abort("why");
  await sink.abort("again");
  assert.equal(await errorOf(source.next()), "why");
  assert.equal(await errorOf(sink.write(bytes("a"))), "why");

  const closed = bufferedPipe();
  await closed.sink.close();
  await closed.sink.abort("late");
  await assert.rejects(closed.sink.write(bytes("a")), TypeError);
  assert.deepEqual(await closed.source.next(), done);
});

Deno.test("bufferedPipe tells when its reader waits for bytes that only a write can bring", async () => {
  const pipe = bufferedPipe();
  await pipe.sink.write(bytes("a"));
  const starved = pipe.whenStarved();
  await pipe.source.next();
  assert.equal(await isSettled(starved), false);
  const next = pipe.source.next();
  await starved;
  await pipe.whenStarved();
  assert.equal(pipe.starved, true);
  await pipe.sink.write(bytes("b"));
  assert.equal(pipe.starved, false);
  assert.equal(await isSettled(pipe.whenStarved()), false);
  assert.equal(text((await next).value ?? bytes("")), "b");
  await pipe.sink.close();
  await pipe.source.next();
  assert.equal(pipe.starved, false);
});

Deno.test("bufferedPipe carries everything, however writes and reads alternate", () =>
  withSeed(async (random) => {
    for (let round = 0; round < 50; round++) {
      const pipe = bufferedPipe(256);
      const data = pattern(3000);
      const out = new MemorySink();
      let offset = 0;
      while (offset < data.length) {
        const size = Math.min(1 + random(200), data.length - offset);
        if (pipe.available + size > 256 || random(3) === 0) {
          if (pipe.available === 0) continue;
          await out.write((await pipe.source.next()).value ?? bytes(""));
        } else {
          await pipe.sink.write(data.subarray(offset, offset += size));
        }
      }
      await pipe.sink.close();
      for await (const chunk of pipe.source) await out.write(chunk);
      assert.deepEqual(out.bytes(), data);
    }
  }));
