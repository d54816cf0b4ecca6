import assert from "node:assert/strict";
import { race } from "../bench/_race.ts";
import { notLinux, optional } from "./_optional.ts";

Deno.test({
  ...optional(
    "no folder or file that becomes a link leads out of what an FS proxy allows",
    "python3",
    notLinux,
  ),
  async fn() {
    const { swaps, counts } = await race(2, () => ["--allow-all"]);
    assert(swaps > 0);
    const escapes = Object.entries(counts).map(([what, { escapes }]) => [what, escapes]);
    assert.deepEqual(escapes.filter(([, number]) => number !== 0), []);
    assert.equal(escapes.length, 12);
    for (const [what, { attempts }] of Object.entries(counts)) assert(attempts > 0, what);
    const done = Object.values(counts).reduce((sum, { done }) => sum + done, 0);
    assert(done > 0);
  },
});
