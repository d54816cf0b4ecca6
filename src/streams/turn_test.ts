import assert from "node:assert/strict";
import { noteTurn, turnEventLoop, TurnGuard } from "./turn.ts";

Deno.test("turnEventLoop lets a timer that is due run", async () => {
  let rang = false;
  const timer = setTimeout(() => rang = true, 0);
  const start = performance.now();
  while (performance.now() - start < 3);
  for (let turns = 0; turns < 3 && !rang; turns++) await turnEventLoop();
  clearTimeout(timer);
  assert.equal(rang, true);
});

/** The clock in milliseconds, far beyond the real one; each test advances it. */
let time = 1e9;

/** Replaces the clock by one that only the test advances. */
async function withClock(body: (clock: { now: number }) => Promise<void>): Promise<void> {
  const clock = { now: time += 1000 };
  const { now } = performance;
  performance.now = () => clock.now;
  try {
    await body(clock);
  } finally {
    performance.now = now;
  }
}

Deno.test("TurnGuard waits at most every 16 ticks, and not again within 10 ms", () =>
  withClock(async (clock) => {
    const guard = new TurnGuard();
    for (let tick = 1; tick < 16; tick++) assert.equal(guard.tick(), undefined);
    const turn = guard.tick();
    assert.ok(turn instanceof Promise);
    await turn;
    clock.now += 9;
    for (let tick = 0; tick < 160; tick++) assert.equal(guard.tick(), undefined);
    clock.now += 1;
    for (let tick = 1; tick < 16; tick++) assert.equal(guard.tick(), undefined);
    const again = guard.tick();
    assert.ok(again instanceof Promise);
    await again;
  }));

Deno.test("TurnGuard: one turn serves all guards", () =>
  withClock(async () => {
    const first = new TurnGuard();
    const second = new TurnGuard();
    let turns = 0;
    for (let tick = 0; tick < 16; tick++) {
      for (const guard of [first, second]) {
        const turn = guard.tick();
        if (turn === undefined) continue;
        turns++;
        await turn;
      }
    }
    assert.equal(turns, 1);
  }));

Deno.test("TurnGuard takes a turn that it is told of for its own", () =>
  withClock((clock) => {
    const guard = new TurnGuard();
    for (let round = 0; round < 5; round++) {
      clock.now += 10;
      noteTurn();
      for (let tick = 0; tick < 16; tick++) assert.equal(guard.tick(), undefined);
    }
    return Promise.resolve();
  }));

Deno.test("turnEventLoop works without setImmediate, as in browsers", async () => {
  const { setImmediate } = globalThis as { setImmediate?: unknown };
  Reflect.set(globalThis, "setImmediate", undefined);
  try {
    await turnEventLoop();
  } finally {
    Reflect.set(globalThis, "setImmediate", setImmediate);
  }
});
