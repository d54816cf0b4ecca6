import assert from "node:assert/strict";
import { eachAtOnce } from "./each_at_once.ts";

Deno.test("eachAtOnce does all in their order, and no more than so many at a time", async () => {
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  await eachAtOnce([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    begun.push(item);
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 0));
    running--;
  });
  assert.deepEqual([begun, most, running], [[1, 2, 3, 4, 5, 6, 7], 3, 0]);
  await eachAtOnce([], 3, () => Promise.reject(new Error("nothing is there")));
});

Deno.test("eachAtOnce begins no more after a failure, and waits for what was begun", async () => {
  const done: number[] = [];
  const failing = eachAtOnce([1, 2, 3, 4], 2, async (item) => {
    if (item === 1) throw new Error("first");
    await new Promise((resolve) => setTimeout(resolve, 0));
    done.push(item);
    throw new Error("second");
  });
  await assert.rejects(failing, { message: "first" });
  assert.deepEqual(done, [2]);
});
