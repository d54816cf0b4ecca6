import { isWithin } from "../../base/mod.ts";
import { privateFiles } from "../../sys/mod.ts";

/** A path that a sandbox would show, and the hidden path that it would reveal. */
interface ShownPath {
  readonly path: string;
  readonly kept: string;
}

/**
 * Finds the first path in `shown` that is inside a hidden path or contains one; `undefined` if
 * there is none. All are absolute; links are followed.
 */
export async function shownPath(
  shown: readonly string[],
  hidden: readonly string[],
): Promise<ShownPath | undefined> {
  const real = async (path: string) => await privateFiles().realPath(path) ?? path;
  const places: (readonly [path: string, place: string])[] = [];
  for (const path of shown) places.push([path, await real(path)]);
  for (const kept of hidden) {
    const own = await real(kept);
    const found = places.find(([, place]) => isWithin(own, place) || isWithin(place, own));
    if (found !== undefined) return { path: found[0], kept };
  }
  return undefined;
}
