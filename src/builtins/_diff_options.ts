import { compileRegex, RegexError } from "../regex/mod.ts";
import { InvalidArgument, standardOptions } from "./_command.ts";
import type { Sameness } from "./_diff_text.ts";
import { type CommandSpec, longNames, type ParsedArgument, UsageError } from "./options.ts";

const NAMES = [
  "brief",
  "identical",
  "context",
  "contextLines",
  "unified",
  "unifiedLines",
  "label",
  "functions",
  "functionLine",
  "ignoreMatching",
  "tabSize",
  "horizon",
  "color",
  "width",
  "digit",
  "normal",
  "ed",
  "rcs",
  "sideBySide",
  "leftColumn",
  "suppressCommon",
  "expandTabs",
  "initialTab",
  "suppressBlankEmpty",
  "newFile",
  "unidirectional",
  "ignoreCase",
  "tabExpansion",
  "trailingSpace",
  "spaceChange",
  "allSpace",
  "blankLines",
  "text",
  "stripCr",
  "minimal",
  "speed",
  "nothing",
  "refused",
] as const;

/** The options of `diff`. */
export type DiffOption = typeof NAMES[number] | "help" | "version";

const refusedFlags = [
  ["l", "paginate"],
  ["f", "forward-ed"],
  ["", "sdiff-merge-assist"],
].map(([short = "", long = ""]) => ({
  name: "refused" as const,
  ...(short !== "" && { short }),
  long,
}));

const refusedWithArgument = [
  ["x", "exclude"],
  ["X", "exclude-from"],
  ["S", "starting-file"],
  ["", "from-file"],
  ["", "to-file"],
  ["D", "ifdef"],
  ["", "line-format"],
  ["", "old-line-format"],
  ["", "new-line-format"],
  ["", "unchanged-line-format"],
  ["", "old-group-format"],
  ["", "new-group-format"],
  ["", "unchanged-group-format"],
  ["", "changed-group-format"],
  ["", "palette"],
].map(([short = "", long = ""]) => ({
  name: "refused" as const,
  argument: "required" as const,
  ...(short !== "" && { short }),
  long,
}));

const digits = Array.from("0123456789", (short) => ({ name: "digit" as const, short }));

const spec: CommandSpec<DiffOption> = {
  name: "diff",
  usage: "[OPTION]... FILES",
  summary: "Compare FILES line by line.",
  options: [
    { name: "normal", long: "normal", help: "output a normal diff (the default)" },
    { name: "brief", short: "q", long: "brief", help: "report only when files differ" },
    {
      name: "identical",
      short: "s",
      long: "report-identical-files",
      help: "report when two files are the same",
    },
    { name: "context", short: "c", help: "output 3 lines of copied context" },
    { name: "contextLines", short: "C", argument: "required", argumentName: "NUM" },
    {
      name: "contextLines",
      long: "context",
      argument: "optional",
      argumentName: "NUM",
      help: "output NUM (default 3) lines of copied context; also -C NUM",
    },
    { name: "unified", short: "u", help: "output 3 lines of unified context" },
    { name: "unifiedLines", short: "U", argument: "required", argumentName: "NUM" },
    {
      name: "unifiedLines",
      long: "unified",
      argument: "optional",
      argumentName: "NUM",
      help: "output NUM (default 3) lines of unified context; also -U NUM",
    },
    { name: "ed", short: "e", long: "ed", help: "output an ed script" },
    { name: "rcs", short: "n", long: "rcs", help: "output an RCS format diff" },
    { name: "sideBySide", short: "y", long: "side-by-side", help: "output in two columns" },
    {
      name: "width",
      short: "W",
      long: "width",
      argument: "required",
      argumentName: "NUM",
      help: "output at most NUM (default 130) print columns",
    },
    {
      name: "leftColumn",
      long: "left-column",
      help: "output only the left column of common lines",
    },
    {
      name: "suppressCommon",
      long: "suppress-common-lines",
      help: "do not output common lines",
    },
    {
      name: "functions",
      short: "p",
      long: "show-c-function",
      help: "show which C function each change is in",
    },
    {
      name: "functionLine",
      short: "F",
      long: "show-function-line",
      argument: "required",
      argumentName: "RE",
      help: "show the most recent line matching RE",
    },
    {
      name: "label",
      short: "L",
      long: "label",
      argument: "required",
      argumentName: "LABEL",
      help: "use LABEL instead of file name (can be repeated)",
    },
    { name: "expandTabs", short: "t", long: "expand-tabs", help: "expand tabs to spaces" },
    {
      name: "initialTab",
      short: "T",
      long: "initial-tab",
      help: "make tabs line up by prepending a tab",
    },
    {
      name: "tabSize",
      long: "tabsize",
      argument: "required",
      argumentName: "NUM",
      help: "tab stops every NUM (default 8) print columns",
    },
    {
      name: "suppressBlankEmpty",
      long: "suppress-blank-empty",
      help: "suppress space or tab before empty output lines",
    },
    { name: "nothing", short: "r", long: "recursive", help: "(ignored: folders are not compared)" },
    { name: "newFile", short: "N", long: "new-file", help: "treat absent files as empty" },
    {
      name: "unidirectional",
      short: "P",
      long: "unidirectional-new-file",
      help: "treat absent first files as empty",
    },
    { name: "ignoreCase", short: "i", long: "ignore-case", help: "ignore case differences" },
    {
      name: "tabExpansion",
      short: "E",
      long: "ignore-tab-expansion",
      help: "ignore changes due to tab expansion",
    },
    {
      name: "trailingSpace",
      short: "Z",
      long: "ignore-trailing-space",
      help: "ignore white space at line end",
    },
    {
      name: "spaceChange",
      short: "b",
      long: "ignore-space-change",
      help: "ignore changes in the amount of white space",
    },
    { name: "allSpace", short: "w", long: "ignore-all-space", help: "ignore all white space" },
    {
      name: "blankLines",
      short: "B",
      long: "ignore-blank-lines",
      help: "ignore changes where lines are all blank",
    },
    {
      name: "ignoreMatching",
      short: "I",
      long: "ignore-matching-lines",
      argument: "required",
      argumentName: "RE",
      help: "ignore changes where all lines match RE",
    },
    { name: "text", short: "a", long: "text", help: "treat all files as text" },
    {
      name: "stripCr",
      long: "strip-trailing-cr",
      help: "strip trailing carriage return on input",
    },
    { name: "minimal", short: "d", long: "minimal", help: "try hard to find a smaller set" },
    {
      name: "horizon",
      long: "horizon-lines",
      argument: "required",
      argumentName: "NUM",
      help: "keep NUM lines of the common prefix and suffix",
    },
    {
      name: "speed",
      short: "H",
      long: "speed-large-files",
      help: "assume large files and many scattered small changes",
    },
    {
      name: "color",
      long: "color",
      argument: "optional",
      argumentName: "WHEN",
      help: "accepted if WHEN is 'never' or 'auto': output is never coloured",
    },
    { name: "nothing", long: "no-dereference" },
    { name: "nothing", long: "no-ignore-file-name-case" },
    { name: "nothing", long: "ignore-file-name-case" },
    ...refusedFlags,
    ...refusedWithArgument,
    ...digits,
    ...standardOptions.map((option) =>
      option.name === "version" ? { ...option, short: "v" } : option
    ),
  ],
  epilogue: "If a FILE is '-', read standard input.\n" +
    "Exit status is 0 if inputs are the same, 1 if different, 2 if trouble.",
};

/** The command line of `diff`; its long options are listed in alphabetical order. */
export const diffCommand: CommandSpec<DiffOption> = {
  ...spec,
  abbreviationOrder: spec.options.flatMap(longNames).sort(),
};

/** How the differences are put out. */
export type DiffStyle = "normal" | "context" | "unified" | "ed" | "rcs" | "side";

/** What a command line of `diff` comes to. */
export interface DiffSettings {
  readonly files: readonly [string, string];
  readonly style: DiffStyle;
  readonly context: number;
  readonly horizon: number;
  readonly brief: boolean;
  readonly reportIdentical: boolean;
  readonly labels: readonly string[];
  readonly sameness: Sameness;
  readonly blankLines: boolean;
  /** Whether a line may be ignored as `-I` says; all patterns are alternatives. */
  readonly ignored: ((bytes: Uint8Array, start: number, end: number) => boolean) | undefined;
  /** Whether a line is the heading that `-p` and `-F` show. */
  readonly heading: ((bytes: Uint8Array, start: number, end: number) => boolean) | undefined;
  readonly expandTabs: boolean;
  readonly initialTab: boolean;
  readonly tabSize: number;
  readonly suppressBlankEmpty: boolean;
  readonly leftColumn: boolean;
  readonly suppressCommon: boolean;
  readonly width: number;
  readonly newFile: boolean;
  readonly newFirstFile: boolean;
  readonly text: boolean;
  readonly stripCr: boolean;
  readonly minimal: boolean;
  readonly speed: boolean;
}

/** Makes the settings of options and operands; `args` is for the message on a missing operand. */
export function readDiffSettings(
  items: Iterable<ParsedArgument<DiffOption>>,
  args: readonly string[],
): DiffSettings {
  const files: string[] = [];
  const labels: string[] = [];
  const given = new Set<DiffOption>();
  const ignored: string[] = [];
  const headings: string[] = [];
  let style: DiffStyle | undefined;
  let space = 0;
  let context = -1;
  let obsolete = "";
  let horizon = 0;
  let tabSize = 8;
  let width = 130;
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
    if (name === "refused") throw new InvalidArgument(`option '${item.as}' is not supported`);
    else if (name === "label") labels.push(value);
    else if (name === "digit") obsolete += item.as.slice(1);
    else if (name === "normal" || name === "ed" || name === "rcs") setStyle(name);
    else if (name === "sideBySide") setStyle("side");
    else if (name.startsWith("context") || name.startsWith("unified")) {
      setStyle(name.startsWith("c") ? "context" : "unified");
      const lines = item.hasValue ? count(value, "context length", 0) : 3;
      context = Math.max(context, lines);
    } else if (name === "functions") headings.push("^[[:alpha:]$_]");
    else if (name === "functionLine") headings.push(value);
    else if (name === "ignoreMatching") ignored.push(value);
    else if (name === "tabSize") tabSize = count(value, "tabsize", 1);
    else if (name === "width") width = count(value, "width", 1);
    else if (name === "horizon") horizon = Math.max(horizon, count(value, "horizon length", 0));
    else if (name === "tabExpansion") space = space < 4 ? space | 1 : space;
    else if (name === "trailingSpace") space = space < 4 ? space | 2 : space;
    else if (name === "spaceChange") space = Math.max(space, 4);
    else if (name === "allSpace") space = 5;
    else if (name === "color") checkColor(item.hasValue ? value : "auto");
  }
  if (labels.length > 2) throw new InvalidArgument("too many file label options");
  if (files.length < 2) {
    throw new UsageError(`missing operand after '${files[0] ?? args.at(-1) ?? "diff"}'`);
  }
  if (files[2] !== undefined) throw new UsageError(`extra operand '${files[2]}'`);
  if (style === undefined) style = given.has("functions") ? "context" : "normal";
  if (context < 0) context = given.has("functions") && style === "context" ? 3 : 0;
  if (obsolete !== "" && (style === "context" || style === "unified")) {
    context = Math.min(Number(obsolete), 2 ** 30);
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
      // With both, GNU takes tabs for what they are.
      space: (["exact", "tabs", "trailing", "trailing", "amount", "all"] as const)[space] ?? "all",
      tabSize,
      newline: style !== "ed",
    },
    blankLines: given.has("blankLines"),
    ignored: matcher(ignored),
    heading: matcher(headings),
    expandTabs: given.has("expandTabs"),
    initialTab: given.has("initialTab"),
    tabSize,
    suppressBlankEmpty: given.has("suppressBlankEmpty"),
    leftColumn: given.has("leftColumn"),
    suppressCommon: given.has("suppressCommon"),
    width,
    newFile: given.has("newFile"),
    newFirstFile: given.has("newFile") || given.has("unidirectional"),
    text: given.has("text"),
    stripCr: given.has("stripCr"),
    minimal: given.has("minimal"),
    speed: given.has("speed"),
  };
}

function count(text: string, what: string, least: number): number {
  const value = /^(?:[ \t\n\v\f\r]*\+?\d+)?$/.test(text) ? Number(text) : -1;
  if (value < least) throw new UsageError(`invalid ${what} '${text}'`);
  return Math.min(value, 2 ** 30);
}

function checkColor(when: string): void {
  if (when === "never" || when === "auto") return;
  if (when === "always") throw new InvalidArgument("option '--color=always' is not supported");
  throw new UsageError(`invalid color '${when}'`);
}

function matcher(
  patterns: readonly string[],
): ((bytes: Uint8Array, start: number, end: number) => boolean) | undefined {
  const first = patterns[0];
  if (first === undefined) return undefined;
  try {
    const regex = compileRegex(patterns, { syntax: "basic" });
    return (bytes, start, end) => regex.test(bytes, start, end);
  } catch (error) {
    if (!(error instanceof RegexError)) throw error;
    throw new InvalidArgument(`${patterns.at(-1) ?? first}: Invalid regular expression`);
  }
}
