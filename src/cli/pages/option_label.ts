import type { CommandOption } from "./command_page.ts";

/** Long spellings of an option, without dashes. */
export function longSpellings(option: CommandOption): readonly string[] {
  if (option.long === undefined) return [];
  return typeof option.long === "string" ? [option.long] : option.long;
}

/** How help and manual show an option: `-o, --output=FILE`. */
export function optionLabel(option: CommandOption): string {
  const longs = longSpellings(option).map((long) => `--${long}`);
  const spellings = option.short === undefined ? longs : [`-${option.short}`, ...longs];
  const label = spellings.join(", ");
  return option.argument === "required" ? `${label}=${option.argumentName ?? "ARG"}` : label;
}
