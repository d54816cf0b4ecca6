import assert from "node:assert/strict";
import { PoisonSource } from "../testing/poison_source.ts";
import { MemorySink, memorySource } from "./memory.ts";
import { ReplayWindowError } from "./replay_source.ts";
import { type ByteSource, type Chunk, Source } from "./source.ts";
import { Spool } from "./spool.ts";
import type { TempStore } from "./temp_store.ts";

const KIB = 1024;

/** Bytes that tell their offset. */
function bytes(length: number): Chunk {
  return Uint8Array.from({ length }, (_, i) => (i ^ (i >> 8) ^ (i >> 16)) & 255);
}

async function readAll(source: ByteSource): Promise<Chunk> {
  const sink = new MemorySink();
  for await (const chunk of source) await sink.write(chunk);
  return sink.bytes();
}

/** Storage in memory that counts what is open. */
class Storage implements TempStore {
  readonly sink = new MemorySink();
  disposed = false;
  full = Infinity;

  create() {
    const sink = {
      write: async (chunk: Chunk) => {
        if (this.sink.length + chunk.length > this.full) throw new Error("No space left on device");
        await this.sink.write(chunk);
      },
      close: () => this.sink.close(),
    };
    const open = () => Promise.resolve(memorySource(this.sink.bytes(), { seekable: true }));
    return Promise.resolve({ sink, open });
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.disposed = true;
    return Promise.resolve();
  }
}

Deno.test("Spool gives a stream to any number of readers, each from its beginning", async () => {
  const data = bytes(900_000);
  await using spool = open(new PoisonSource(data, 10_007));
  assert.deepEqual(await readAll(spool.spool.source()), data);
  assert.deepEqual(await readAll(spool.spool.source()), data);
  assert.deepEqual(await readAll(spool.spool.source(899_990)), data.subarray(899_990));
});

Deno.test("Spool pulls each byte once for readers that take turns", async () => {
  const data = bytes(300_000);
  await using opened = open(new PoisonSource(data, 5_000));
  const [a, b] = [new MemorySink(), new MemorySink()];
  const [first, second] = [opened.spool.source(), opened.spool.source()];
  for (let going = true; going;) {
    const [one, two] = await Promise.all([first.next(), second.next()]);
    if (one.done !== true) await a.write(one.value);
    if (two.done !== true) await b.write(two.value);
    going = one.done !== true || two.done !== true;
  }
  assert.deepEqual(a.bytes(), data);
  assert.deepEqual(b.bytes(), data);
});

Deno.test("Spool moves what memory does not hold to storage, and removes it at the end", async () => {
  const data = bytes(3_000 * KIB);
  const storage = new Storage();
  const spool = new Spool(new PoisonSource(data, 70_000), {
    memory: 512 * KIB,
    storage: () => Promise.resolve(storage),
  });
  assert.deepEqual(await readAll(spool.source()), data);
  assert.ok(storage.sink.length >= 2_400 * KIB, `${storage.sink.length} bytes are stored`);
  assert.equal(spool.start, 0);
  assert.deepEqual(await readAll(spool.source()), data);
  await spool.close();
  assert.equal(storage.disposed, true);
});

Deno.test("Spool without storage, or with a full one, names the first byte that is left", async () => {
  const data = bytes(2_000 * KIB);
  const full = new Storage();
  full.full = 600 * KIB;
  for (
    const storage of [undefined, () => Promise.resolve(full), () => Promise.reject(new Error())]
  ) {
    await using opened = open(new PoisonSource(data, 50_000), { memory: 512 * KIB, storage });
    const { spool } = opened;
    assert.deepEqual(await readAll(spool.source()), data);
    assert.ok(spool.start >= 1_400 * KIB && spool.start <= 2_000 * KIB, String(spool.start));
    await assert.rejects(
      readAll(spool.source()),
      (error) => error instanceof ReplayWindowError && error.windowStart === spool.start,
    );
    assert.deepEqual(await readAll(spool.source(spool.start)), data.subarray(spool.start));
  }
});

Deno.test("Spool pulls nothing before it is asked, and leaves the stream open for others", async () => {
  let pulls = 0;
  let closed = false;
  class Counted extends Source {
    protected override pull(): Chunk {
      pulls++;
      return bytes(10);
    }
    protected override release(): void {
      closed = true;
    }
  }
  const spool = new Spool(new Counted());
  const reader = spool.source();
  assert.equal(pulls, 0);
  await reader.next();
  await reader.return();
  assert.deepEqual([pulls, closed], [1, false]);
  await spool.close();
  await spool.close();
  assert.equal(closed, true);
});

Deno.test("Spool tells every reader of the stream's error, behind what came before it", async () => {
  class Failing extends Source {
    #first = true;
    protected override pull(): Chunk {
      if (!this.#first) throw new Error("The cable is cut");
      this.#first = false;
      return bytes(4);
    }
  }
  await using opened = open(new Failing());
  for (const _ of [1, 2]) {
    const reader = opened.spool.source();
    assert.deepEqual((await reader.next()).value, bytes(4));
    await assert.rejects(reader.next(), { message: "The cable is cut" });
  }
});

Deno.test("Spool closes while a reader waits for the stream", async () => {
  class Silent extends Source {
    protected override pull(): Promise<Chunk> {
      return new Promise(() => {});
    }
  }
  const spool = new Spool(new Silent());
  const reader = spool.source();
  const waiting = reader.next();
  await spool.close();
  assert.equal((await waiting).done, true);
});

function open(stream: ByteSource, options = {}) {
  const spool = new Spool(stream, options);
  return { spool, [Symbol.asyncDispose]: () => spool.close() };
}
