import { namesOf, type Reader, type Setting, usualOf } from "./setting.ts";
import { ROWS } from "./table.ts";

/** The meaning of a setting with its default, for help. */
export function helpOf(setting: Setting, reader: Reader): string {
  const fallback = usualOf(setting, reader) ?? setting.otherwise;
  return fallback === undefined ? setting.about : `${setting.about} (${fallback})`;
}

/**
 * The variables of a reader and their meaning, for the section `Environment` of a help page. A
 * setting whose option is in `options` refers to that option.
 */
export function variableTerms(
  reader: Reader,
  options: readonly string[] = [],
): (readonly [name: string, about: string])[] {
  return ROWS.flatMap((row) => {
    const [name, ...others] = namesOf(row, reader);
    if (name === undefined) return [];
    if (row.option !== undefined && options.includes(row.option)) {
      return [[name, `as --${row.option}`] as const];
    }
    const condition = reader === "llmcmd" && row.condition !== undefined ? ` ${row.condition}` : "";
    const about = [row.about, ...others.map((other) => `else ${other}${condition}`)].join("; ");
    return [[name, helpOf({ ...row, about }, reader)] as const];
  });
}

/** All variables of a reader. */
export function variablesOf(reader: Reader): string[] {
  return ROWS.flatMap((row) => namesOf(row, reader));
}
