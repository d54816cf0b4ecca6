import { type RefusedName, refusedOptions, standardOptions } from "../../core/mod.ts";
import type { CommandSpec } from "../../../command_line/mod.ts";
import { modernKey } from "./keys.ts";

/** The names in sort's option table; those of one letter are ordering options. */
export type SortOption =
  | "b"
  | "d"
  | "f"
  | "g"
  | "h"
  | "i"
  | "M"
  | "n"
  | "R"
  | "r"
  | "V"
  | "sort"
  | "check"
  | "checkQuietly"
  | "checkHow"
  | "merge"
  | "output"
  | "stable"
  | "unique"
  | "zero"
  | "key"
  | "tab"
  | "memory"
  | "folder"
  | "batch"
  | "parallel"
  | "files0From"
  | "old";

const ordering = (name: SortOption, long: string, help: string) => ({
  name,
  short: name,
  long,
  help,
});

/** The option table of `sort`. */
export const sortCommand: CommandSpec<SortOption | "help" | "version" | RefusedName> = {
  name: "sort",
  usage: ["[OPTION]... [FILE]...", "[OPTION]... --files0-from=F"],
  summary:
    "Print the lines of all FILEs together, in order.\n\nStandard input is read where FILE " +
    "is - or no FILE is given.",
  abbreviationOrder: [
    "ignore-leading-blanks",
    "check",
    "compress-program",
    "debug",
    "dictionary-order",
    "ignore-case",
    "files0-from",
    "general-numeric-sort",
    "ignore-nonprinting",
    "key",
    "merge",
    "month-sort",
    "numeric-sort",
    "human-numeric-sort",
    "version-sort",
    "random-sort",
    "random-source",
    "sort",
    "output",
    "reverse",
    "stable",
    "batch-size",
    "buffer-size",
    "field-separator",
    "temporary-directory",
    "unique",
    "zero-terminated",
    "parallel",
  ],
  options: [
    ordering("b", "ignore-leading-blanks", "ignore blanks at the start"),
    ordering("d", "dictionary-order", "compare only blanks, letters and digits"),
    ordering("f", "ignore-case", "treat lower case as upper case"),
    ordering("g", "general-numeric-sort", "compare floating-point numbers, such as -1.5e3"),
    ordering("i", "ignore-nonprinting", "compare only printable characters"),
    ordering("M", "month-sort", "compare names of months; other text comes first"),
    ordering("h", "human-numeric-sort", "compare numbers with units, such as 512, 2K and 1G"),
    ordering("n", "numeric-sort", "compare decimal numbers of any length"),
    ordering("R", "random-sort", "print in random order, with equal keys side by side"),
    ordering("r", "reverse", "reverse the order"),
    {
      name: "sort",
      long: "sort",
      argument: "required",
      argumentName: "WORD",
      help: "sort as one of these options: general-numeric (-g), human-numeric (-h), month (-M), " +
        "numeric (-n), random (-R) or version (-V)",
    },
    ordering("V", "version-sort", "compare numbers within text by value: v1.9 before v1.10"),
    {
      name: "batch",
      long: "batch-size",
      argument: "required",
      argumentName: "NMERGE",
      help: "merge at most NMERGE inputs at once; more go through temporary storage",
    },
    { name: "check", short: "c", help: "fail at the first line that is out of order; do not sort" },
    {
      name: "checkHow",
      long: "check",
      argument: "optional",
      argumentName: "diagnose-first",
      help: "the same; quiet and silent mean -C",
    },
    {
      name: "checkQuietly",
      short: "C",
      help: "like -c, but without a message",
    },
    ...refusedOptions({
      "--compress-program=": "",
      "--debug": "",
      "--random-source=": "leave it out for another order each time",
    }),
    {
      name: "files0From",
      long: "files0-from",
      argument: "required",
      argumentName: "F",
      help:
        "take the names of the inputs from F, or from standard input if F is -; each ends with NUL",
    },
    {
      name: "key",
      short: "k",
      long: "key",
      argument: "required",
      argumentName: "KEYDEF",
      help: "compare this part of lines; if it is equal, the part of the next -k",
    },
    { name: "merge", short: "m", long: "merge", help: "merge inputs that are sorted; do not sort" },
    {
      name: "output",
      short: "o",
      long: "output",
      argument: "required",
      argumentName: "FILE",
      help: "write to FILE, which may be an input",
    },
    {
      name: "stable",
      short: "s",
      long: "stable",
      help: "keep lines with equal keys in their order, instead of comparing them as a whole",
    },
    {
      name: "memory",
      short: "S",
      long: "buffer-size",
      argument: "required",
      argumentName: "SIZE",
      help: "use at most SIZE of memory for lines",
    },
    {
      name: "tab",
      short: "t",
      long: "field-separator",
      argument: "required",
      argumentName: "SEP",
      help: "fields are separated by SEP; without it, a field begins with the blanks before it",
    },
    {
      name: "folder",
      short: "T",
      long: "temporary-directory",
      argument: "required",
      argumentName: "DIR",
      help: "has no effect: the host provides the temporary storage",
    },
    {
      name: "parallel",
      long: "parallel",
      argument: "required",
      argumentName: "N",
      help: "has no effect: one thread sorts",
    },
    {
      name: "unique",
      short: "u",
      long: "unique",
      help: "print only the first of lines that are equal; with -c, equal lines are out of order",
    },
    {
      name: "zero",
      short: "z",
      long: "zero-terminated",
      help: "lines end with NUL, not with a newline",
    },
    { name: "old", short: "y", argument: "required" },
    ...standardOptions,
  ],
  epilogue: "KEYDEF is FIELD[.CHAR][OPTS], for a key up to the end of the line, or " +
    "FIELD[.CHAR][OPTS],FIELD[.CHAR][OPTS], for one up to the second position. Both count from " +
    "1; .CHAR counts within the field, together with its blanks unless there is a b among " +
    "OPTS. OPTS are letters of b d f g i M h n R r V; a key that has any ignores the ordering " +
    "options given elsewhere. Without a key, whole lines are compared.\n\nSIZE is in " +
    "KiB, unless a unit follows: b (bytes), K, M, G, T and so on, or % (of the memory). Lines " +
    "are compared byte by byte.",
  obsolete: (word, index, args) => modernKey(word, args[index + 1]),
};
