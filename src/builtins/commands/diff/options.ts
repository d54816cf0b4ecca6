import { InvalidArgument } from "../../core/mod.ts";
import type { DiffOption } from "./command.ts";
import { DiffPatterns, type LineTest } from "./patterns.ts";
import type { Sameness } from "./sameness.ts";
import { type ParsedArgument, UsageError } from "../../../command_line/mod.ts";

/** Output format of the differences. */
export type DiffStyle = "normal" | "context" | "unified";

/** Settings read from a command line of `diff`. */
export interface DiffSettings {
  readonly files: readonly [string, string];
  readonly style: DiffStyle;
  readonly context: number;
  readonly horizon: number;
  readonly brief: boolean;
  readonly reportIdentical: boolean;
  readonly labels: readonly string[];
  readonly sameness: Sameness;
  /** True if output is coloured for a terminal. */
  readonly colors: boolean;
  readonly blankLines: boolean;
  /** True for a line that `-I` lets be ignored; all patterns are alternatives. */
  readonly ignored: LineTest | undefined;
  /** True for a line that is the heading to show (`-p`, `-F`). */
  readonly heading: LineTest | undefined;
  readonly expandTabs: boolean;
  readonly initialTab: boolean;
  readonly tabSize: number;
  readonly suppressBlankEmpty: boolean;
  readonly newFile: boolean;
  readonly newFirstFile: boolean;
  readonly text: boolean;
  readonly stripCr: boolean;
  readonly minimal: boolean;
  readonly speed: boolean;
}

/** Reads the settings from options and operands. `args` is for the message on a missing operand. */
export function readDiffSettings(
  items: Iterable<ParsedArgument<DiffOption>>,
  args: readonly string[],
): DiffSettings {
  const files: string[] = [];
  const labels: string[] = [];
  const given = new Set<DiffOption>();
  const ignored = new DiffPatterns();
  const headings = new DiffPatterns();
  let style: DiffStyle | undefined;
  let space = 0;
  let context = -1;
  let explicit = false;
  /** The digits of `-NUM`, and whether the option before was one of them. */
  let obsolete = "";
  let digits = false;
  let horizon = 0;
  let colors = false;
  let tabSize: number | undefined;
  const setStyle = (wanted: DiffStyle): void => {
    if (style !== undefined && style !== wanted) {
      throw new UsageError("conflicting output style options");
    }
    style = wanted;
  };
  for (const item of items) {
    if (item.kind === "operand") {
      files.push(item.value);
      continue;
    }
    const { name, value } = item;
    given.add(name);
    if (name === "digit") obsolete = (digits ? obsolete : "") + item.as.slice(1);
    digits = name === "digit";
    if (name === "label") {
      labels.push(value);
      if (labels.length > 2) throw new InvalidArgument("too many file label options");
    } else if (name === "normal") setStyle(name);
    else if (name.startsWith("context") || name.startsWith("unified")) {
      const lines = item.hasValue ? count(value, "context length", 0) : 3;
      setStyle(name.startsWith("c") ? "context" : "unified");
      context = Math.max(context, lines);
      if (name.endsWith("Lines")) explicit = true;
    } else if (name === "functions") headings.add("^[[:alpha:]$_]");
    else if (name === "functionLine") headings.add(value);
    else if (name === "ignoreMatching") ignored.add(value);
    else if (name === "tabSize") {
      const size = count(value, "tabsize", 1);
      if ((tabSize ?? size) !== size) throw new InvalidArgument("conflicting tabsize options");
      tabSize = size;
    } else if (name === "horizon") horizon = Math.max(horizon, count(value, "horizon length", 0));
    else if (name === "tabExpansion") space = space < 4 ? space | 1 : space;
    else if (name === "trailingSpace") space = space < 4 ? space | 2 : space;
    else if (name === "spaceChange") space = Math.max(space, 4);
    else if (name === "allSpace") space = 5;
    else if (name === "color") colors = isColored(item.hasValue ? value : "auto");
  }
  const heading = headings.test();
  const ignorable = ignored.test();
  if (files.length < 2) {
    throw new UsageError(`missing operand after '${files[0] ?? args.at(-1) ?? "diff"}'`);
  }
  if (files[2] !== undefined) throw new UsageError(`extra operand '${files[2]}'`);
  if (style === undefined) style = given.has("functions") ? "context" : "normal";
  if (context < 0) context = given.has("functions") && style === "context" ? 3 : 0;
  if (obsolete !== "" && (style === "context" || style === "unified")) {
    const lines = Math.min(Number(obsolete), 2 ** 30);
    context = explicit ? Math.max(context, lines) : lines;
  }
  return {
    files: [files[0] ?? "", files[1] ?? ""],
    style,
    context,
    horizon: Math.max(horizon, context),
    brief: given.has("brief"),
    reportIdentical: given.has("identical"),
    labels,
    sameness: {
      ignoreCase: given.has("ignoreCase"),
      // As in GNU diff, -E with -Z does not expand tabs.
      space: (["exact", "tabs", "trailing", "trailing", "amount", "all"] as const)[space] ?? "all",
      tabSize: tabSize ?? 8,
    },
    colors,
    blankLines: given.has("blankLines"),
    ignored: ignorable,
    heading,
    expandTabs: given.has("expandTabs"),
    initialTab: given.has("initialTab"),
    tabSize: tabSize ?? 8,
    suppressBlankEmpty: given.has("suppressBlankEmpty"),
    newFile: given.has("newFile"),
    newFirstFile: given.has("newFile") || given.has("unidirectional"),
    text: given.has("text"),
    stripCr: given.has("stripCr"),
    minimal: given.has("minimal"),
    speed: given.has("speed"),
  };
}

function count(text: string, what: string, least: number): number {
  const value = /^(?:[ \t\n\v\f\r]*[+-]?\d+)?$/.test(text) ? Number(text) : -1;
  if (value < least) throw new UsageError(`invalid ${what} '${text}'`);
  return Math.min(value, 2 ** 30);
}

/** True if `--color` asks for colours; a builtin never writes to a terminal. */
function isColored(when: string): boolean {
  if (["always", "never", "auto"].includes(when)) return when === "always";
  throw new UsageError(`invalid color '${when}'`);
}
