import assert from "node:assert/strict";
import { consume } from "./_consumer.ts";
import { thorough } from "./_optional.ts";

// The type check of the whole package takes much longer, so only a run of all tests does it.
const check = thorough === undefined;

Deno.test("A consumer with an empty cache and no lock file runs", async () => {
  const consumed = await consume({ check });
  assert.equal(consumed.length, 2);
  for (const { name, printed, expected } of consumed) assert.deepEqual(printed, expected, name);
});
