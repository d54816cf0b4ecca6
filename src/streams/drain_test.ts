import assert from "node:assert/strict";
import { setImmediate } from "node:timers";
import { bytes, errorOf, isSettled, pattern, ScriptedSource, text, withSeed } from "./_testing.ts";
import { drain } from "./drain.ts";
import { MemorySink, memorySource } from "./memory.ts";
import { PoisonSource } from "../testing/poison_source.ts";
import { type ByteSink, type Chunk, Source } from "./source.ts";

/** A sink whose nth write fails or never settles. */
class TroubledSink implements ByteSink {
  writes = 0;
  closes = 0;
  aborts = 0;
  readonly #at: number;
  readonly #trouble: Error | "stuck";
  constructor(at: number, trouble: Error | "stuck") {
    this.#at = at;
    this.#trouble = trouble;
  }
  write(): Promise<void> {
    if (this.writes++ < this.#at) return Promise.resolve();
    return this.#trouble === "stuck" ? new Promise(() => {}) : Promise.reject(this.#trouble);
  }
  close(): Promise<void> {
    this.closes++;
    return Promise.resolve();
  }
  abort(): Promise<void> {
    this.aborts++;
    return Promise.resolve();
  }
}

Deno.test("drain writes everything, says how much, closes the source and leaves the sink open", async () => {
  const source = new ScriptedSource(["ab", "", "cde"]);
  const sink = new MemorySink();
  assert.equal(await drain(source, sink), 5);
  assert.equal(sink.text(), "abcde");
  assert.equal(sink.closed, false);
  assert.equal(source.releases, 1);
});

Deno.test("drain of lent chunks loses nothing in any chunking", () =>
  withSeed(async (random) => {
    const data = pattern(3000);
    const anySize = function* () {
      for (;;) yield 1 + random(random(2) === 0 ? 20 : 700);
    };
    for (const sizes of [1, 2, 7, [1, 20], 65_536, anySize, anySize, anySize]) {
      const sink = new MemorySink();
      assert.equal(await drain(new PoisonSource(data, sizes), sink), 3000);
      assert.deepEqual(sink.bytes(), data);
    }
  }));

Deno.test("drain waits for each write before it asks for more", async () => {
  const source = new ScriptedSource(["a", "b"]);
  let finish = (): void => {};
  const sink: ByteSink = {
    write: () => new Promise((resolve) => finish = resolve),
    close: () => Promise.resolve(),
  };
  const drained = drain(source, sink);
  assert.equal(await isSettled(drained), false);
  assert.equal(source.pulls, 1);
  finish();
  assert.equal(await isSettled(drained), false);
  assert.equal(source.pulls, 2);
  finish();
  assert.equal(await drained, 2);
});

/** A sink with concurrent writes, which the test finishes or fails. */
class ConcurrentSink implements ByteSink {
  readonly concurrent = true;
  readonly chunks: Chunk[] = [];
  finish: () => void = () => {};
  fail: (error: Error) => void = () => {};
  write(chunk: Chunk): Promise<void> {
    this.chunks.push(chunk);
    return new Promise((resolve, reject) => {
      this.finish = resolve;
      this.fail = reject;
    });
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
}

Deno.test("drain asks for one chunk, and no more, while a concurrent sink writes", async () => {
  const source = new ScriptedSource(["one", "two", "3"]);
  const sink = new ConcurrentSink();
  const written: string[] = [];
  const drained = drain(source, sink);
  for (const pulls of [2, 3, 4]) {
    assert.equal(await isSettled(drained), false);
    assert.equal(source.pulls, pulls);
    assert.equal(sink.chunks.length, pulls - 1);
    // The source's chunk is no longer valid; the sink's copy must be.
    written.push(text(sink.chunks[pulls - 2] ?? bytes("")));
    sink.finish();
  }
  assert.equal(await drained, 7);
  assert.deepEqual(written, ["one", "two", "3"]);
  assert.equal(source.releases, 1);
});

Deno.test("drain of lent chunks into a concurrent sink loses nothing", () =>
  withSeed(async (random) => {
    const data = pattern(3000);
    const anySize = function* () {
      for (;;) yield 1 + random(700);
    };
    for (const sizes of [1, 7, 1000, anySize, anySize]) {
      const all: number[] = [];
      const sink: ByteSink = {
        concurrent: true,
        write: async (chunk) => {
          // Waits for a turn of the event loop; a timer would take much longer.
          await new Promise((resolve) => setImmediate(resolve));
          all.push(...chunk);
        },
        close: () => Promise.resolve(),
      };
      assert.equal(await drain(new PoisonSource(data, sizes), sink), 3000);
      assert.deepEqual(Uint8Array.from(all), data);
    }
  }));

Deno.test("drain notices a concurrent write that fails while the source has nothing yet", async () => {
  const source = new ScriptedSource(["a", "stuck"]);
  const sink = new ConcurrentSink();
  const drained = errorOf(drain(source, sink));
  assert.equal(await isSettled(drained), false);
  sink.fail(new Error("Broken pipe"));
  assert.deepEqual(await drained, new Error("Broken pipe"));
  assert.equal(source.releases, 1);
});

Deno.test("drain has written everything before it tells an error of the source", async () => {
  const source = new ScriptedSource(["a", new Error("read")]);
  const sink = new ConcurrentSink();
  const drained = errorOf(drain(source, sink));
  assert.equal(await isSettled(drained), false);
  sink.finish();
  assert.deepEqual(await drained, new Error("read"));
});

Deno.test("drain does not wait for a stuck concurrent write when the signal fires", async () => {
  const controller = new AbortController();
  const drained = errorOf(
    drain(new ScriptedSource(["a", "b"]), new ConcurrentSink(), controller.signal),
  );
  assert.equal(await isSettled(drained), false);
  controller.abort(new Error("stop"));
  assert.deepEqual(await drained, new Error("stop"));
});

Deno.test("drain with an error of the source rejects with it, after closing", async () => {
  const source = new ScriptedSource(["a", new Error("read")], new Error("release"));
  const sink = new MemorySink();
  assert.deepEqual(await errorOf(drain(source, sink)), new Error("read"));
  assert.equal(source.releases, 1);
  assert.equal(sink.text(), "a");
  assert.equal(sink.closed, false);
});

Deno.test("drain with an error of the sink rejects with it, after closing the source", async () => {
  for (const releaseError of [undefined, new Error("release")]) {
    const source = new ScriptedSource(["a", "b", "c"], releaseError);
    const sink = new TroubledSink(1, new Error("write"));
    assert.deepEqual(await errorOf(drain(source, sink)), new Error("write"));
    assert.deepEqual([source.pulls, source.releases], [2, 1]);
    assert.deepEqual([sink.closes, sink.aborts], [0, 0]);
  }
});

Deno.test("drain with an error of closing alone rejects with that", async () => {
  const source = new ScriptedSource(["a"], new Error("release"));
  assert.deepEqual(await errorOf(drain(source, new MemorySink())), new Error("release"));
});

Deno.test("drain with a sink that throws at once rejects and closes the source", async () => {
  const source = new ScriptedSource(["a"]);
  const sink: ByteSink = {
    write() {
      throw new Error("at once");
    },
    close: () => Promise.resolve(),
  };
  assert.deepEqual(await errorOf(drain(source, sink)), new Error("at once"));
  assert.equal(source.releases, 1);
});

Deno.test("drain stops promptly when aborted during a stuck write", async () => {
  const source = new ScriptedSource(["a", "b"]);
  const sink = new TroubledSink(1, "stuck");
  const abort = new AbortController();
  const drained = drain(source, sink, abort.signal);
  assert.equal(await isSettled(drained), false);
  abort.abort(new Error("stop"));
  assert.deepEqual(await errorOf(drained), new Error("stop"));
  assert.equal(source.releases, 1);
  assert.deepEqual([sink.closes, sink.aborts], [0, 0]);
});

Deno.test("drain stops promptly when aborted during a stuck pull", async () => {
  const source = new ScriptedSource(["a", "stuck"], new Error("release"));
  const abort = new AbortController();
  const drained = drain(source, new MemorySink(), abort.signal);
  assert.equal(await isSettled(drained), false);
  abort.abort("stop");
  assert.equal(await errorOf(drained), "stop");
  assert.equal(source.releases, 1);
});

Deno.test("drain with a signal that has fired closes the source and reads nothing", async () => {
  const source = new ScriptedSource(["a"]);
  const sink = new MemorySink();
  assert.equal(await errorOf(drain(source, sink, AbortSignal.abort("before"))), "before");
  assert.deepEqual([source.pulls, source.releases, sink.length], [0, 1, 0]);
});

Deno.test("drain of an endless source that never waits still obeys a timer", async () => {
  class Zeros extends Source {
    readonly #chunk: Chunk = new Uint8Array(10);
    protected override pull(): Chunk {
      return this.#chunk;
    }
  }
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort("time"), 30);
  const sink: ByteSink = { write: () => Promise.resolve(), close: () => Promise.resolve() };
  assert.equal(await errorOf(drain(new Zeros(), sink, abort.signal)), "time");
  clearTimeout(timer);
});

Deno.test("drain removes its listener from the signal on every way out", async () => {
  for (const sink of [new MemorySink(), new TroubledSink(0, new Error("write"))]) {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add(...args));
    signal.removeEventListener = (
      ...args: Parameters<typeof remove>
    ) => (listeners--, remove(...args));
    await drain(memorySource(bytes("abc")), sink, signal).catch(() => {});
    assert.equal(listeners, 0);
  }
});
