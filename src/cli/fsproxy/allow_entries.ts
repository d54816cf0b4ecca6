import { UsageError } from "../../command_line/mod.ts";
import type { AllowEntry } from "../../vfs/mod.ts";

/**
 * Reads the arguments of `--allow` and `-i`.
 *
 * @throws {UsageError} One has no path, or something like an unknown right.
 */
export function allowEntries(
  allow: readonly string[],
  inputs: readonly string[],
): readonly AllowEntry[] {
  return [...inputs.map((path) => entry(path, "r", path)), ...allow.map(entryOf)];
}

function entryOf(text: string): AllowEntry {
  const [, rights = "r", path = ""] = /^(?:(rw|r|w):)?(.*)$/s.exec(text) ?? [];
  if (/^[rwax]{1,3}:/i.test(path)) {
    throw new UsageError(`'${text}': give r:, w: or rw: and a path, such as rw:./${path}`);
  }
  return entry(path, rights, text);
}

function entry(path: string, rights: string, text: string): AllowEntry {
  if (path === "" || path.includes("\0")) {
    throw new UsageError(`'${text}' names no path: give one such as r:data or rw:/srv/data`);
  }
  return { path, read: rights.includes("r"), write: rights.includes("w") };
}
