import assert from "node:assert/strict";
import { isSettled } from "./_testing.ts";
import { BlockSource } from "./block_source.ts";
import type { Chunk } from "./source.ts";
import { turnEventLoop } from "./turn.ts";

const KIB = 1024;

/** Reads through a function; records the sizes of the buffers, the pending reads and the closes. */
class TestSource extends BlockSource {
  readonly asked: number[] = [];
  closed = 0;
  pending = 0;
  readonly #read: (into: Chunk, number: number) => number | Promise<number>;
  readonly #onClose: () => void;

  /** `read` also gets the number of the read, from 1. */
  constructor(
    read: (into: Chunk, number: number) => number | Promise<number>,
    { expected, onClose = () => {} }: { expected?: number; onClose?: () => void } = {},
  ) {
    super(expected);
    this.#read = read;
    this.#onClose = onClose;
  }

  protected override async read(into: Chunk): Promise<number> {
    const number = this.asked.push(into.length);
    this.pending++;
    try {
      return await this.#read(into, number);
    } finally {
      this.pending--;
    }
  }

  protected override close(): void {
    this.closed++;
    this.#onClose();
  }
}

/** Reads blocks of these sizes, each filled with the number of its read. */
function sizes(sizes: readonly number[]): (into: Chunk, number: number) => number {
  return (into, number) => {
    const length = Math.min(sizes[number - 1] ?? 0, into.length);
    into.fill(number, 0, length);
    return length;
  };
}

/** Fills two blocks, enough for the third to be read ahead, which waits for `third`. */
function thirdWaits(
  third: Promise<number>,
): (into: Chunk, number: number) => number | Promise<number> {
  return (into, number) => number < 3 ? into.length : third;
}

Deno.test("BlockSource grows its blocks while reads fill them", async () => {
  const source = new TestSource(sizes(Array(8).fill(2 ** 20)));
  const lengths: number[] = [];
  for await (const block of source) lengths.push(block.length / KIB);
  assert.deepEqual(lengths, [64, 256, 1024, 1024, 1024, 1024, 1024, 1024]);
  assert.deepEqual(source.asked.map((size) => size / KIB), [...lengths, 1024]);
});

Deno.test("BlockSource gives a small input no more room than it takes, but room for one that lies", async () => {
  for (const [expected, room] of [[0, 4096], [10_000, 10_001], [10 ** 9, 65_536]] as const) {
    const source = new TestSource(sizes([100]), { expected });
    for await (const block of source) assert.equal(block.length, 100);
    assert.deepEqual(source.asked, [room, room]);
  }
});

Deno.test("BlockSource reads a short input only when it is asked, a long one a block ahead", async () => {
  const source = new TestSource(sizes([1000, 65_536, 200_000, 300_000, 1000]));
  const calls: number[] = [];
  const first: number[] = [];
  for await (const block of source) {
    calls.push(source.asked.length);
    first.push(block[0] ?? 0);
    // The read ahead must not change the lent block.
    await new Promise((resolve) => setTimeout(resolve, 0));
    assert.ok(block.every((byte) => byte === first.at(-1)));
  }
  assert.deepEqual(first, [1, 2, 3, 4, 5]);
  assert.deepEqual(calls, [1, 2, 4, 5, 6]);
});

Deno.test("BlockSource tells an error of a read ahead at the pull that would have made it", async () => {
  const source = new TestSource((into, number) =>
    number < 4 ? into.length : Promise.reject(new Error("gone"))
  );
  const lengths: number[] = [];
  for (let i = 0; i < 3; i++) lengths.push(((await source.next()).value?.length ?? 0) / KIB);
  assert.deepEqual(lengths, [64, 256, 1024]);
  // The read ahead has failed by now; its error comes with the next pull.
  await turnEventLoop();
  assert.deepEqual([source.asked.length, source.pending, source.closed], [4, 0, 0]);
  await assert.rejects(source.next(), new Error("gone"));
  assert.equal(source.closed, 1);
  assert.equal((await source.next()).done, true);
});

Deno.test("BlockSource forgets an error of a read ahead that nobody asks for", async () => {
  const source = new TestSource((into, number) =>
    number < 3 ? into.length : Promise.reject(new Error("gone"))
  );
  await source.next();
  await source.next();
  assert.deepEqual(await source.return(), { done: true, value: undefined });
});

Deno.test("BlockSource waits on return for a read ahead, after closing what it reads", async () => {
  let finish = (_: number) => {};
  const source = new TestSource(thirdWaits(new Promise((resolve) => finish = resolve)));
  await source.next();
  await source.next();
  assert.deepEqual([source.asked.length, source.pending], [3, 1]);
  const returned = source.return();
  assert.equal(await isSettled(returned), false);
  assert.equal(source.closed, 1);
  finish(10);
  assert.deepEqual(await returned, { done: true, value: undefined });
  assert.deepEqual([source.asked.length, source.pending], [3, 0]);
});

Deno.test("BlockSource's close may end the read that is under way", async () => {
  let fail = (_: Error) => {};
  const source = new TestSource(
    thirdWaits(new Promise((_, reject) => fail = reject)),
    { onClose: () => fail(new Error("Interrupted")) },
  );
  await source.next();
  await source.next();
  await source.return();
  assert.deepEqual([source.closed, source.pending], [1, 0]);
});

Deno.test("BlockSource settles a pending pull on return, waits for its read and starts no other", async () => {
  for (const readBefore of [0, 2]) {
    let finish = (_: number) => {};
    const waiting = new Promise<number>((resolve) => finish = resolve);
    const source = new TestSource((into, number) => number <= readBefore ? into.length : waiting);
    for (let i = 0; i < readBefore; i++) await source.next();
    const pull = source.next();
    const returned = source.return();
    assert.deepEqual(await pull, { done: true, value: undefined });
    assert.equal(await isSettled(returned), false);
    finish(64 * KIB);
    await returned;
    await turnEventLoop();
    assert.deepEqual([source.asked.length, source.pending], [readBefore + 1, 0]);
  }
});
