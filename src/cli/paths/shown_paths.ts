import { isWithin } from "../../base/mod.ts";
import { privateFiles } from "../../sys/mod.ts";

/** A path that a sandbox would show, and what must not be seen. */
interface ShownPath {
  readonly path: string;
  readonly kept: string;
}

/**
 * The first path that would show something which must not be seen, or a part of it; `undefined` if
 * none would. All are absolute; links are followed.
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
