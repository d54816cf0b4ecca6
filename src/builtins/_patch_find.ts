import type { PatchFiles, PatchInput } from "./_patch_files.ts";
import { type FilePatch, stripName } from "./_patch_parse.ts";

/** A file to patch; `input` is `undefined` if it does not exist. */
export interface Target {
  readonly name: string;
  readonly input: PatchInput | undefined;
}

/** The names that a patch gives its file, each once, less their first `strip` parts. */
export function patchNames(
  { old, new: fresh, index }: FilePatch,
  strip: number,
): readonly string[] {
  const named = old.name === undefined && fresh.name === undefined
    ? [index]
    : [old.name, fresh.name];
  const stripped = named.flatMap((name) => name === undefined ? [] : stripName(name, strip) ?? []);
  return [...new Set(stripped)];
}

/**
 * The file that a patch is for: the best name among those that exist; if none does and the patch
 * creates or removes a file, the best of all; else `undefined`.
 */
export async function findTarget(
  names: readonly string[],
  patch: FilePatch,
  files: PatchFiles,
): Promise<Target | undefined> {
  const found = new Map<string, PatchInput>();
  for (const name of names) {
    const input = await files.open(name);
    if (input !== undefined) found.set(name, input);
  }
  const best = bestName([...found.keys()]);
  for (const [name, input] of found) if (name !== best) await input.close();
  if (best !== undefined) return { name: best, input: found.get(best) };
  const named = patch.old.nonexistent > 0 || patch.new.nonexistent > 0;
  const created = named ? bestName(names) : undefined;
  return created === undefined ? undefined : { name: created, input: undefined };
}

/** The name with the fewest parts, then the shortest last part, then the shortest, then the first. */
function bestName(names: readonly string[]): string | undefined {
  const rank = (name: string): readonly number[] => {
    const parts = name.split("/");
    return [parts.length, parts.at(-1)?.length ?? 0, name.length];
  };
  let best: string | undefined;
  for (const name of names) {
    if (best === undefined) {
      best = name;
      continue;
    }
    const [a, b] = [rank(name), rank(best)];
    const i = a.findIndex((value, at) => value !== b[at]);
    if (i >= 0 && (a[i] ?? 0) < (b[i] ?? 0)) best = name;
  }
  return best;
}

/** Whether a patch may name that file: nothing outside the folder that it is applied in. */
export function isSafe(name: string): boolean {
  return !name.startsWith("/") && !name.split("/").includes("..");
}
