import { longNames, type OptionSpec } from "./options.ts";

/** All spellings of an option, with their dashes: `-o`, `--output`. */
export function spellings(option: OptionSpec): string[] {
  const short = option.short === undefined ? [] : [`-${option.short}`];
  return [...short, ...longNames(option).map((long) => `--${long}`)];
}

/** Form of an option's argument behind its spellings: `=FILE`, `[=WHEN]`, ` FILE`. */
export interface ArgumentForm {
  readonly before: string;
  /** Placeholder for the argument in the help: `FILE`. */
  readonly name: string;
  readonly after: string;
}

/** Returns the form of the argument; `undefined` for an option without one. */
export function argumentForm(option: OptionSpec): ArgumentForm | undefined {
  const { argument = "none", argumentName: name = "ARG" } = option;
  if (argument === "none") return undefined;
  const sign = option.long === undefined ? "" : "=";
  return argument === "optional"
    ? { before: `[${sign}`, name, after: "]" }
    : { before: sign || " ", name, after: "" };
}

/** The option as the help shows it: `-o, --output=FILE`. */
export function optionLabel(option: OptionSpec): string {
  const form = argumentForm(option);
  const all = spellings(option).join(", ");
  return form === undefined ? all : `${all}${form.before}${form.name}${form.after}`;
}
