import type { Direction } from "./direction.ts";
import type { PatchFiles, PatchInput } from "./files.ts";
import type { FilePatch, Side } from "./heading.ts";
import type { Talk } from "./talk.ts";
import { quoteName } from "../../text/mod.ts";

/** A file to patch. */
export interface Target {
  readonly name: string;
  /** What is in it; a file may be missing, and folders are not patched. */
  readonly input: PatchInput | "missing" | "folder";
  /** The file that it is taken for when it is removed; see {@linkcode FileHistory}. */
  readonly id: number;
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
  const { history } = files;
  return { name, input, id: input === "missing" ? history.newId() : history.idOf(name) };
}

/**
 * The file that a patch is for: the best name among those that exist; if none does and the patch
 * creates or removes a file, the best of those that need the fewest new folders; else `undefined`.
 * Skips a patch that renames or copies and lacks one of the names.
 */
export async function findTarget(
  patch: FilePatch,
  files: PatchFiles,
  direction: Direction,
  talk: Talk,
): Promise<Target | undefined> {
  const names = new PatchNames(patch, talk);
  const target = await findNamed(patch, names, files, direction);
  const move = patch.git?.move;
  if (move === undefined) return target;
  const sides = direction.reverse ? [patch.new, patch.old] : [patch.old, patch.new];
  const isValid = ({ name }: Side): boolean => name !== undefined && names.isSafe(name.name);
  if (target === undefined || !sides.every(isValid)) {
    const doing = patch.git?.renames === true ? "rename" : move;
    talk.say(`Cannot ${doing} file without two valid file names\n`);
    direction.skip = true;
  }
  return target;
}

async function findNamed(
  patch: FilePatch,
  names: PatchNames,
  files: PatchFiles,
  direction: Direction,
): Promise<Target | undefined> {
  const { history } = files;
  const found = new Map<string, PatchInput | "folder">();
  for (const name of names.all) {
    // What is outside of the folder is not looked at: it counts as missing.
    if (!isSafeName(name)) {
      if (!leadsOut(name)) names.isSafe(name);
      continue;
    }
    if (found.has(name)) continue;
    const input = await files.open(name);
    if (input !== "missing") found.set(name, input);
  }
  const best = names.best((name) => found.has(name));
  for (const [name, input] of found) {
    if (name !== best && typeof input === "object") await input.close();
  }
  const input = best === undefined ? undefined : found.get(best);
  if (best !== undefined && input !== undefined) {
    if (input !== "folder") direction.asksAboutFile(patch, best, false, isEmpty(input));
    return { name: best, input, id: history.idOf(best) };
  }
  const last = names.all.at(-1);
  if (last === undefined) return undefined;
  const missing = (name: string | undefined): Target | undefined =>
    name === undefined ? undefined : { name, input: "missing", id: missingId(name, files) };
  if (direction.asksAboutFile(patch, last, true, true)) {
    // Of a name that is there twice GNU's has not looked at the second.
    return names.all.at(-2) === last
      ? { name: last, input: "missing", id: history.newId() }
      : missing(last);
  }
  if (direction.saysNonexistent(patch) === 0) return undefined;
  const folders = new Map<string, number>();
  for (const name of names.all) folders.set(name, await newFolders(name, files));
  const fewest = Math.min(...folders.values());
  return missing(names.best((name) => folders.get(name) === fewest));
}

/** How many folders a file needs that are not there. */
async function newFolders(name: string, files: PatchFiles): Promise<number> {
  const parts = [...name.matchAll(/[^/](?=\/)/g)].map(({ index }) => name.slice(0, index + 1));
  for (const [i, folder] of parts.entries()) {
    if (!isSafeName(folder) || !await files.isFolder(folder)) return parts.length - i;
  }
  return 0;
}

/** What a missing file is taken for: one that patches have doomed is still there. */
function missingId(name: string, { history }: PatchFiles): number {
  return history.stateOf(name) === "doomed" ? history.idOf(name) : history.newId();
}

function isEmpty(input: PatchInput | "missing"): boolean {
  return input === "missing" || input.bytes.size === 0;
}

/** The names that a patch gives its file. */
class PatchNames {
  /** The old name, the new one and that of the index, as far as they are there. */
  readonly all: readonly string[];
  readonly #talk: Talk;
  readonly #told = new Set<string>();

  constructor({ old, new: fresh, index }: FilePatch, talk: Talk) {
    this.all = [old.name, fresh.name, index].flatMap((each) => each?.name ?? []);
    this.#talk = talk;
  }

  /** Whether a patch may name that file; tells of one that it may not, once. */
  isSafe(name: string): boolean {
    if (isSafeName(name)) return true;
    if (!this.#told.has(name)) {
      this.#talk.say(`Ignoring potentially dangerous file name ${quoteName(name)}\n`);
    }
    this.#told.add(name);
    return false;
  }

  /**
   * Of those that `may` be taken the name with the fewest parts, then the shortest last part, then
   * the shortest, then the first. As for GNU's there is none where a name has fewer parts than one
   * before, but a longer last part.
   */
  best(may: (name: string) => boolean): string | undefined {
    const least = [Infinity, Infinity, Infinity];
    for (const name of this.all) {
      if (!may(name)) continue;
      for (const [i, value] of rank(name).entries()) {
        if (value > (least[i] ?? 0)) break;
        least[i] = value;
      }
    }
    return this.all.find((name) =>
      may(name) && this.isSafe(name) && rank(name).every((value, i) => value === least[i])
    );
  }
}

/** How many parts a name has, and the lengths of its last one and of itself in bytes. */
function rank(name: string): readonly number[] {
  const parts = name.replace(/\/+$/, "").split(/\/+/);
  const length = (text: string): number => new TextEncoder().encode(text).length;
  return [parts.length, length(parts.at(-1) ?? ""), length(name)];
}

/** Whether a name leads out of the folder, which GNU's takes for a file that is missing. */
function leadsOut(name: string): boolean {
  let depth = 0;
  return !name.startsWith("/") && name.split("/").some((part) => {
    if (part === "..") depth--;
    else if (part !== "" && part !== ".") depth++;
    return depth < 0;
  });
}

/** Whether a patch may name that file: nothing outside the folder that it is applied in. */
export function isSafeName(name: string): boolean {
  return !name.startsWith("/") && !name.split("/").includes("..");
}
