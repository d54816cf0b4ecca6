import { longNames, type OptionSpec } from "./options.ts";

/** All spellings of an option, with their dashes: `-o`, `--output`. */
export function spellings(option: OptionSpec): string[] {
  const short = option.short === undefined ? [] : [`-${option.short}`];
  return [...short, ...longNames(option).map((long) => `--${long}`)];
}

/** How an option's argument is written after its spellings: `=FILE`, `[=WHEN]`, ` FILE`. */
export interface ArgumentForm {
  readonly before: string;
  /** What the help calls the argument: `FILE`. */
  readonly name: string;
  readonly after: string;
}

/** How the argument is written; `undefined` for an option that takes none. */
export function argumentForm(option: OptionSpec): ArgumentForm | undefined {
  const { argument = "none", argumentName: name = "ARG" } = option;
  if (argument === "none") return undefined;
  const sign = option.long === undefined ? "" : "=";
  return argument === "optional"
    ? { before: `[${sign}`, name, after: "]" }
    : { before: sign || " ", name, after: "" };
}

/** How the help shows an option: `-o, --output=FILE`. */
export function optionLabel(option: OptionSpec): string {
  const form = argumentForm(option);
  const all = spellings(option).join(", ");
  return form === undefined ? all : `${all}${form.before}${form.name}${form.after}`;
}
