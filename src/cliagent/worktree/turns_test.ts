import assert from "node:assert/strict";
import { Turns } from "./turns.ts";

Deno.test("Turns lets those of one name work one after another, and others beside them", async () => {
  const turns = new Turns();
  const told: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = turns.take("a", async () => {
    told.push("a1 begins");
    await gate.promise;
    told.push("a1 ends");
    throw new Error("no");
  });
  const second = turns.take("a", () => {
    told.push("a2");
    return Promise.resolve(2);
  });
  await turns.take("b", () => Promise.resolve(told.push("b")));
  gate.resolve();
  await assert.rejects(first, /no/);
  assert.equal(await second, 2);
  assert.deepEqual(told, ["a1 begins", "b", "a1 ends", "a2"]);
});
