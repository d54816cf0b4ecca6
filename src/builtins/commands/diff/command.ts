import { type RefusedName, refusedOptions, standardOptions } from "../../core/mod.ts";
import { type CommandSpec, longNames } from "../../../command_line/mod.ts";

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
  "digit",
  "normal",
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
] as const;

/** The options of `diff`. */
export type DiffOption = typeof NAMES[number] | `nothing ${string}`;

const FORMATS = ("line old-line new-line unchanged-line old-group new-group unchanged-group " +
  "changed-group").split(" ");

const refused = refusedOptions({
  "-e --ed": "use -u",
  "-f --forward-ed": "use -u",
  "-n --rcs": "use -u",
  "-y --side-by-side": "use -u",
  "-W --width=": "use -u in the place of -y",
  "--left-column": "use -u in the place of -y",
  "--suppress-common-lines": "use -U 0 in the place of -y",
  "-D --ifdef=": "use -u",
  ...Object.fromEntries(FORMATS.map((kind) => [`--${kind}-format=`, "use -u or -U 0"])),
  "-l --paginate": "leave it out",
  "--sdiff-merge-assist": "",
  "-x --exclude=": "folders are not compared, name two files",
  "-X --exclude-from=": "folders are not compared, name two files",
  "-S --starting-file=": "folders are not compared, name two files",
  "--from-file=": "name two files",
  "--to-file=": "name two files",
  "--palette=": "use --color alone",
});

const digits = Array.from("0123456789", (short) => ({ name: "digit" as const, short }));

const spec: CommandSpec<DiffOption | "help" | "version" | RefusedName> = {
  name: "diff",
  usage: "[OPTION]... FILES",
  summary: "Print what must change in the lines of the first FILE to make the second of it.",
  options: [
    {
      name: "normal",
      long: "normal",
      help: "the plain format, which is used if no option asks for another",
    },
    { name: "brief", short: "q", long: "brief", help: "say whether they differ, and not how" },
    {
      name: "identical",
      short: "s",
      long: "report-identical-files",
      help: "say so when there is no difference",
    },
    { name: "context", short: "c", help: "the context format, with 3 lines around each change" },
    { name: "contextLines", short: "C", argument: "required", argumentName: "NUM" },
    {
      name: "contextLines",
      long: "context",
      argument: "optional",
      argumentName: "NUM",
      help: "the same with NUM lines; also -C NUM",
    },
    { name: "unified", short: "u", help: "the unified format, with 3 lines around each change" },
    { name: "unifiedLines", short: "U", argument: "required", argumentName: "NUM" },
    {
      name: "unifiedLines",
      long: "unified",
      argument: "optional",
      argumentName: "NUM",
      help: "the same with NUM lines; also -U NUM",
    },
    {
      name: "functions",
      short: "p",
      long: "show-c-function",
      help: "show with each change the last line that looks like the head of a C function",
    },
    {
      name: "functionLine",
      short: "F",
      long: "show-function-line",
      argument: "required",
      argumentName: "RE",
      help: "show with each change the last line that matches RE",
    },
    {
      name: "label",
      short: "L",
      long: "label",
      argument: "required",
      argumentName: "LABEL",
      help: "what stands for a FILE's name; twice for both",
    },
    {
      name: "expandTabs",
      short: "t",
      long: "expand-tabs",
      help: "print spaces in the place of tabs",
    },
    {
      name: "initialTab",
      short: "T",
      long: "initial-tab",
      help: "put a tab before lines, so that their own tabs stand as in the FILE",
    },
    {
      name: "tabSize",
      long: "tabsize",
      argument: "required",
      argumentName: "NUM",
      help: "columns from one tab stop to the next; 8 if not given",
    },
    {
      name: "suppressBlankEmpty",
      long: "suppress-blank-empty",
      help: "put no blank before a line that is empty",
    },
    {
      name: "nothing 4",
      short: "r",
      long: "recursive",
      help: "has no effect: folders are not compared",
    },
    {
      name: "newFile",
      short: "N",
      long: "new-file",
      help: "take a FILE that is missing for an empty one",
    },
    {
      name: "unidirectional",
      short: "P",
      long: "unidirectional-new-file",
      help: "the same for the first FILE only",
    },
    {
      name: "ignoreCase",
      short: "i",
      long: "ignore-case",
      help: "take letters of either case for equal",
    },
    {
      name: "tabExpansion",
      short: "E",
      long: "ignore-tab-expansion",
      help: "take a tab for the spaces it stands for",
    },
    {
      name: "trailingSpace",
      short: "Z",
      long: "ignore-trailing-space",
      help: "leave white space at the end of lines out of account",
    },
    {
      name: "spaceChange",
      short: "b",
      long: "ignore-space-change",
      help: "take any white space for one space, and none at the end of lines",
    },
    {
      name: "allSpace",
      short: "w",
      long: "ignore-all-space",
      help: "leave white space out of account",
    },
    {
      name: "blankLines",
      short: "B",
      long: "ignore-blank-lines",
      help: "say nothing of changes that have empty lines only",
    },
    {
      name: "ignoreMatching",
      short: "I",
      long: "ignore-matching-lines",
      argument: "required",
      argumentName: "RE",
      help: "say nothing of changes whose lines all match RE",
    },
    { name: "text", short: "a", long: "text", help: "compare lines also where there are NULs" },
    {
      name: "stripCr",
      long: "strip-trailing-cr",
      help: "take CR LF for LF",
    },
    { name: "minimal", short: "d", long: "minimal", help: "look longer for the fewest changes" },
    {
      name: "horizon",
      long: "horizon-lines",
      argument: "required",
      argumentName: "NUM",
      help: "lines before the first and after the last change that are compared, too",
    },
    {
      name: "speed",
      short: "H",
      long: "speed-large-files",
      help: "look less long where there are many small changes",
    },
    {
      name: "color",
      long: "color",
      argument: "optional",
      argumentName: "WHEN",
      help: "colors: always, never, or auto, which is never here",
    },
    { name: "nothing 7", short: "h" },
    { name: "nothing 5", long: "binary" },
    { name: "nothing 6", long: "inhibit-hunk-merge" },
    { name: "nothing 1", long: "no-dereference" },
    { name: "nothing 2", long: "no-ignore-file-name-case" },
    { name: "nothing 3", long: "ignore-file-name-case" },
    ...refused,
    ...digits,
    ...standardOptions.map((option) =>
      option.name === "version" ? { ...option, short: "v" } : option
    ),
  ],
  epilogue:
    "A FILE of - is standard input. The status is 0 without a difference, 1 with one, and 2 " +
    "where something went wrong.",
};

/** The command line of `diff`; its long options are listed in alphabetical order. */
export const diffCommand: typeof spec = {
  ...spec,
  abbreviationOrder: spec.options.flatMap(longNames).sort(),
};
