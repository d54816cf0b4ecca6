import assert from "node:assert/strict";
import { consume } from "./_consumer.ts";

// That it passes the type check takes much longer: `deno task consumer`, a part of `deno task ok`.
Deno.test("A consumer with an empty cache and no lock file runs", async () => {
  const consumed = await consume({ check: false });
  assert.equal(consumed.length, 2);
  for (const { name, printed, expected } of consumed) assert.deepEqual(printed, expected, name);
});
