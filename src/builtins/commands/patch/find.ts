import type { Direction } from "./direction.ts";
import type { PatchFiles, PatchInput } from "./files.ts";
import type { FilePatch } from "./heading.ts";
import type { Talk } from "./talk.ts";
import { quoteName } from "../../text/mod.ts";

/** A file to patch. */
export interface PatchTarget {
  readonly name: string;
  /** Its contents; a file may be missing, and folders cannot be patched. */
  readonly input: PatchInput | "missing" | "folder";
}

/** The file named on the command line. */
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
 * The file that a patch applies to: the best name among existing files; if none exists and the
 * patch creates or removes a file, the best name of all; otherwise `undefined`. Names that lead out
 * of the folder are reported and ignored.
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

/**
 * Sorts the name with the fewest components first, then the one with the shortest last component.
 */
function byRank(a: string, b: string): number {
  const [of, other] = [rank(a), rank(b)];
  return of.map((value, i) => value - (other[i] ?? 0)).find((each) => each !== 0) ?? 0;
}

/**
 * The number of components of a name, and the lengths of the last one and of the whole name in
 * bytes.
 */
function rank(name: string): readonly number[] {
  const parts = name.replace(/\/+$/, "").split(/\/+/);
  const length = (text: string): number => new TextEncoder().encode(text).length;
  return [parts.length, length(parts.at(-1) ?? ""), length(name)];
}

/** True if a patch may name that file: nothing outside of the folder that it is applied in. */
export function isSafeName(name: string): boolean {
  return !name.startsWith("/") && !name.split("/").includes("..");
}
