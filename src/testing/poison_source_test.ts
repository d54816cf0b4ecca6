import assert from "node:assert/strict";
import { bytes, pattern, readAll } from "../streams/_testing.ts";
import { PoisonSource } from "./poison_source.ts";

async function sizesOf(source: PoisonSource): Promise<number[]> {
  const sizes: number[] = [];
  for await (const chunk of source) sizes.push(chunk.length);
  return sizes;
}

Deno.test("PoisonSource gives all bytes in the sizes asked for", async () => {
  const data = pattern(10);
  assert.deepEqual(await readAll(new PoisonSource(data, 3)), data);
  assert.deepEqual(await sizesOf(new PoisonSource(data, 3)), [3, 3, 3, 1]);
  assert.deepEqual(await sizesOf(new PoisonSource(data, [1, 4])), [1, 4, 1, 4]);
  assert.deepEqual(await sizesOf(new PoisonSource(data, 64)), [10]);
  assert.deepEqual(await sizesOf(new PoisonSource(data, [])), [10]);
  const growing = function* () {
    for (let size = 0;; size++) yield size;
  };
  assert.deepEqual(await sizesOf(new PoisonSource(data, growing)), [1, 1, 2, 3, 3]);
  assert.deepEqual(await sizesOf(new PoisonSource(data, () => [2, 3])), [2, 3, 5]);
});

Deno.test("PoisonSource overwrites a chunk as soon as the next is asked for", async () => {
  const source = new PoisonSource("abcd", 2);
  const first = (await source.next()).value;
  assert.deepEqual(first, bytes("ab"));
  const next = source.next();
  assert.deepEqual(first, Uint8Array.of(0xa5, 0xa5));
  const second = (await next).value;
  assert.deepEqual(second, bytes("cd"));
  assert.equal(source.offset, 4);
  await source.return();
  assert.deepEqual(second, Uint8Array.of(0xa5, 0xa5));
  assert.deepEqual(first, Uint8Array.of(0xa5, 0xa5));
});

Deno.test("PoisonSource leaves the caller's bytes alone", async () => {
  const data = bytes("abcd");
  await readAll(new PoisonSource(data, 4));
  assert.deepEqual(data, bytes("abcd"));
});

Deno.test("PoisonSource fails when its reader has written into a chunk", async () => {
  const source = new PoisonSource("abcd", 2);
  await source.next();
  const second = (await source.next()).value;
  second?.fill(0, 1);
  await assert.rejects(source.next(), {
    name: "TypeError",
    message: "A reader wrote into a lent chunk, at offset 3",
  });
});
