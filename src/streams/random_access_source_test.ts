import assert from "node:assert/strict";
import { pattern, readAll } from "./_testing.ts";
import { drain } from "./drain.ts";
import { memoryAccess, MemorySink } from "./memory.ts";
import { randomAccessSource } from "./random_access_source.ts";
import type { RandomAccess } from "./source.ts";

const KIB = 1024;

Deno.test("randomAccessSource reads grow from 64 KiB to 1 MiB into two buffers", async () => {
  const data = pattern(4 * 1024 * KIB);
  const sizes: number[] = [];
  const buffers = new Set<ArrayBuffer>();
  let offset = 0;
  for await (const chunk of randomAccessSource(memoryAccess(data))) {
    sizes.push(chunk.length / KIB);
    buffers.add(chunk.buffer);
    assert.equal(chunk[0], data[offset]);
    offset += chunk.length;
    assert.equal(chunk.at(-1), data[offset - 1]);
  }
  assert.deepEqual(sizes, [64, 256, 1024, 1024, 1024, 704]);
  // Two of 1 MiB, and the smaller ones before them.
  assert.equal(buffers.size, 4);
});

Deno.test("randomAccessSource does not grow its reads while they come back short", async () => {
  const data = pattern(200 * KIB);
  const inner = memoryAccess(data);
  const asked: number[] = [];
  const at: RandomAccess = {
    size: data.length,
    read(offset, into) {
      asked.push(into.length / KIB);
      return inner.read(offset, into.subarray(0, 50 * KIB));
    },
  };
  assert.deepEqual(await readAll(randomAccessSource(at)), data);
  assert.deepEqual(asked, [64, 64, 64, 64, 64]);
});

Deno.test("randomAccessSource goes on to where read answers 0, past the size when opened", async () => {
  const data = pattern(100);
  const at: RandomAccess = { ...memoryAccess(data), size: 10 };
  assert.deepEqual(await readAll(randomAccessSource(at, { offset: 90 })), data.subarray(90));
  assert.equal((await readAll(randomAccessSource(at, { offset: 1000 }))).length, 0);
});

Deno.test("randomAccessSource: several over one file are independent", async () => {
  const data = pattern(300 * KIB);
  const at = memoryAccess(data);
  const first = randomAccessSource(at);
  const second = randomAccessSource(at, { offset: 100 * KIB });
  const found: Uint8Array[] = [];
  const others: Uint8Array[] = [];
  for await (const chunk of first) {
    found.push(chunk.slice());
    const { value } = await second.next();
    if (value !== undefined) others.push(value.slice());
  }
  assert.deepEqual(Uint8Array.from(found.flatMap((chunk) => [...chunk])), data);
  assert.deepEqual(
    Uint8Array.from(others.flatMap((chunk) => [...chunk])),
    data.subarray(100 * KIB),
  );
});

Deno.test("randomAccessSource reads a long file a block ahead, while others read at their own place", async () => {
  const data = pattern(3 * 1024 * KIB);
  const inner = memoryAccess(data);
  const reads: number[] = [];
  const at: RandomAccess = {
    size: data.length,
    read(offset, into) {
      reads.push(offset / KIB);
      return inner.read(offset, into);
    },
  };
  const source = randomAccessSource(at);
  let offset = 0;
  for await (const chunk of source) {
    const into = new Uint8Array(3);
    assert.equal(await at.read(700, into), 3);
    assert.deepEqual(into, data.subarray(700, 703));
    assert.deepEqual(chunk, data.subarray(offset, offset + chunk.length));
    offset += chunk.length;
  }
  const other = 700 / KIB;
  assert.equal(offset, data.length);
  assert.deepEqual(reads, [
    ...[0, other, 64, 320, other, 1344, other, 2368, other, 3072, other],
  ]);
});

Deno.test("randomAccessSource, aborted while it is drained, leaves no read pending", async () => {
  const stop = new AbortController();
  let pending = 0;
  let reads = 0;
  const at: RandomAccess = {
    size: 2 ** 30,
    async read(_, into) {
      pending++;
      if (++reads === 4) stop.abort(new Error("Enough"));
      await new Promise((resolve) => setTimeout(resolve, 0));
      pending--;
      return into.length;
    },
  };
  await assert.rejects(
    drain(randomAccessSource(at), new MemorySink(), stop.signal),
    new Error("Enough"),
  );
  assert.deepEqual([reads, pending], [4, 0]);
});

Deno.test("randomAccessSource closes what stands behind it once, at the end or early", async () => {
  for (const early of [false, true]) {
    let closed = 0;
    const source = randomAccessSource(memoryAccess(pattern(10)), {
      close: () => void closed++,
    });
    assert.equal(source.at?.size, 10);
    if (early) await source.next();
    else await readAll(source);
    await source.return();
    await source.return();
    assert.equal(closed, 1);
  }
});

Deno.test("randomAccessSource refuses an offset that is not a whole number of at least 0", () => {
  for (const offset of [-1, 0.5, NaN]) {
    assert.throws(() => randomAccessSource(memoryAccess(pattern(1)), { offset }), {
      name: "RangeError",
      message: `Cannot read from offset ${offset}: give a whole number of at least 0`,
    });
  }
});
