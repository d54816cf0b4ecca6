import { standardOptions } from "./_command.ts";
import { type FormatName, FORMATS } from "./_diff_format_options.ts";
import { type CommandSpec, longNames } from "./options.ts";

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
  "ifdef",
  "forwardEd",
] as const;

/** The options of `diff`. */
export type DiffOption =
  | typeof NAMES[number]
  | `format ${FormatName}`
  | `nothing ${string}`
  | `refused ${string}`
  | "help"
  | "version";

const refusedFlags = [
  ["l", "paginate"],
  ["", "sdiff-merge-assist"],
].map(([short = "", long = ""]) => ({
  name: `refused ${long}` as const,
  ...(short !== "" && { short }),
  long,
}));

const refusedWithArgument = [
  ["x", "exclude"],
  ["X", "exclude-from"],
  ["S", "starting-file"],
  ["", "from-file"],
  ["", "to-file"],
  ["", "palette"],
].map(([short = "", long = ""]) => ({
  name: `refused ${long}` as const,
  argument: "required" as const,
  ...(short !== "" && { short }),
  long,
}));

const formats = FORMATS.map((name) => ({
  name: `format ${name}` as const,
  long: `${name}-format`,
  argument: "required" as const,
  argumentName: "FORMAT",
  help: `format ${name.includes("-") ? `${name}s` : "all lines"} with FORMAT`,
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
    {
      name: "forwardEd",
      short: "f",
      long: "forward-ed",
      help: "output like an ed script, but from the first change on",
    },
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
    {
      name: "nothing 4",
      short: "r",
      long: "recursive",
      help: "(ignored: folders are not compared)",
    },
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
    {
      name: "ifdef",
      short: "D",
      long: "ifdef",
      argument: "required",
      argumentName: "NAME",
      help: "output merged file with '#ifdef NAME' diffs",
    },
    ...formats,
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
      help: "color output; WHEN is 'never', 'always', or 'auto', which is never here",
    },
    { name: "nothing 5", long: "binary" },
    { name: "nothing 6", long: "inhibit-hunk-merge" },
    { name: "nothing 1", long: "no-dereference" },
    { name: "nothing 2", long: "no-ignore-file-name-case" },
    { name: "nothing 3", long: "ignore-file-name-case" },
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
