import assert from "node:assert/strict";
import { errorOf } from "./_testing.ts";
import { readableFrom } from "./readable_from.ts";
import { turnEventLoop } from "./turn.ts";

/** Counts up from 1 until stopped, and logs each step. */
async function* count(log: string[], signal: AbortSignal): AsyncGenerator<number, void, void> {
  log.push("begin");
  try {
    for (let number = 1; !signal.aborted; number++) {
      log.push(`${number}`);
      yield number;
    }
    log.push("end");
  } finally {
    log.push("closed");
    await turnEventLoop();
    log.push("clean");
  }
}

Deno.test("readableFrom gives one value a read, and does nothing before the first", async () => {
  const log: string[] = [];
  const reader = readableFrom((signal) => count(log, signal)).getReader();
  await turnEventLoop();
  assert.deepEqual(log, []);
  assert.equal((await reader.read()).value, 1);
  assert.equal((await reader.read()).value, 2);
  await turnEventLoop();
  assert.deepEqual(log, ["begin", "1", "2"]);
  await reader.cancel();
});

Deno.test("readableFrom ends with its generator, or with the error that it throws", async () => {
  const ending = readableFrom(async function* () {
    yield "a";
    yield await Promise.resolve("b");
  });
  assert.deepEqual(await Array.fromAsync(ending), ["a", "b"]);
  const reader = readableFrom(async function* () {
    yield await Promise.resolve("a");
    throw new Error("Broken");
  }).getReader();
  assert.equal((await reader.read()).value, "a");
  await assert.rejects(reader.read(), new Error("Broken"));
});

Deno.test("readableFrom, cancelled, ends the generator where it stands, and waits until it has cleaned up", async () => {
  const log: string[] = [];
  const reader = readableFrom((signal) => count(log, signal)).getReader();
  await reader.read();
  await reader.cancel();
  assert.deepEqual(log, ["begin", "1", "closed", "clean"]);
});

Deno.test("readableFrom with onCancel finish lets the generator go on to its end", async () => {
  const log: string[] = [];
  const stream = readableFrom((signal) => count(log, signal), { onCancel: "finish" });
  const reader = stream.getReader();
  await reader.read();
  await reader.cancel();
  assert.deepEqual(log, ["begin", "1", "end", "closed", "clean"]);
  const unread: string[] = [];
  await readableFrom((signal) => count(unread, signal), { onCancel: "finish" }).cancel();
  assert.deepEqual(unread, ["begin", "end", "closed", "clean"]);
  const returned: string[] = [];
  await readableFrom((signal) => count(returned, signal)).cancel();
  assert.deepEqual(returned, []);
});

Deno.test("readableFrom, cancelled during a read, settles it and stops what it waits for", async () => {
  for (const onCancel of ["return", "finish"] as const) {
    let cleaned = false;
    const reader = readableFrom<number>(async function* (signal) {
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      cleaned = true;
      yield 1;
    }, { onCancel }).getReader();
    const read = reader.read();
    await turnEventLoop();
    await reader.cancel();
    assert.deepEqual(await read, { done: true, value: undefined });
    assert.equal(cleaned, true);
  }
});

Deno.test("readableFrom tells an error of the end in the cancel that waits for it", async () => {
  const reader = readableFrom(async function* (signal) {
    yield await Promise.resolve(1);
    signal.throwIfAborted();
  }, { onCancel: "finish", name: "run" }).getReader();
  await reader.read();
  const error = await errorOf(reader.cancel());
  assert(error instanceof DOMException);
  assert.deepEqual([error.name, error.message], ["AbortError", "The run was cancelled"]);
});

Deno.test("readableFrom fires the generator's signal with its own, and then leaves no listener", async () => {
  const stop = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = stop.signal;
  stop.signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners++;
    addEventListener.apply(stop.signal, args);
  };
  stop.signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners--;
    removeEventListener.apply(stop.signal, args);
  };
  const log: string[] = [];
  const { signal } = stop;
  const reader = readableFrom((stopped) => count(log, stopped), { signal }).getReader();
  assert.equal(listeners, 0);
  await reader.read();
  assert.equal(listeners, 1);
  stop.abort();
  assert.equal((await reader.read()).done, true);
  assert.deepEqual(log, ["begin", "1", "end", "closed", "clean"]);
  assert.equal(listeners, 0);
});

Deno.test("readableFrom closes with the last value, when the generator has ended", async () => {
  const log: string[] = [];
  const reader = readableFrom(async function* () {
    try {
      yield 1;
      yield await Promise.resolve(2);
      log.push("after the last");
    } finally {
      log.push("closed");
    }
  }, { isLast: (value) => value === 2 }).getReader();
  await reader.read();
  assert.equal((await reader.read()).value, 2);
  await reader.closed;
  await turnEventLoop();
  assert.deepEqual(log, ["after the last", "closed"]);
});
