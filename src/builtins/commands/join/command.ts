import { standardOptions } from "../../core/mod.ts";
import type { CommandSpec } from "../../../command_line/mod.ts";

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
  summary: "Print a line for each pair of lines of FILE1 and FILE2 whose join fields, by default " +
    "the first, are equal. One FILE may be -, standard input.",
  abbreviationOrder: ["ignore-case", "check-order", "nocheck-order", "zero-terminated", "header"],
  options: [
    {
      name: "a",
      short: "a",
      argument: "required",
      argumentName: "FILENUM",
      help: "also print lines of file FILENUM, 1 or 2, that have no match",
    },
    {
      name: "e",
      short: "e",
      argument: "required",
      argumentName: "STRING",
      help: "print STRING for fields that are missing or empty",
    },
    {
      name: "i",
      short: "i",
      long: "ignore-case",
      help: "ignore the case of ASCII letters",
    },
    {
      name: "j",
      short: "j",
      argument: "required",
      argumentName: "FIELD",
      help: "compare this FIELD of both files",
    },
    {
      name: "o",
      short: "o",
      argument: "required",
      argumentName: "FORMAT",
      help: "print the fields of FORMAT",
    },
    {
      name: "t",
      short: "t",
      argument: "required",
      argumentName: "CHAR",
      help: "fields are separated by CHAR, also in the output",
    },
    {
      name: "v",
      short: "v",
      argument: "required",
      argumentName: "FILENUM",
      help: "print only lines of file FILENUM that have no match",
    },
    {
      name: "1",
      short: "1",
      argument: "required",
      argumentName: "FIELD",
      help: "compare this FIELD of FILE1",
    },
    {
      name: "2",
      short: "2",
      argument: "required",
      argumentName: "FIELD",
      help: "compare this FIELD of FILE2",
    },
    {
      name: "check",
      long: "check-order",
      help: "fail at any line that is out of order",
    },
    {
      name: "nocheck",
      long: "nocheck-order",
      help: "do not check the order of lines",
    },
    {
      name: "header",
      long: "header",
      help: "join the first lines of both as headings, without comparing them",
    },
    {
      name: "z",
      short: "z",
      long: "zero-terminated",
      help: "lines end with NUL, not with a newline",
    },
    ...standardOptions,
  ],
  epilogue:
    "Fields are numbered from 1. Without -t they are separated by blanks, and leading blanks " +
    "are ignored. FORMAT lists fields, separated by commas or blanks: 0 is the " +
    "join field, 1.2 the second field of FILE1. The default is the join field and the other " +
    "fields of FILE1 and of FILE2; auto prints as many of them as the first lines " +
    "have.\n\nBoth files must be sorted on their join fields by bytes: sort -k 1b,1, or with " +
    "-t, sort -t, -k 1,1.",
};
