import assert from "node:assert/strict";
import { Alarm } from "./alarm.ts";

function later(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

Deno.test("Alarm rings once, and no earlier than it was set for", async () => {
  const alarm = new Alarm();
  const begin = performance.now();
  let rings = 0;
  await new Promise<void>((resolve) => {
    alarm.set(20, () => {
      rings++;
      resolve();
    });
  });
  assert.ok(performance.now() - begin >= 20);
  await later(30);
  assert.equal(rings, 1);
});

Deno.test("Alarm calls what was set last, at its time, earlier or later than before", async () => {
  const rung: string[] = [];
  const alarm = new Alarm();
  await new Promise<void>((resolve) => {
    alarm.set(60_000, () => rung.push("first"));
    alarm.set(5, () => {
      rung.push("second");
      resolve();
    });
  });
  const begin = performance.now();
  await new Promise<void>((resolve) => {
    alarm.set(5, () => rung.push("third"));
    alarm.set(40, () => {
      rung.push("fourth");
      resolve();
    });
  });
  assert.ok(performance.now() - begin >= 40);
  assert.deepEqual(rung, ["second", "fourth"]);
});

Deno.test("Alarm that is cleared calls nothing, and can be set again, also after its time", async () => {
  const rung: string[] = [];
  const alarm = new Alarm();
  alarm.set(5, () => rung.push("cleared"));
  alarm.clear();
  await later(20);
  await new Promise<void>((resolve) => alarm.set(1, resolve));
  alarm.set(60_000, () => rung.push("cleared"));
  alarm.clear();
  await new Promise<void>((resolve) => alarm.set(1, resolve));
  alarm.clear();
  assert.deepEqual(rung, []);
});

Deno.test("Alarm takes any time: none, a fraction, for ever", async () => {
  const alarm = new Alarm();
  for (const time of [0, -1, 0.4]) {
    await new Promise<void>((resolve) => alarm.set(time, resolve));
  }
  let rang = false;
  alarm.set(Infinity, () => rang = true);
  await later(5);
  alarm.clear();
  assert.equal(rang, false);
});
