import assert from "node:assert/strict";
import { bytes, pattern, readAll, text } from "./_testing.ts";
import { memoryAccess, MemorySink, memorySource } from "./memory.ts";

Deno.test("memorySource gives text as UTF-8 in chunks of the size asked for", async () => {
  const sizes: number[] = [];
  let all = "";
  for await (const chunk of memorySource("h\u00e9llo", { chunkSize: 4 })) {
    sizes.push(chunk.length);
    all += String.fromCharCode(...chunk);
  }
  assert.deepEqual(sizes, [4, 2]);
  assert.equal(all, "h\u00c3\u00a9llo");
});

Deno.test("memorySource of nothing ends at once", async () => {
  assert.deepEqual(await memorySource("").next(), { done: true, value: undefined });
});

Deno.test("memorySource cuts at 64 KiB by default and does not copy", async () => {
  const data = pattern(65_537);
  const source = memorySource(data);
  const first = (await source.next()).value;
  assert.equal(first?.length, 65_536);
  assert.equal(first?.buffer, data.buffer);
  assert.equal((await source.next()).value?.length, 1);
});

Deno.test("memorySource refuses a chunk size below 1 or with a fraction", () => {
  for (const chunkSize of [0, -1, 1.5, NaN]) {
    assert.throws(() => memorySource("a", { chunkSize }), {
      name: "RangeError",
      message: `Cannot cut chunks of ${chunkSize} bytes: give a whole number above 0`,
    });
  }
});

Deno.test("memorySource has random access only if asked for", async () => {
  assert.equal(memorySource("abc").at, undefined);
  const at = memorySource("abcdef", { seekable: true }).at;
  assert.equal(at?.size, 6);
  const into = new Uint8Array(4);
  assert.equal(await at?.read(4, into), 2);
  assert.equal(text(into.subarray(0, 2)), "ef");
  assert.equal(await at?.read(6, into), 0);
  assert.equal(await memoryAccess(bytes("abc")).read(99, into), 0);
});

Deno.test("MemorySink keeps a copy of everything, in order", async () => {
  const sink = new MemorySink();
  const chunk = pattern(1000);
  const whole: number[] = [];
  for (let size = 0; size < 100; size++) {
    await sink.write(chunk.subarray(0, size));
    whole.push(...chunk.subarray(0, size));
  }
  chunk.fill(0);
  assert.deepEqual([...sink.bytes()], whole);
  assert.equal(sink.length, whole.length);
});

Deno.test("MemorySink.bytes stays as it is when more is written", async () => {
  const sink = new MemorySink();
  await sink.write(bytes("ab"));
  const before = sink.bytes();
  await sink.write(bytes("cd"));
  await sink.write(pattern(100_000));
  assert.equal(text(before), "ab");
  assert.equal(sink.bytes().length, 100_004);
});

Deno.test("MemorySink.text decodes UTF-8 with a byte order mark and invalid bytes in place", async () => {
  const sink = new MemorySink();
  await sink.write(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0xff));
  assert.equal(sink.text(), "\ufeffa\ufffd");
});

Deno.test("MemorySink refuses writes after close and keeps what it has", async () => {
  const sink = new MemorySink();
  await sink.write(bytes("a"));
  assert.equal(sink.closed, false);
  await sink.close();
  await sink.close();
  assert.equal(sink.closed, true);
  await assert.rejects(sink.write(bytes("b")), {
    name: "TypeError",
    message: "Cannot write: the sink is closed",
  });
  assert.equal(sink.text(), "a");
  const aborted = new MemorySink();
  await aborted.abort();
  assert.equal(aborted.closed, true);
  assert.equal((await readAll(memorySource(sink.bytes()))).length, 1);
});
