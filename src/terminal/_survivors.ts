import type { Survivors } from "../ports/mod.ts";
import { processHost } from "../sys/mod.ts";

/** Throws if processes of killed commands are left or, on Linux, may be left. */
export function checkSurvivors(left: readonly Survivors[]): void {
  const known = left.filter((count) => count !== "unknown");
  const survivors = known.reduce((sum, count) => sum + count, 0);
  if (survivors > 0) {
    throw new Error(
      `Cannot kill ${survivors} processes that commands started: they belong to another user ` +
        "(a sandbox prevents that)",
    );
  }
  // Without /proc the result is never certain, so that is no error there.
  if (known.length < left.length && processHost().os === "linux") {
    throw new Error(
      "Cannot tell whether processes that commands started are left: they may start others " +
        "faster than they are found (python3 or a sandbox prevents that)",
    );
  }
}
