import assert from "node:assert/strict";
import type { Chunk } from "../streams/mod.ts";
import { BlockReader } from "./_block_reader.ts";

/** Reads `sizes` bytes one after another, each read filled with its own number. */
function reads(sizes: readonly number[]) {
  const asked: number[] = [];
  const read = (into: Chunk): Promise<number> => {
    const length = Math.min(sizes[asked.length] ?? 0, into.length);
    into.fill(asked.push(into.length), 0, length);
    return Promise.resolve(length);
  };
  return { asked, read };
}

Deno.test("BlockReader grows its blocks while reads fill them", async () => {
  const { asked, read } = reads(Array(8).fill(2 ** 20));
  const blocks = new BlockReader(read);
  const sizes: number[] = [];
  for (let block; (block = await blocks.next()) !== undefined;) sizes.push(block.length);
  const [kib64, kib256, mib] = [2 ** 16, 2 ** 18, 2 ** 20];
  assert.deepEqual(sizes, [kib64, kib256, mib, mib, mib, mib, mib, mib]);
  assert.deepEqual(asked, [...sizes, mib]);
});

Deno.test("BlockReader reads a short input only when it is asked, a long one a block ahead", async () => {
  const { asked, read } = reads([1000, 65_536, 200_000, 300_000, 1000]);
  const blocks = new BlockReader(read);
  const calls: number[] = [];
  const first: number[] = [];
  for (let block; (block = await blocks.next()) !== undefined;) {
    calls.push(asked.length);
    first.push(block[0] ?? 0);
    // The read ahead must not touch what is lent.
    await new Promise((resolve) => setTimeout(resolve, 0));
    assert.ok(block.every((byte) => byte === first.at(-1)));
  }
  assert.deepEqual(first, [1, 2, 3, 4, 5]);
  assert.deepEqual(calls, [1, 2, 4, 5, 6]);
});

Deno.test("BlockReader tells an error of a read ahead at the next call, and leaves none unobserved", async () => {
  let count = 0;
  const blocks = new BlockReader((into) =>
    ++count < 4 ? Promise.resolve(into.length) : Promise.reject(new Error("gone"))
  );
  for (let i = 0; i < 3; i++) await blocks.next();
  await blocks.settled();
  await assert.rejects(blocks.next(), /gone/);
});
