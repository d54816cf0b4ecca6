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
  "-W --width=": "use -u instead of -y",
  "--left-column": "use -u instead of -y",
  "--suppress-common-lines": "use -U 0 instead of -y",
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
  summary: "Print the changes that turn the lines of the first FILE into those of the second.",
  options: [
    {
      name: "normal",
      long: "normal",
      help: "normal format (the default)",
    },
    { name: "brief", short: "q", long: "brief", help: "print only whether the FILEs differ" },
    {
      name: "identical",
      short: "s",
      long: "report-identical-files",
      help: "print a message if the FILEs are the same",
    },
    { name: "context", short: "c", help: "context format, with 3 lines around each change" },
    { name: "contextLines", short: "C", argument: "required", argumentName: "NUM" },
    {
      name: "contextLines",
      long: "context",
      argument: "optional",
      argumentName: "NUM",
      help: "the same with NUM lines; also -C NUM",
    },
    { name: "unified", short: "u", help: "unified format, with 3 lines around each change" },
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
      help: "show with each hunk the last line before it that looks like the head of a C function",
    },
    {
      name: "functionLine",
      short: "F",
      long: "show-function-line",
      argument: "required",
      argumentName: "RE",
      help: "show with each hunk the last line before it that matches RE",
    },
    {
      name: "label",
      short: "L",
      long: "label",
      argument: "required",
      argumentName: "LABEL",
      help: "print LABEL for the name of a FILE; give it twice for both",
    },
    {
      name: "expandTabs",
      short: "t",
      long: "expand-tabs",
      help: "print spaces instead of tabs",
    },
    {
      name: "initialTab",
      short: "T",
      long: "initial-tab",
      help: "put a tab before each line, so that its own tabs stay aligned",
    },
    {
      name: "tabSize",
      long: "tabsize",
      argument: "required",
      argumentName: "NUM",
      help: "put tab stops every NUM columns (default 8)",
    },
    {
      name: "suppressBlankEmpty",
      long: "suppress-blank-empty",
      help: "print no blank before an empty line",
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
      help: "treat a missing FILE as empty",
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
      help: "ignore the case of letters",
    },
    {
      name: "tabExpansion",
      short: "E",
      long: "ignore-tab-expansion",
      help: "treat a tab as the spaces up to the next tab stop",
    },
    {
      name: "trailingSpace",
      short: "Z",
      long: "ignore-trailing-space",
      help: "ignore white space at the end of lines",
    },
    {
      name: "spaceChange",
      short: "b",
      long: "ignore-space-change",
      help: "ignore changes in the amount of white space, and any at the end of lines",
    },
    {
      name: "allSpace",
      short: "w",
      long: "ignore-all-space",
      help: "ignore all white space",
    },
    {
      name: "blankLines",
      short: "B",
      long: "ignore-blank-lines",
      help: "ignore changes whose lines are all empty",
    },
    {
      name: "ignoreMatching",
      short: "I",
      long: "ignore-matching-lines",
      argument: "required",
      argumentName: "RE",
      help: "ignore changes whose lines all match RE",
    },
    {
      name: "text",
      short: "a",
      long: "text",
      help: "treat all FILEs as text, even if they have NULs",
    },
    {
      name: "stripCr",
      long: "strip-trailing-cr",
      help: "remove the CR from each CR LF",
    },
    {
      name: "minimal",
      short: "d",
      long: "minimal",
      help: "find the fewest changes, even if that takes longer",
    },
    {
      name: "horizon",
      long: "horizon-lines",
      argument: "required",
      argumentName: "NUM",
      help: "compare NUM of the equal lines before the first and after the last change, too",
    },
    {
      name: "speed",
      short: "H",
      long: "speed-large-files",
      help: "search less thoroughly, for large FILEs with many small changes",
    },
    {
      name: "color",
      long: "color",
      argument: "optional",
      argumentName: "WHEN",
      help: "use colors: always, never or auto (the same as never here)",
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
    "A FILE of - is standard input. The exit status is 0 if the FILEs are the same, 1 if they " +
    "differ and 2 after an error.",
};

/** The command line of `diff`; its long options are listed in alphabetical order. */
export const diffCommand: typeof spec = {
  ...spec,
  abbreviationOrder: spec.options.flatMap(longNames).sort(),
};
