import { standardOptions } from "./_command.ts";
import type { CommandSpec } from "./options.ts";
import { modernKey } from "./_sort_keys.ts";

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
  | "unsupported"
  | "old"
  | "help"
  | "version";

const ordering = (name: SortOption, long: string, help: string) => ({
  name,
  short: name,
  long,
  help,
});

/** The option table of `sort`. */
export const sortCommand: CommandSpec<SortOption> = {
  name: "sort",
  usage: ["[OPTION]... [FILE]...", "[OPTION]... --files0-from=F"],
  summary: "Write sorted concatenation of all FILE(s) to standard output.\n\n" +
    "With no FILE, or when FILE is -, read standard input.",
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
    ordering("b", "ignore-leading-blanks", "ignore leading blanks"),
    ordering("d", "dictionary-order", "consider only blanks and alphanumeric characters"),
    ordering("f", "ignore-case", "fold lower case to upper case characters"),
    ordering("g", "general-numeric-sort", "compare according to general numerical value"),
    ordering("i", "ignore-nonprinting", "consider only printable characters"),
    ordering("M", "month-sort", "compare (unknown) < 'JAN' < ... < 'DEC'"),
    ordering("h", "human-numeric-sort", "compare human readable numbers (e.g., 2K 1G)"),
    ordering("n", "numeric-sort", "compare according to string numerical value"),
    { name: "R", short: "R", long: "random-sort" },
    ordering("r", "reverse", "reverse the result of comparisons"),
    {
      name: "sort",
      long: "sort",
      argument: "required",
      argumentName: "WORD",
      help: "sort according to WORD: general-numeric -g, human-numeric -h, month -M, numeric -n, " +
        "version -V",
    },
    ordering("V", "version-sort", "natural sort of (version) numbers within text"),
    {
      name: "batch",
      long: "batch-size",
      argument: "required",
      argumentName: "NMERGE",
      help: "merge at most NMERGE inputs at once; for more use temporary files",
    },
    { name: "check", short: "c", help: "check for sorted input; do not sort" },
    {
      name: "checkHow",
      long: "check",
      argument: "optional",
      argumentName: "diagnose-first",
      help: "the same",
    },
    {
      name: "checkQuietly",
      short: "C",
      help: "like -c, but do not report first bad line; also --check=quiet, --check=silent",
    },
    { name: "unsupported", long: "compress-program", argument: "required" },
    { name: "unsupported", long: "debug" },
    {
      name: "files0From",
      long: "files0-from",
      argument: "required",
      argumentName: "F",
      help: "read input from the files specified by NUL-terminated names in file F; if F is - " +
        "then read names from standard input",
    },
    {
      name: "key",
      short: "k",
      long: "key",
      argument: "required",
      argumentName: "KEYDEF",
      help: "sort via a key; KEYDEF gives location and type",
    },
    { name: "merge", short: "m", long: "merge", help: "merge already sorted files; do not sort" },
    {
      name: "output",
      short: "o",
      long: "output",
      argument: "required",
      argumentName: "FILE",
      help: "write result to FILE instead of standard output",
    },
    { name: "unsupported", long: "random-source", argument: "required" },
    {
      name: "stable",
      short: "s",
      long: "stable",
      help: "stabilize sort by disabling last-resort comparison",
    },
    {
      name: "memory",
      short: "S",
      long: "buffer-size",
      argument: "required",
      argumentName: "SIZE",
      help: "use SIZE for main memory buffer",
    },
    {
      name: "tab",
      short: "t",
      long: "field-separator",
      argument: "required",
      argumentName: "SEP",
      help: "use SEP instead of non-blank to blank transition",
    },
    {
      name: "folder",
      short: "T",
      long: "temporary-directory",
      argument: "required",
      argumentName: "DIR",
      help: "(ignored: temporary storage is given from outside)",
    },
    {
      name: "parallel",
      long: "parallel",
      argument: "required",
      argumentName: "N",
      help: "(ignored: one thread sorts)",
    },
    {
      name: "unique",
      short: "u",
      long: "unique",
      help: "with -c, check for strict ordering; without -c, output only the first of an equal run",
    },
    {
      name: "zero",
      short: "z",
      long: "zero-terminated",
      help: "line delimiter is NUL, not newline",
    },
    { name: "old", short: "y", argument: "required" },
    ...standardOptions,
  ],
  epilogue: "KEYDEF is F[.C][OPTS][,F[.C][OPTS]] for start and stop position, where F is a field " +
    "number and C a character position in the field; both are origin 1, and the stop position " +
    "defaults to the line's end. If neither -t nor -b is in effect, characters in a field are " +
    "counted from the beginning of the preceding whitespace. OPTS is one or more single-letter " +
    "ordering options [bdfgiMhnrV], which override global ordering options for that key. If no " +
    "key is given, use the entire line as the key.\n\n" +
    "SIZE may be followed by the following multiplicative suffixes: b 1, K 1024 (default), and " +
    "so on for M, G, T, P, E, Z, Y. Lines are compared byte by byte.",
  obsolete: (word, index, args) => modernKey(word, args[index + 1]),
};
