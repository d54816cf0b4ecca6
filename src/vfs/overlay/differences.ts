import type { Before, LayerTree, Node } from "./tree.ts";
import type { OverlayChange } from "./types.ts";

/** A path at which the layer shows something else. */
export interface Difference {
  readonly path: string;
  /** What the lower files had; nothing if absent. */
  readonly before: Before | undefined;
  /** What the layer has; nothing if absent. */
  readonly after: Node | undefined;
}

/** All differences, sorted; a folder comes before what is in it. */
export function differencesOf(tree: LayerTree): Difference[] {
  return tree.touched().flatMap((path): Difference[] => {
    const before = tree.before.get(path);
    const spot = tree.find(path);
    const after = spot.is === "node" ? spot.node : undefined;
    if (before === undefined && after === undefined) return [];
    if (before?.kind === "folder" && after?.kind === "folder") return [];
    if (after !== undefined && isUntouched(path, after)) return [];
    return [{ path, before, after }];
  });
}

/** The same for everybody. */
export function changeOf({ path, before, after }: Difference): OverlayChange {
  return {
    path,
    kind: before === undefined ? "added" : after === undefined ? "removed" : "changed",
    what: (after ?? before)?.kind ?? "other",
  };
}

/** Whether a node is the lower file at its own place. */
function isUntouched(path: string, node: Node): boolean {
  return node.kind !== "folder" && node.content === undefined && node.from === path;
}
