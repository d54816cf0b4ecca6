import assert from "node:assert/strict";
import { untilSignal } from "./signals.ts";

/** Waits for the signal, and fails if it doesn't come. */
function aborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(signal.reason), { once: true });
  });
}

Deno.test("untilSignal gives the status of work that ends by itself", async () => {
  assert.equal(await untilSignal(() => Promise.resolve(7), () => Promise.resolve()), 7);
});

Deno.test("untilSignal passes on what the work throws", async () => {
  const work = () => Promise.reject(new RangeError("broken"));
  await assert.rejects(untilSignal(work, () => Promise.resolve()), { message: "broken" });
});

Deno.test("untilSignal ends the work when a rejection is handled by nobody", async () => {
  let reason: unknown;
  const run = untilSignal(async (signal) => {
    Promise.reject(new RangeError("forgotten"));
    reason = await aborted(signal);
    return 0;
  }, () => Promise.resolve());
  await assert.rejects(run, { name: "RangeError", message: "forgotten" });
  assert.equal((reason as Error).message, "forgotten");
});
