import { isWithin } from "../../base/mod.ts";
import { type ParsedArgument, UsageError } from "../../command_line/mod.ts";
import { pathKind, privateFiles } from "../../sys/mod.ts";
import type { AllowEntry } from "../../vfs/mod.ts";

/** The files that a command line names. */
export interface NamedFiles {
  /** The command line of llmcmd. */
  readonly given: readonly ParsedArgument[];
  readonly entries: readonly AllowEntry[];
  readonly journal: string | undefined;
  /** True if writes of the program stay in a layer. */
  readonly layered: boolean;
}

/**
 * Refuses files that would overwrite each other: one of two outputs would be lost, or a program
 * could rewrite its journal. `below` makes a path absolute.
 *
 * @throws {UsageError}
 */
export async function refuseClashes(
  { given, entries, journal, layered }: NamedFiles,
  below: (path: string) => string,
): Promise<void> {
  const [output, second] = valuesOf(given, "output");
  if (second !== undefined) {
    throw new UsageError(
      `-o is given twice, for ${output} and ${second}: give one, and --allow w:FILE for others`,
    );
  }
  const place = output === undefined ? undefined : await placeOf(below(output));
  for (const input of valuesOf(given, "input")) {
    if (await placeOf(below(input)) !== place) continue;
    throw new UsageError(
      `${input} is the input and the output, which begins empty: give -o another name`,
    );
  }
  if (journal === undefined) return;
  const records = await placeOf(below(journal));
  if (records === place) throw new UsageError(`${journal} is the journal and the output`);
  for (const { path, write } of entries) {
    const allowed = await placeOf(below(path));
    if (records !== allowed && (layered || !write || !isWithin(records, allowed))) continue;
    throw new UsageError(
      `COMMAND may ${write ? "write" : "read"} the journal ${journal}, as ${path} is allowed: ` +
        "write the journal elsewhere",
    );
  }
}

/** Allowed paths that may only be read and do not exist. */
export function missingInputs(
  { entries, layered }: NamedFiles,
  below: (path: string) => string,
): string[] {
  if (layered) return [];
  return entries.flatMap(({ path, write }) =>
    !write && pathKind(below(path)) === "missing" ? [path] : []
  );
}

function valuesOf(given: readonly ParsedArgument[], name: string): string[] {
  return given.flatMap((item) => item.kind === "option" && item.name === name ? [item.value] : []);
}

/**
 * Resolves links of a path, which may be of a new file. Parts that cannot be read stay as they are.
 */
async function placeOf(path: string): Promise<string> {
  const real = (at: string) => privateFiles().realPath(at).catch(() => undefined);
  const [, folder = "/", name = ""] = /^(.*)\/([^/]*)$/s.exec(path) ?? [];
  return await real(path) ?? `${await real(folder || "/") ?? folder}/${name}`;
}
