import type { Before, LayerTree, Node } from "./tree.ts";
import type { OverlayChange } from "./types.ts";

/** A path at which the layer differs from the lower files. */
export interface Difference {
  readonly path: string;
  /** The lower file's recorded state; absent if there was none. */
  readonly before: Before | undefined;
  /** The layer's entry; absent if it was removed. */
  readonly after: Node | undefined;
}

/** All differences, sorted; a folder comes before its entries. */
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

/** Converts a difference to the public form. */
export function changeOf({ path, before, after }: Difference): OverlayChange {
  return {
    path,
    kind: before === undefined ? "added" : after === undefined ? "removed" : "changed",
    what: (after ?? before)?.kind ?? "other",
  };
}

/** True if a node is a lower file at its own path. */
function isUntouched(path: string, node: Node): boolean {
  return node.kind !== "folder" && node.content === undefined && node.from === path;
}
