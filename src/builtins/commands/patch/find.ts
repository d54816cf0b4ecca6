import type { Direction } from "./direction.ts";
import type { PatchFiles, PatchInput } from "./files.ts";
import type { FilePatch } from "./heading.ts";
import type { Talk } from "./talk.ts";
import { quoteName } from "../../text/mod.ts";

/** A file to patch. */
export interface PatchTarget {
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
): Promise<PatchTarget> {
  const input = await files.open(name, true);
  if (input !== "folder") direction.asksAboutFile(patch, name, input);
  return { name, input };
}

/**
 * The file that a patch is for: the best name among those that exist; if none does and the patch
 * creates or removes a file, the best of all; else `undefined`. Names that lead out of the folder
 * are reported and passed over.
 */
export async function findTarget(
  patch: FilePatch,
  files: PatchFiles,
  direction: Direction,
  talk: Talk,
): Promise<PatchTarget | undefined> {
  const names = new Set([patch.old, patch.new].flatMap(({ name }) => name?.name ?? []));
  for (const name of names) {
    if (isSafeName(name)) continue;
    talk.say(`Ignoring potentially dangerous file name ${quoteName(name)}\n`);
    names.delete(name);
  }
  const ordered = [...names].sort(byRank);
  for (const name of ordered) {
    const input = await files.open(name);
    if (input === "missing") continue;
    if (input !== "folder") direction.asksAboutFile(patch, name, input);
    return { name, input };
  }
  const [name] = ordered;
  if (name === undefined) return undefined;
  const asked = direction.asksAboutFile(patch, [...names].at(-1) ?? name, "missing");
  const isNew = asked || direction.saysNonexistent(patch) !== 0;
  return isNew ? { name, input: "missing" } : undefined;
}

/** Puts the name with the fewest parts first, then the one with the shortest last part. */
function byRank(a: string, b: string): number {
  const [of, other] = [rank(a), rank(b)];
  return of.map((value, i) => value - (other[i] ?? 0)).find((each) => each !== 0) ?? 0;
}

/** How many parts a name has, and the lengths of its last one and of itself in bytes. */
function rank(name: string): readonly number[] {
  const parts = name.replace(/\/+$/, "").split(/\/+/);
  const length = (text: string): number => new TextEncoder().encode(text).length;
  return [parts.length, length(parts.at(-1) ?? ""), length(name)];
}

/** Whether a patch may name that file: nothing outside the folder that it is applied in. */
export function isSafeName(name: string): boolean {
  return !name.startsWith("/") && !name.split("/").includes("..");
}
