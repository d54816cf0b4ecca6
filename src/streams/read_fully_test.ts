import assert from "node:assert/strict";
import { type Chunk, type RandomAccess, readFully } from "./mod.ts";

/** A file that reads at most `most` bytes at once, and records the offsets. */
function slow(text: string, most: number): RandomAccess & { readonly asked: number[] } {
  const bytes = new TextEncoder().encode(text);
  const asked: number[] = [];
  return {
    asked,
    size: bytes.length,
    read(offset: number, into: Chunk): Promise<number> {
      asked.push(offset);
      const piece = bytes.subarray(offset, offset + Math.min(most, into.length));
      into.set(piece);
      return Promise.resolve(piece.length);
    },
  };
}

Deno.test("readFully asks on until the block is full, and no further", async () => {
  const file = slow("abcdefghij", 3);
  const block = new Uint8Array(7);
  assert.equal(await readFully(file, 2, block), 7);
  assert.equal(new TextDecoder().decode(block), "cdefghi");
  assert.deepEqual(file.asked, [2, 5, 8]);
});

Deno.test("readFully gives what there is where the file ends first", async () => {
  const file = slow("abcde", 3);
  const block = new Uint8Array(8);
  assert.equal(await readFully(file, 1, block), 4);
  assert.deepEqual([...block], [98, 99, 100, 101, 0, 0, 0, 0]);
  assert.equal(await readFully(file, 5, block), 0);
  assert.equal(await readFully(file, 9, block), 0);
});

Deno.test("readFully does not read for an empty block, and passes errors on", async () => {
  const file = slow("abc", 3);
  assert.equal(await readFully(file, 0, new Uint8Array(0)), 0);
  assert.deepEqual(file.asked, []);
  const broken = { size: 9, read: () => Promise.reject(new Error("EIO")) };
  await assert.rejects(readFully(broken, 0, new Uint8Array(2)), { message: "EIO" });
});
