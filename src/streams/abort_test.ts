import assert from "node:assert/strict";
import { AbortRace, linkAbort, raceAbort } from "./abort.ts";

/** Counts the listeners on a signal. */
function countListeners(signal: AbortSignal): () => number {
  let count = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    count++;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    count--;
    remove(...args);
  };
  return () => count;
}

Deno.test("raceAbort settles as the operation does and leaves no listener", async () => {
  const { signal } = new AbortController();
  const listeners = countListeners(signal);
  assert.equal(await raceAbort(Promise.resolve(7), signal), 7);
  await assert.rejects(raceAbort(Promise.reject(new Error("no")), signal), new Error("no"));
  assert.equal(listeners(), 0);
  assert.equal(await raceAbort(Promise.resolve(8), undefined), 8);
});

Deno.test("raceAbort rejects with the signal's reason while the operation is stuck", async () => {
  const abort = new AbortController();
  const listeners = countListeners(abort.signal);
  const stuck = raceAbort(new Promise(() => {}), abort.signal);
  assert.equal(listeners(), 1);
  abort.abort("enough");
  assert.equal(await stuck.catch((reason) => reason), "enough");
  assert.equal(listeners(), 0);
});

Deno.test("raceAbort with a signal that has fired lets a settled operation lose or win cleanly", async () => {
  const signal = AbortSignal.abort("before");
  assert.equal(await raceAbort(new Promise(() => {}), signal).catch((reason) => reason), "before");
  // The late error of the operation that lost must not become an unhandled rejection.
  const late = Promise.resolve().then(() => Promise.reject(new Error("late")));
  assert.equal(await raceAbort(late, signal).catch((reason) => reason), "before");
});

Deno.test("AbortRace runs many operations with one listener", async () => {
  const abort = new AbortController();
  const listeners = countListeners(abort.signal);
  const race = new AbortRace(abort.signal);
  for (let i = 0; i < 5; i++) assert.equal(await race.run(Promise.resolve(i)), i);
  assert.equal(listeners(), 1);
  const stuck = race.run(new Promise(() => {}));
  abort.abort("enough");
  assert.equal(await stuck.catch((reason) => reason), "enough");
  assert.equal(
    await race.run(new Promise(() => {})).catch((reason) => reason),
    "enough",
  );
  race.end();
  assert.equal(listeners(), 0);
});

Deno.test("linkAbort passes the reason on, once it fires or at once if it has, and leaves no listener", () => {
  const reason = new Error("Enough");
  const signal = new AbortController();
  const listeners = countListeners(signal.signal);
  const late = new AbortController();
  const unlink = linkAbort(signal.signal, late);
  assert.deepEqual([late.signal.aborted, listeners()], [false, 1]);
  signal.abort(reason);
  assert.equal(late.signal.reason, reason);
  unlink();
  assert.equal(listeners(), 0);
  const fired = new AbortController();
  linkAbort(signal.signal, fired)();
  assert.equal(fired.signal.reason, reason);
});

Deno.test("linkAbort passes nothing on after it was ended, nor without a signal", () => {
  const signal = new AbortController();
  const controller = new AbortController();
  linkAbort(signal.signal, controller)();
  signal.abort();
  linkAbort(undefined, controller)();
  assert.equal(controller.signal.aborted, false);
});
