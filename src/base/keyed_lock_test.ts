import assert from "node:assert/strict";
import { KeyedLock } from "./keyed_lock.ts";

Deno.test("KeyedLock lets those of one key work one after another, and others beside them", async () => {
  const lock = new KeyedLock();
  const told: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = lock.run("a", async () => {
    told.push("a1 begins");
    await gate.promise;
    told.push("a1 ends");
    throw new Error("no");
  });
  const second = lock.run("a", () => {
    told.push("a2");
    return Promise.resolve(2);
  });
  await lock.run("b", () => Promise.resolve(told.push("b")));
  gate.resolve();
  await assert.rejects(first, /no/);
  assert.equal(await second, 2);
  assert.deepEqual(told, ["a1 begins", "b", "a1 ends", "a2"]);
});
