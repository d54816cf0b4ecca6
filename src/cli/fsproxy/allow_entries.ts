import { UsageError } from "../../command_line/mod.ts";
import type { AllowEntry } from "../../vfs/mod.ts";

/**
 * What the arguments of `--allow` and `-i` let a program do.
 *
 * @throws {UsageError} One names no path.
 */
export function allowEntries(
  allow: readonly string[],
  inputs: readonly string[],
): readonly AllowEntry[] {
  return [...inputs.map((path) => entry(path, "r", path)), ...allow.map(entryOf)];
}

function entryOf(text: string): AllowEntry {
  const [, rights = "r", path = ""] = /^(?:(rw|r|w):)?(.*)$/s.exec(text) ?? [];
  return entry(path, rights, text);
}

function entry(path: string, rights: string, text: string): AllowEntry {
  if (path === "" || path.includes("\0")) {
    throw new UsageError(`'${text}' names no path: give one such as r:data or rw:/srv/data`);
  }
  return { path, read: rights.includes("r"), write: rights.includes("w") };
}
