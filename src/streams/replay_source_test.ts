import assert from "node:assert/strict";
import {
  bytes,
  errorOf,
  isSettled,
  pattern,
  readAll,
  ScriptedSource,
  text,
  withSeed,
} from "./_testing.ts";
import { bufferedPipe } from "./buffered_pipe.ts";
import { memorySource } from "./memory.ts";
import { PoisonSource } from "../testing/poison_source.ts";
import { ReplaySource, ReplayWindowError } from "./replay_source.ts";
import type { Chunk } from "./source.ts";

async function readText(source: ReplaySource, offset: number, max: number): Promise<string> {
  return text((await source.readAt(offset, max)).bytes);
}

Deno.test("ReplaySource.readAt reads on, across chunks, and says when the stream ended", async () => {
  const source = new ReplaySource(new PoisonSource("abcdefgh", [3, 1]));
  assert.deepEqual(await source.readAt(0, 2), { bytes: bytes("ab"), eof: false });
  assert.equal(source.offset, 2);
  assert.equal(await readText(source, 2, 4), "cdef");
  assert.deepEqual(await source.readAt(6, 100), { bytes: bytes("gh"), eof: true });
  assert.deepEqual(await source.readAt(8, 1), { bytes: bytes(""), eof: true });
  assert.deepEqual([source.windowStart, source.offset], [0, 8]);
});

Deno.test("ReplaySource.readAt pulls no more than it needs", async () => {
  const inner = new ScriptedSource(["abcd", "efgh", "ijkl"]);
  const source = new ReplaySource(inner);
  assert.equal(inner.pulls, 0);
  await source.readAt(0, 3);
  await source.readAt(3, 1);
  assert.equal(inner.pulls, 1);
  await source.readAt(4, 1);
  assert.equal(inner.pulls, 2);
  await source.return();
});

Deno.test("ReplaySource.readAt knows the end only when it has seen it", async () => {
  const source = new ReplaySource(memorySource("abc"));
  assert.equal((await source.readAt(0, 3)).eof, false);
  assert.deepEqual(await source.readAt(3, 1), { bytes: bytes(""), eof: true });
  assert.equal((await source.readAt(0, 3)).eof, true);
  assert.equal((await source.readAt(0, 2)).eof, false);
});

Deno.test("ReplaySource.readAt goes back within the window, and across its end", async () => {
  const source = new ReplaySource(new PoisonSource("abcdefgh", 3), { window: 4 });
  await source.readAt(0, 6);
  assert.deepEqual([source.windowStart, source.offset], [2, 6]);
  assert.equal(await readText(source, 2, 2), "cd");
  assert.equal(await readText(source, 4, 100), "efgh");
  assert.deepEqual([source.windowStart, source.offset], [4, 8]);
});

Deno.test("ReplaySource.readAt before the window names the first byte available", async () => {
  const source = new ReplaySource(memorySource("abcdefgh"), { window: 4 });
  await source.readAt(0, 6);
  const error = await errorOf(source.readAt(1, 1));
  assert.ok(error instanceof ReplayWindowError);
  assert.deepEqual([error.offset, error.windowStart], [1, 2]);
  assert.equal(
    error.message,
    "Cannot read from offset 1: a stream is read once, and the first byte still available is " +
      "at offset 2",
  );
  assert.equal(await readText(source, 2, 1), "c");
});

Deno.test("ReplaySource.readAt goes forward, through the window", async () => {
  const source = new ReplaySource(new PoisonSource("abcdefghij", 3), { window: 4 });
  assert.equal(await readText(source, 7, 2), "hi");
  assert.equal(source.windowStart, 5);
  assert.equal(await readText(source, 5, 4), "fghi");
  assert.deepEqual(await source.readAt(100, 1), { bytes: bytes(""), eof: true });
  assert.equal(source.offset, 10);
});

Deno.test("ReplaySource.readAt may read more than the window holds", async () => {
  const data = pattern(1000);
  const source = new ReplaySource(new PoisonSource(data, 7), { window: 10 });
  assert.deepEqual((await source.readAt(100, 800)).bytes, data.subarray(100, 900));
  assert.equal(source.windowStart, 890);
});

Deno.test("ReplaySource with no window only goes forward", async () => {
  const source = new ReplaySource(memorySource("abc"), { window: 0 });
  assert.equal(await readText(source, 0, 2), "ab");
  await assert.rejects(source.readAt(0, 1), ReplayWindowError);
  assert.equal(await readText(source, 2, 2), "c");
  assert.throws(() => new ReplaySource(memorySource(""), { window: -1 }), RangeError);
});

Deno.test("ReplaySource.readAt agrees with the bytes, for any reads and chunks", () =>
  withSeed(async (random) => {
    for (let round = 0; round < 60; round++) {
      const data = pattern(1 + random(2000));
      const window = random(200);
      const sizes = function* () {
        for (;;) yield 1 + random(300);
      };
      const source = new ReplaySource(new PoisonSource(data, sizes), { window });
      let end = 0;
      for (let read = 0; read < 40; read++) {
        const offset = Math.max(0, end - random(250) + random(150));
        const max = 1 + random(150);
        if (offset < Math.max(0, end - window)) {
          await assert.rejects(source.readAt(offset, max), ReplayWindowError);
          continue;
        }
        const result = await source.readAt(offset, max);
        assert.deepEqual(result.bytes, data.slice(offset, offset + max));
        if (result.bytes.length < max) assert.equal(result.eof, true);
        end = Math.min(data.length, Math.max(end, offset + max));
        assert.equal(source.offset, end);
        assert.equal(source.windowStart, Math.max(0, end - window));
        if (random(30) > 0) continue;
        const from = source.windowStart + random(end - source.windowStart + 1);
        assert.deepEqual(await readAll(source.takeOver(from)), data.subarray(from));
        break;
      }
      await source.return();
    }
  }));

Deno.test("ReplaySource.readAt refuses sizes and offsets that make no sense", async () => {
  const source = new ReplaySource(memorySource("abc"));
  await assert.rejects(source.readAt(-1, 1), {
    name: "RangeError",
    message: "Cannot read at offset -1: give a whole number of at least 0",
  });
  await assert.rejects(source.readAt(0, 0), {
    name: "RangeError",
    message: "Cannot read 0 bytes: give a whole number of at least 1",
  });
  await assert.rejects(source.readAt(0.5, 1), RangeError);
  await assert.rejects(source.readAt(NaN, 1), RangeError);
});

Deno.test("ReplaySource.readAt gives what came before an error of the stream, then the error", async () => {
  const source = new ReplaySource(new ScriptedSource(["abc", new Error("read")]));
  assert.deepEqual(await source.readAt(0, 10), { bytes: bytes("abc"), eof: false });
  assert.deepEqual(await errorOf(source.readAt(3, 10)), new Error("read"));
  assert.equal(await readText(source, 1, 2), "bc");
  assert.deepEqual(await errorOf(readAll(source.takeOver(3))), new Error("read"));
});

Deno.test("ReplaySource.readAt stops at its signal, and the stream loses nothing", async () => {
  const pipe = bufferedPipe();
  const source = new ReplaySource(pipe.source);
  await pipe.sink.write(bytes("ab"));
  const abort = new AbortController();
  const stopped = errorOf(source.readAt(0, 10, { signal: abort.signal }));
  await new Promise((resolve) => setTimeout(resolve, 0));
  abort.abort("stop");
  assert.equal(await stopped, "stop");
  await pipe.sink.write(bytes("cd"));
  await pipe.sink.close();
  assert.deepEqual(await source.readAt(0, 10), { bytes: bytes("abcd"), eof: true });
  assert.equal(await errorOf(source.readAt(0, 1, { signal: AbortSignal.abort("no") })), "no");
});

Deno.test("ReplaySource.readAt with until answers with what is there", async () => {
  const pipe = bufferedPipe();
  const source = new ReplaySource(pipe.source);
  const until = (): { until: Promise<void> } => ({ until: pipe.whenStarved() });
  assert.deepEqual(await source.readAt(0, 10, until()), { bytes: bytes(""), eof: false });
  await pipe.sink.write(bytes("abc"));
  await pipe.sink.write(bytes("de"));
  assert.deepEqual(await source.readAt(0, 2, until()), { bytes: bytes("ab"), eof: false });
  assert.deepEqual(await source.readAt(2, 10, until()), { bytes: bytes("cde"), eof: false });
  await pipe.sink.write(bytes("f"));
  await pipe.sink.close();
  assert.deepEqual(await source.readAt(5, 10, until()), { bytes: bytes("f"), eof: true });
});

Deno.test("ReplaySource refuses a read while another is pending", async () => {
  const pipe = bufferedPipe();
  const source = new ReplaySource(pipe.source);
  const read = source.readAt(0, 1);
  const message = "Cannot read: another read is pending";
  await assert.rejects(source.readAt(0, 1), { name: "TypeError", message });
  assert.throws(() => source.takeOver(), { name: "TypeError", message });
  await pipe.sink.write(bytes("a"));
  assert.equal((await read).bytes.length, 1);
});

Deno.test("ReplaySource is a source of its own, from its offset on", async () => {
  const source = new ReplaySource(new PoisonSource("abcdef", [4, 2]), { window: 3 });
  await source.readAt(0, 2);
  const { value } = await source.next();
  assert.equal(text(value ?? bytes("")), "cd");
  assert.equal(source.windowStart, 1);
  assert.equal(await readText(source, 1, 3), "bcd");
  assert.equal(text(await readAll(source)), "ef");
});

Deno.test("ReplaySource.takeOver of an unread stream passes its chunks on uncopied", async () => {
  const chunk = bytes("abc");
  const source = new ReplaySource(memorySource(chunk));
  const taken = source.takeOver();
  assert.equal(source.taken, true);
  assert.equal((await taken.next()).value?.buffer, chunk.buffer);
  await taken.return();
});

Deno.test("ReplaySource.takeOver replays the window, then the rest, in any chunking", async () => {
  const data = pattern(300);
  for (const sizes of [1, 7, 100, 1000]) {
    for (const read of [1, 50, 299, 300, 301]) {
      const source = new ReplaySource(new PoisonSource(data, sizes));
      await source.readAt(0, read);
      assert.deepEqual(await readAll(source.takeOver(0)), data);
    }
  }
});

Deno.test("ReplaySource.takeOver takes a pull that a stopped read left behind", async () => {
  const pipe = bufferedPipe();
  const source = new ReplaySource(pipe.source);
  await pipe.sink.write(bytes("ab"));
  await source.readAt(0, 10, { until: pipe.whenStarved() });
  const all = readAll(source.takeOver(0));
  await pipe.sink.write(bytes("cd"));
  await pipe.sink.close();
  assert.equal(text(await all), "abcd");
});

Deno.test("ReplaySource.takeOver fails outside the window and leaves the stream as it was", async () => {
  const source = new ReplaySource(memorySource("abcdefgh"), { window: 4 });
  await source.readAt(0, 6);
  assert.throws(() => source.takeOver(), ReplayWindowError);
  assert.throws(() => source.takeOver(7), {
    name: "RangeError",
    message: "Cannot take the stream over at offset 7: it was read up to offset 6 only",
  });
  assert.equal(source.taken, false);
  assert.equal(text(await readAll(source.takeOver(2))), "cdefgh");
});

Deno.test("ReplaySource that was taken over refuses to read, and leaves closing to the taker", async () => {
  const inner = new ScriptedSource(["abc", "def"]);
  const source = new ReplaySource(inner);
  const taken = source.takeOver();
  const message = "Cannot read: the stream was handed on";
  await assert.rejects(source.readAt(0, 1), { name: "TypeError", message });
  assert.throws(() => source.takeOver(), { name: "TypeError", message });
  await source.return();
  assert.equal(inner.releases, 0);
  assert.equal(text((await taken.next()).value ?? bytes("")), "abc");
  await taken.return();
  assert.equal(inner.releases, 1);
});

Deno.test("ReplaySource closes its stream, also during a stuck read, and refuses to go on", async () => {
  const inner = new ScriptedSource(["a", "stuck"]);
  const source = new ReplaySource(inner);
  const read = source.readAt(0, 10);
  assert.equal(await isSettled(read), false);
  await source.return();
  assert.equal(inner.releases, 1);
  assert.deepEqual(await read, { bytes: bytes("a"), eof: false });
  await assert.rejects(source.readAt(0, 1), {
    name: "TypeError",
    message: "Cannot read: the stream is closed",
  });
  assert.throws(() => source.takeOver(), TypeError);
  assert.deepEqual(await source.next(), { done: true, value: undefined });
});

Deno.test("ReplaySource taken over can be closed during a stuck pull", async () => {
  const inner = new ScriptedSource(["a", "stuck"]);
  const source = new ReplaySource(inner);
  await source.readAt(0, 1);
  const taken = source.takeOver();
  const seen: Chunk[] = [(await taken.next()).value?.slice() ?? bytes("")];
  const pending = taken.next();
  assert.equal(await isSettled(pending), false);
  await taken.return();
  assert.deepEqual(await pending, { done: true, value: undefined });
  assert.deepEqual(seen, [bytes("a")]);
  assert.equal(inner.releases, 1);
});
