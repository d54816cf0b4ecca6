import assert from "node:assert/strict";
import { systemClock } from "./clock.ts";

Deno.test("systemClock sleeps and tells the time", async () => {
  const before = systemClock.now();
  await systemClock.sleep(5, new AbortController().signal);
  assert(systemClock.now() >= before);
});

Deno.test("systemClock's sleep ends with the signal and leaves no timer", async () => {
  const stop = new AbortController();
  const sleep = systemClock.sleep(3_600_000, stop.signal);
  stop.abort(new Error("stop"));
  await assert.rejects(sleep, { message: "stop" });
  await assert.rejects(systemClock.sleep(3_600_000, stop.signal), { message: "stop" });
});
