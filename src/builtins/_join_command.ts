import { standardOptions } from "./_command.ts";
import type { CommandSpec } from "./options.ts";

/** The names of `join`'s options. */
export type JoinOption =
  | "a"
  | "e"
  | "i"
  | "j"
  | "o"
  | "t"
  | "v"
  | "1"
  | "2"
  | "z"
  | "check"
  | "nocheck"
  | "header"
  | "help"
  | "version";

/** The command line of `join`. */
export const joinCommand: CommandSpec<JoinOption> = {
  name: "join",
  usage: "[OPTION]... FILE1 FILE2",
  summary: "For each pair of input lines with identical join fields, write a line to standard " +
    "output. The default join field is the first, delimited by blanks.\n\n" +
    "When FILE1 or FILE2 (not both) is -, read standard input.",
  options: [
    {
      name: "a",
      short: "a",
      argument: "required",
      argumentName: "FILENUM",
      help: "also print unpairable lines from file FILENUM, where FILENUM is 1 or 2",
    },
    {
      name: "e",
      short: "e",
      argument: "required",
      argumentName: "STRING",
      help: "replace missing (empty) input fields with STRING",
    },
    {
      name: "i",
      short: "i",
      long: "ignore-case",
      help: "ignore differences in case when comparing fields",
    },
    {
      name: "j",
      short: "j",
      argument: "required",
      argumentName: "FIELD",
      help: "equivalent to '-1 FIELD -2 FIELD'",
    },
    {
      name: "o",
      short: "o",
      argument: "required",
      argumentName: "FORMAT",
      help: "obey FORMAT while constructing output line",
    },
    {
      name: "t",
      short: "t",
      argument: "required",
      argumentName: "CHAR",
      help: "use CHAR as input and output field separator",
    },
    {
      name: "v",
      short: "v",
      argument: "required",
      argumentName: "FILENUM",
      help: "like -a FILENUM, but suppress joined output lines",
    },
    {
      name: "1",
      short: "1",
      argument: "required",
      argumentName: "FIELD",
      help: "join on this FIELD of file 1",
    },
    {
      name: "2",
      short: "2",
      argument: "required",
      argumentName: "FIELD",
      help: "join on this FIELD of file 2",
    },
    {
      name: "check",
      long: "check-order",
      help: "check that the input is correctly sorted, even if all input lines are pairable",
    },
    {
      name: "nocheck",
      long: "nocheck-order",
      help: "do not check that the input is correctly sorted",
    },
    {
      name: "header",
      long: "header",
      help: "treat the first line in each file as field headers, print them without trying to " +
        "pair them",
    },
    {
      name: "z",
      short: "z",
      long: "zero-terminated",
      help: "line delimiter is NUL, not newline",
    },
    ...standardOptions,
  ],
  epilogue: "FORMAT is one or more comma or blank separated specifications, each being " +
    "'FILENUM.FIELD' or '0'. Default FORMAT outputs the join field, the remaining fields from " +
    "FILE1, the remaining fields from FILE2, all separated by CHAR. If FORMAT is the keyword " +
    "'auto', then the first line of each file determines the number of fields output for each " +
    "line.\n\nImportant: FILE1 and FILE2 must be sorted on the join fields, byte by byte.",
};
