import assert from "node:assert/strict";
import { type ByteSource, MemorySink, memorySource } from "../../../streams/mod.ts";
import type { TempStore } from "../../builtin.ts";
import { Stage } from "../../run/stage.ts";

/** Lines in descending order, so that sorting reverses them. */
const TEXT = Array.from({ length: 40_000 }, (_, i) => `${99_999 - i}\n`).join("");
const SORTED = TEXT.trimEnd().split("\n").reverse().join("\n") + "\n";

/**
 * Temporary storage in memory that counts its open runs; the run number `full` cannot be written.
 */
class CountedTemp implements TempStore {
  runs = 0;
  reading = 0;
  removed = 0;
  readonly #full: number;

  constructor(full = Infinity) {
    this.#full = full;
  }

  create(): ReturnType<TempStore["create"]> {
    const kept = new MemorySink();
    const isFull = ++this.runs === this.#full;
    const write = (chunk: Uint8Array<ArrayBuffer>): Promise<void> =>
      isFull ? Promise.reject(new Error("No space left on device")) : kept.write(chunk);
    const open = (): Promise<ByteSource> => {
      this.reading++;
      const source = memorySource(kept.bytes());
      let isOpen = true;
      const result: ByteSource = {
        next: () => source.next(),
        return: () => {
          if (isOpen) this.reading--;
          isOpen = false;
          return source.return();
        },
        [Symbol.asyncIterator]: () => source[Symbol.asyncIterator](),
      };
      return Promise.resolve(result);
    };
    return Promise.resolve({ sink: { write, close: () => kept.close() }, open });
  }

  [Symbol.asyncDispose](): Promise<void> {
    assert.equal(this.reading, 0, "runs are closed before they are removed");
    this.removed++;
    return Promise.resolve();
  }
}

function start(temp: CountedTemp, args: readonly string[] = []) {
  const warnings: string[] = [];
  const abort = new AbortController();
  const stage = new Stage("sort", ["-S", "20k", ...args], {
    stdin: memorySource(TEXT, { chunkSize: 4096 }),
    warn: (message) => void warnings.push(message),
    signal: abort.signal,
    temp: () => Promise.resolve(temp),
  });
  return { stage, abort, warnings };
}

async function textOf(stage: Stage): Promise<string> {
  const out = new MemorySink();
  for await (const chunk of stage) await out.write(chunk);
  return out.text();
}

Deno.test("sort removes its runs at the end, after several passes too, whatever -T says", async () => {
  for (const args of [[], ["--batch-size=3"], ["-T", "/nonexistent"]]) {
    const temp = new CountedTemp();
    const { stage, warnings } = start(temp, args);
    assert.equal(await textOf(stage), SORTED);
    assert.deepEqual([stage.status, warnings, temp.removed], [0, [], 1]);
    assert.ok(temp.runs > 10, String(temp.runs));
  }
});

Deno.test("sort removes its runs where its reader leaves", async () => {
  const temp = new CountedTemp();
  const { stage } = start(temp);
  const first = await stage.next();
  assert.equal(first.done, false);
  assert.ok(temp.reading > 10);
  await stage.return();
  assert.deepEqual([temp.reading, temp.removed], [0, 1]);
});

Deno.test("sort removes its runs when it is aborted, while it reads and while it merges", async () => {
  for (const after of ["run", "chunk"]) {
    const temp = new CountedTemp();
    const { stage, abort } = start(temp);
    const reason = new Error("enough");
    if (after === "chunk") await stage.next();
    else {
      const { create } = temp;
      temp.create = () => {
        if (temp.runs === 3) abort.abort(reason);
        return create.call(temp);
      };
    }
    if (after === "chunk") abort.abort(reason);
    await assert.rejects(textOf(stage), reason);
    assert.deepEqual([temp.reading, temp.removed], [0, 1]);
  }
});

Deno.test("sort says that temporary storage is full and removes what it has", async () => {
  const temp = new CountedTemp(4);
  const { stage, warnings } = start(temp);
  assert.equal(await textOf(stage), "");
  assert.deepEqual([stage.status, warnings, temp.removed], [2, [
    "sort: write failed: 'temporary storage': No space left on device",
  ], 1]);
});
