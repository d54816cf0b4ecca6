/**
 * Type-checks and runs projects that depend on this package from its folder, with an empty cache
 * and no lock file. Run by `deno task consumer`; exits 1 when one does not do what it should.
 */
import assert from "node:assert/strict";
import { consume } from "../tests/_consumer.ts";

for (const { name, printed, expected } of await consume({ check: true })) {
  assert.deepEqual(printed, expected, name);
  console.info(`A consumer of ${name} type-checks and runs`);
}
