import { standardOptions } from "../../core/mod.ts";
import type { CommandSpec } from "../../../command_line/mod.ts";

/** The names of grep's options. */
export type GrepOption =
  | Digit
  | "extended"
  | "fixed"
  | "basic"
  | "perl"
  | "regexp"
  | "file"
  | "ignore-case"
  | "no-ignore-case"
  | "word"
  | "line"
  | "null-data"
  | "no-messages"
  | "invert"
  | "max-count"
  | "byte-offset"
  | "line-number"
  | "line-buffered"
  | "with-filename"
  | "no-filename"
  | "label"
  | "only-matching"
  | "quiet"
  | "binary-files"
  | "text"
  | "without-binary"
  | "directories"
  | "devices"
  | "recursive"
  | "include"
  | "exclude"
  | "exclude-from"
  | "exclude-dir"
  | "files-without-match"
  | "files-with-matches"
  | "count"
  | "initial-tab"
  | "null"
  | "before"
  | "after"
  | "context"
  | "separator"
  | "no-separator"
  | "color"
  | "binary"
  | "unix-byte-offsets"
  | "help"
  | "version";

type Digit = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";

const digits: readonly Digit[] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

function withNumber(
  name: GrepOption,
  short: string,
  long: string,
  help: string,
): CommandSpec<GrepOption>["options"][number] {
  return { name, short, long, argument: "required", argumentName: "NUM", help };
}

/** grep's option table. */
export const grepCommand: CommandSpec<GrepOption> = {
  name: "grep",
  usage: "[OPTION]... PATTERNS [FILE]...",
  summary: "Print the lines of each FILE that match one of PATTERNS, separated by newlines.\n\n" +
    "Standard input is read where FILE is - or no FILE is given.",
  abbreviationOrder: [
    "basic-regexp",
    "extended-regexp",
    "fixed-regexp",
    "fixed-strings",
    "perl-regexp",
    "after-context",
    "before-context",
    "binary-files",
    "byte-offset",
    "context",
    "color",
    "colour",
    "count",
    "devices",
    "directories",
    "exclude",
    "exclude-from",
    "exclude-dir",
    "file",
    "files-with-matches",
    "files-without-match",
    "group-separator",
    "help",
    "include",
    "ignore-case",
    "no-ignore-case",
    "initial-tab",
    "label",
    "line-buffered",
    "line-number",
    "line-regexp",
    "max-count",
    "no-filename",
    "no-group-separator",
    "no-messages",
    "null",
    "null-data",
    "only-matching",
    "quiet",
    "recursive",
    "dereference-recursive",
    "regexp",
    "invert-match",
    "silent",
    "text",
    "binary",
    "unix-byte-offsets",
    "version",
    "with-filename",
    "word-regexp",
  ],
  options: [
    {
      name: "basic",
      short: "G",
      long: "basic-regexp",
      help: "basic regular expressions (default)",
    },
    { name: "extended", short: "E", long: "extended-regexp", help: "extended regular expressions" },
    {
      name: "fixed",
      short: "F",
      long: ["fixed-strings", "fixed-regexp"],
      help: "PATTERNS are plain strings",
    },
    { name: "perl", short: "P", long: "perl-regexp", help: "Perl's regular expressions" },
    {
      name: "regexp",
      short: "e",
      long: "regexp",
      argument: "required",
      argumentName: "PATTERNS",
      help: "use PATTERNS; may be given several times",
    },
    {
      name: "file",
      short: "f",
      long: "file",
      argument: "required",
      argumentName: "FILE",
      help: "take PATTERNS from FILE",
    },
    { name: "ignore-case", short: "i", long: "ignore-case", help: "ignore case" },
    { name: "ignore-case", short: "y" },
    { name: "no-ignore-case", long: "no-ignore-case", help: "do not ignore case (default)" },
    { name: "word", short: "w", long: "word-regexp", help: "match whole words only" },
    { name: "line", short: "x", long: "line-regexp", help: "match whole lines only" },
    { name: "null-data", short: "z", long: "null-data", help: "lines end with NUL, not newline" },
    { name: "no-messages", short: "s", long: "no-messages", help: "no messages about files" },
    { name: "invert", short: "v", long: "invert-match", help: "select lines that do not match" },
    withNumber("max-count", "m", "max-count", "stop after NUM selected lines"),
    { name: "byte-offset", short: "b", long: "byte-offset", help: "print the offset of each line" },
    { name: "line-number", short: "n", long: "line-number", help: "print the number of each line" },
    { name: "line-buffered", long: "line-buffered", help: "(ignored: output is never buffered)" },
    {
      name: "with-filename",
      short: "H",
      long: "with-filename",
      help: "print the file name with each line",
    },
    { name: "no-filename", short: "h", long: "no-filename", help: "never print file names" },
    {
      name: "label",
      long: "label",
      argument: "required",
      argumentName: "LABEL",
      help: "the name of standard input",
    },
    {
      name: "only-matching",
      short: "o",
      long: "only-matching",
      help: "print only the parts of lines that match and are not empty",
    },
    {
      name: "quiet",
      short: "q",
      long: ["quiet", "silent"],
      help: "print nothing; the exit status is the result",
    },
    {
      name: "binary-files",
      long: "binary-files",
      argument: "required",
      argumentName: "TYPE",
      help: "treat binary files as TYPE: binary, text or without-match",
    },
    { name: "text", short: "a", long: "text", help: "the same as --binary-files=text" },
    {
      name: "without-binary",
      short: "I",
      help: "the same as --binary-files=without-match",
    },
    {
      name: "directories",
      short: "d",
      long: "directories",
      argument: "required",
      argumentName: "ACTION",
      help: "action on folders: read or skip",
    },
    {
      name: "devices",
      short: "D",
      long: "devices",
      argument: "required",
      argumentName: "ACTION",
      help: "action on FIFOs and devices: read or skip",
    },
    { name: "recursive", short: "r", long: "recursive", help: "not supported" },
    { name: "recursive", short: "R", long: "dereference-recursive", help: "not supported" },
    { name: "include", long: "include", argument: "required" },
    { name: "exclude", long: "exclude", argument: "required" },
    { name: "exclude-from", long: "exclude-from", argument: "required" },
    { name: "exclude-dir", long: "exclude-dir", argument: "required" },
    {
      name: "files-without-match",
      short: "L",
      long: "files-without-match",
      help: "print only the names of files without a selected line",
    },
    {
      name: "files-with-matches",
      short: "l",
      long: "files-with-matches",
      help: "print only the names of files with a selected line",
    },
    { name: "count", short: "c", long: "count", help: "print only how many lines are selected" },
    { name: "initial-tab", short: "T", long: "initial-tab", help: "align lines at a tab stop" },
    { name: "null", short: "Z", long: "null", help: "print NUL after file names" },
    withNumber("before", "B", "before-context", "print NUL lines before each selected line"),
    withNumber("after", "A", "after-context", "print NUM lines after each selected line"),
    withNumber("context", "C", "context", "print NUM lines before and after; also -NUM"),
    {
      name: "separator",
      long: "group-separator",
      argument: "required",
      argumentName: "SEP",
      help: "print SEP between groups of lines, not --",
    },
    { name: "no-separator", long: "no-group-separator", help: "print nothing between groups" },
    {
      name: "color",
      long: ["color", "colour"],
      argument: "optional",
      argumentName: "WHEN",
      help: "mark what matches: always, never or auto (never)",
    },
    { name: "binary", short: "U", long: "binary", help: "(ignored)" },
    { name: "unix-byte-offsets", short: "u", long: "unix-byte-offsets" },
    ...digits.map((digit) => ({ name: digit, short: digit })),
    ...standardOptions,
  ],
  epilogue: "Exit status is 0 if a line was selected, 1 if not, 2 after an error.",
};
