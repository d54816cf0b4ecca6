import { isWithin } from "../../base/mod.ts";
import { split } from "../_paths.ts";
import type { Difference } from "./differences.ts";

/**
 * Finds the differences that depend on a refused one, with the reason for each. Applying them could
 * remove a file whose new place was refused.
 */
export function dependentsOf(
  differences: readonly Difference[],
  refused: ReadonlyMap<string, string>,
): Map<string, string> {
  const all = new Map(differences.map((difference) => [difference.path, difference]));
  const found = new Map<string, string>();
  const waiting = [...refused.keys()];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const refuse = (other: string, why: string) => {
      if (!all.has(other) || refused.has(other) || found.has(other)) return;
      found.set(other, why);
      waiting.push(other);
    };
    const after = all.get(path)?.after;
    if (after !== undefined && after.kind !== "folder" && after.from !== undefined) {
      refuse(after.from, `${path} was moved from it, and is refused`);
    }
    if (after?.kind === "folder") {
      for (const below of all.keys()) {
        if (below !== path && isWithin(below, path)) refuse(below, `${path} is refused`);
      }
    }
    for (let { folder } = split(path); folder !== "/"; { folder } = split(folder)) {
      // A folder cannot be removed while something stays in it.
      if (all.get(folder)?.before?.kind === "folder") refuse(folder, `${path} in it is refused`);
    }
  }
  return found;
}
