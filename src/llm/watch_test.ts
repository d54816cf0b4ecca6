import assert from "node:assert/strict";
import { watchLimits, type WatchOptions } from "./_watch.ts";

Deno.test("watchLimits lets an answer pause for a minute, or as long as it may take to begin", () => {
  const cases: [WatchOptions, idle: number, name: string][] = [
    [{}, 120_000, "firstTokenTimeout"],
    [{ firstTokenTimeout: 200 }, 60_000, "firstTokenTimeout"],
    [{ firstTokenTimeout: Infinity, names: { firstTokenTimeout: "WAIT" } }, Infinity, "WAIT"],
    [{ firstTokenTimeout: 90_000, idleTimeout: 50 }, 50, "idleTimeout"],
  ];
  for (const [options, idleTimeout, idleName] of cases) {
    const limits = watchLimits(options);
    assert.deepEqual([limits.idleTimeout, limits.idleName], [idleTimeout, idleName]);
  }
});
