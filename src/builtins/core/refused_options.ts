import type { OptionSpec } from "../../command_line/mod.ts";

/** Name of an option that the real tool has and the builtin refuses. */
export type RefusedName = `refused ${string}`;

/** Row of an option table for an option that is refused. */
export interface RefusedOption extends OptionSpec<RefusedName> {
  /** The alternative to suggest; empty if there is none. */
  readonly instead: string;
}

/**
 * Rows of options that are refused, which the help does not list. A key has the spellings of one
 * option, as in `-W --width=`; `=` marks a required argument and `[=]` an optional one. The value
 * says what to use instead, or is empty.
 */
export function refusedOptions(rows: Readonly<Record<string, string>>): RefusedOption[] {
  return Object.entries(rows).map(([spellings, instead]) => {
    const names = spellings.replace(/(\[=\]|=)$/, "").split(" ");
    const short = names.find((name) => !name.startsWith("--"))?.slice(1);
    return {
      name: `refused ${spellings}`,
      long: names.filter((name) => name.startsWith("--")).map((name) => name.slice(2)),
      ...(short !== undefined && { short }),
      argument: spellings.endsWith("[=]")
        ? "optional"
        : spellings.endsWith("=")
        ? "required"
        : "none",
      instead,
    };
  });
}

/** True for the name of a row that {@linkcode refusedOptions} made. */
export function isRefused(name: string): name is RefusedName {
  return name.startsWith("refused ");
}

/** The message for a refused option in the spelling of the command line. */
export function refusalOf(as: string, instead: string): string {
  return `option '${as}' is not supported${instead === "" ? "" : `: ${instead}`}`;
}

/** The message for a refused option of an option table. */
export function refusalIn(options: readonly OptionSpec[], name: RefusedName, as: string): string {
  const row = options.find((option) => option.name === name);
  const instead = row !== undefined && "instead" in row ? row.instead : "";
  return refusalOf(as, typeof instead === "string" ? instead : "");
}
