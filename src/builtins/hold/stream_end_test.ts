import assert from "node:assert/strict";
import { type Chunk, LimitError, MemorySink, memorySource } from "../../streams/mod.ts";
import type { TempStore } from "../builtin.ts";
import { bytes, memoryTemp } from "../_testing.ts";
import { Stage } from "../run/stage.ts";
import { optional, thorough } from "../../../tests/_optional.ts";

const MIB = 1024 * 1024;
/** More than fits in memory, and in one temporary file. */
const lines = bytes(
  Array.from({ length: 600_000 }, (_, i) => `${i}${"-".repeat(i % 97)}\n`).join(""),
);

interface Ends {
  /** Number of stores created, and the largest number at the same time. */
  made: number;
  most: number;
  status: number | undefined;
}

/** Runs `head` or `tail` on a pipe; returns its output. */
async function run(
  words: string,
  stdin: Chunk,
  { memory, temp = true }: { memory?: number; temp?: boolean } = {},
): Promise<Ends & { stdout: Chunk }> {
  const [name = "", ...args] = words.split(" ");
  const ends: Ends = { made: 0, most: 0, status: undefined };
  let open = 0;
  const stage = new Stage(name, args, {
    stdin: memorySource(stdin, { seekable: false, chunkSize: 60_001 }),
    warn: assert.fail,
    signal: new AbortController().signal,
    ...(memory !== undefined && { limits: { heldBytesWithoutTemp: memory } }),
    ...(temp && {
      temp: () => {
        ends.made++;
        ends.most = Math.max(ends.most, ++open);
        let disposed = false;
        const store: TempStore = {
          ...memoryTemp(),
          [Symbol.asyncDispose]: () => {
            if (!disposed) open--;
            disposed = true;
            return Promise.resolve();
          },
        };
        return Promise.resolve(store);
      },
    }),
  });
  const out = new MemorySink();
  for await (const chunk of stage) await out.write(chunk);
  assert.equal(open, 0);
  return { ...ends, status: stage.status, stdout: out.bytes() };
}

/** Offset of the last `count` lines. */
function lastLines(text: Chunk, count: number): number {
  let at = text.at(-1) === 10 ? text.length - 1 : text.length;
  for (let i = 0; i < count && at > 0; i++) at = text.lastIndexOf(10, at - 1);
  return at + 1;
}

for (const [what, text] of [["ended", lines], ["unfinished", lines.subarray(0, -1)]] as const) {
  Deno.test(
    optional(`head and tail take any part of the end of a stream: ${what}`, thorough),
    async () => {
      assert.ok(text.length > 28 * MIB);
      // The text is long, so the unfinished one is tested with fewer counts.
      const few = text === lines ? [2, 170_000, 300_000, 599_999, 600_001] : [100_000];
      for (const count of [...few, 600_000]) {
        const at = count >= 600_000 ? 0 : lastLines(text, count);
        const tail = await run(`tail -n ${count}`, text);
        assert.ok(tail.stdout.length === text.length - at, `tail -n ${count}`);
        assert.deepEqual(tail.stdout.subarray(0, 100), text.subarray(at, at + 100));
        const head = await run(`head -n -${count}`, text);
        assert.ok(head.stdout.length === at, `head -n -${count}`);
        assert.deepEqual(head.stdout.subarray(-100), text.subarray(Math.max(0, at - 100), at));
      }
      const some = text === lines ? [10, 8 * MIB, 17 * MIB, text.length - 1, 99 * MIB] : [9 * MIB];
      for (const count of [...some, text.length]) {
        const at = Math.max(0, text.length - count);
        const tail = await run(`tail -c ${count}`, text);
        assert.ok(tail.stdout.length === text.length - at, `tail -c ${count}`);
        const head = await run(`head -c -${count}`, text);
        assert.ok(head.stdout.length === at, `head -c -${count}`);
        assert.deepEqual(head.stdout.subarray(-9), text.subarray(Math.max(0, at - 9), at));
        assert.deepEqual(tail.stdout.subarray(0, 9), text.subarray(at, at + 9));
      }
    },
  );
}

Deno.test("head and tail remove temporary files of which nothing more is wanted", async () => {
  const long = new Uint8Array(50 * MIB).fill(10);
  for (const words of ["tail -c 9M", "head -c -9M", "tail -n 9000000", "head -n -9000000"]) {
    const { made, most, stdout } = await run(words, long);
    assert.ok(made >= 3 && most <= 2, `${words}: ${made} made, ${most} at once`);
    assert.ok(stdout.length > 8 * MIB);
  }
});

Deno.test("head and tail hold as much as is allowed where there is no temporary storage", async () => {
  for (const words of ["tail -c 6M", "head -c -6M", "tail -n 120000", "head -n -120000"]) {
    await assert.rejects(
      run(words, lines, { temp: false, memory: 2 * MIB }),
      (error) => error instanceof LimitError && /heldBytesWithoutTemp/.test(error.message),
    );
    const { stdout } = await run(words, lines, { temp: false });
    assert.ok(stdout.length >= 6 * MIB, words);
  }
});
