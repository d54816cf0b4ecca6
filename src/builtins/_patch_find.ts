import type { Direction } from "./_patch_direction.ts";
import type { PatchFiles, PatchInput } from "./_patch_files.ts";
import type { FilePatch } from "./_patch_heading.ts";
import type { Talk } from "./_patch_talk.ts";
import { quoteName } from "./_quote.ts";

/** A file to patch. */
export interface Target {
  readonly name: string;
  /** What is in it; a file may be missing, and folders are not patched. */
  readonly input: PatchInput | "missing" | "folder";
}

/** The file that was named on the command line. */
export async function givenTarget(
  name: string,
  patch: FilePatch,
  files: PatchFiles,
  direction: Direction,
): Promise<Target> {
  const input = await files.open(name, true);
  if (input !== "folder") direction.asksAboutFile(patch, name, input === "missing", isEmpty(input));
  return { name, input };
}

/**
 * The file that a patch is for: the best name among those that exist; if none does and the patch
 * creates or removes a file, the best of all; else `undefined`.
 */
export async function findTarget(
  patch: FilePatch,
  files: PatchFiles,
  direction: Direction,
  talk: Talk,
): Promise<Target | undefined> {
  const names = safeNames(patch, talk);
  const found = new Map<string, PatchInput | "folder">();
  for (const name of names) {
    const input = await files.open(name);
    if (input !== "missing") found.set(name, input);
  }
  const best = bestName([...found.keys()]);
  for (const [name, input] of found) {
    if (name !== best && typeof input === "object") await input.close();
  }
  const input = best === undefined ? undefined : found.get(best);
  if (best !== undefined && input !== undefined) {
    if (input !== "folder") direction.asksAboutFile(patch, best, false, isEmpty(input));
    return { name: best, input };
  }
  const last = names.at(-1);
  if (last === undefined) return undefined;
  if (direction.asksAboutFile(patch, last, true, true)) return { name: last, input: "missing" };
  const created = direction.saysNonexistent(patch) > 0 ? bestName(names) : undefined;
  return created === undefined ? undefined : { name: created, input: "missing" };
}

function isEmpty(input: PatchInput | "missing"): boolean {
  return input === "missing" || input.bytes.size === 0;
}

/** The names that a patch gives its file, each once. */
function safeNames({ old, new: fresh, index }: FilePatch, talk: Talk): string[] {
  const given = [old.name, fresh.name, index].flatMap((each) => each?.name ?? []);
  const names = new Set(given);
  for (const name of names) {
    if (isSafe(name)) continue;
    talk.say(`Ignoring potentially dangerous file name ${quoteName(name)}\n`);
    names.delete(name);
  }
  return [...names];
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
function isSafe(name: string): boolean {
  return !name.startsWith("/") && !name.split("/").includes("..");
}
