import { InvalidArgument, standardOptions } from "./_command.ts";
import { type CommandSpec, type ParsedArgument, UsageError } from "./options.ts";

/** The options of grep, by the names used here. */
type Option =
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
  name: Option,
  short: string,
  long: string,
  help: string,
): CommandSpec<Option>["options"][number] {
  return { name, short, long, argument: "required", argumentName: "NUM", help };
}

/** grep's option table. */
export const grepCommand: CommandSpec<Option> = {
  name: "grep",
  usage: "[OPTION]... PATTERNS [FILE]...",
  summary: "Print the lines of each FILE that match one of PATTERNS, which newlines separate.\n\n" +
    "With no FILE, or when FILE is -, read standard input.",
  options: [
    {
      name: "basic",
      short: "G",
      long: "basic-regexp",
      help: "basic regular expressions (default)",
    },
    { name: "extended", short: "E", long: "extended-regexp", help: "extended regular expressions" },
    { name: "fixed", short: "F", long: "fixed-strings", help: "PATTERNS are plain strings" },
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
    { name: "line-buffered", long: "line-buffered", help: "(ignored: output is never held back)" },
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
      help: "print nothing; only the status",
    },
    {
      name: "binary-files",
      long: "binary-files",
      argument: "required",
      argumentName: "TYPE",
      help: "take binary files for TYPE: binary, text or without-match",
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
      help: "what to do with folders: read or skip",
    },
    {
      name: "devices",
      short: "D",
      long: "devices",
      argument: "required",
      argumentName: "ACTION",
      help: "what to do with FIFOs and devices: read or skip",
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
    { name: "initial-tab", short: "T", long: "initial-tab", help: "let tabs in lines fit" },
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

/** What a run of grep was asked for. */
export interface GrepSettings {
  readonly syntax: "basic" | "extended" | "fixed" | "perl";
  readonly ignoreCase: boolean;
  readonly whole: "line" | "word" | undefined;
  /** Patterns in order: texts, and files that hold patterns. */
  readonly patterns: readonly ({ readonly text: string } | { readonly file: string })[];
  readonly files: readonly string[];
  readonly separator: number;
  readonly invert: boolean;
  readonly maxCount: number;
  readonly onlyMatching: boolean;
  /** What is printed: lines, a count a file, the names of files, nothing. */
  readonly output: "lines" | "count" | "with" | "without" | "nothing";
  readonly silent: boolean;
  readonly binaryFiles: "binary" | "text" | "without-match";
  readonly skipFolders: boolean;
  readonly skipDevices: boolean;
  readonly showName: boolean;
  readonly showNumber: boolean;
  readonly showOffset: boolean;
  readonly tab: boolean;
  readonly nullAfterName: boolean;
  /** Lines of context; -1 where none were asked for. */
  readonly before: number;
  readonly after: number;
  readonly groupSeparator: string | undefined;
  readonly color: boolean;
  readonly label: string;
  readonly warnings: readonly string[];
}

const BINARY_TYPES = ["binary", "text", "without-match"] as const;

/** Reads `[+]digits`; NaN where the text is none, negative numbers too. */
function readInteger(text: string): number {
  return /^[ \t\n\v\f\r]*[+-]?\d+$/.test(text) ? Number(text) : NaN;
}

function readContext(text: string): number {
  const number = readInteger(text);
  if (Number.isNaN(number) || number < 0) {
    throw new InvalidArgument(`${text}: invalid context length argument`);
  }
  return number;
}

function unsupported(option: string, why: string): never {
  throw new InvalidArgument(`${option} is not supported: ${why}`);
}

const NO_FOLDERS = "there are no folders to search here";

/** Makes the settings of the options and operands. */
export function readGrepSettings(items: Iterable<ParsedArgument<Option>>): GrepSettings {
  const given = new Set<Option>();
  const operands: string[] = [];
  const patterns: ({ text: string } | { file: string })[] = [];
  const warnings: string[] = [];
  let syntax: GrepSettings["syntax"] | undefined;
  let ignoreCase = false;
  let maxCount = Infinity;
  let showName: boolean | undefined;
  let list: "with" | "without" | undefined;
  let binaryFiles: GrepSettings["binaryFiles"] = "binary";
  let skipFolders = false;
  let skipDevices = false;
  const context = { before: -1, after: -1, both: -1 };
  let digitsOf = -1;
  let number = "";
  let groupSeparator: string | undefined = "--";
  let color = false;
  let label = "(standard input)";
  const setSyntax = (next: NonNullable<typeof syntax>): void => {
    if (syntax !== undefined && syntax !== next) {
      throw new InvalidArgument("conflicting matchers specified");
    }
    syntax = next;
  };
  for (const item of items) {
    if (item.kind === "operand") {
      operands.push(item.value);
      continue;
    }
    const { name, value } = item;
    given.add(name);
    if (/^\d$/.test(name)) {
      number = digitsOf === item.index ? number + name : name;
      digitsOf = item.index;
      context.both = Number(number);
      continue;
    }
    switch (name) {
      case "basic":
      case "extended":
      case "fixed":
      case "perl":
        setSyntax(name);
        break;
      case "regexp":
        patterns.push({ text: value });
        break;
      case "file":
        patterns.push({ file: value });
        break;
      case "ignore-case":
      case "no-ignore-case":
        ignoreCase = name === "ignore-case";
        break;
      case "max-count": {
        const count = readInteger(value);
        if (Number.isNaN(count)) throw new InvalidArgument("invalid max count");
        maxCount = count < 0 ? Infinity : count;
        break;
      }
      case "with-filename":
      case "no-filename":
        showName = name === "with-filename";
        break;
      case "files-with-matches":
        list = "with";
        break;
      case "files-without-match":
        list = "without";
        break;
      case "binary-files": {
        const type = BINARY_TYPES.find((each) => each === value);
        if (type === undefined) throw new InvalidArgument("unknown binary-files type");
        binaryFiles = type;
        break;
      }
      case "text":
        binaryFiles = "text";
        break;
      case "without-binary":
        binaryFiles = "without-match";
        break;
      case "directories":
        if (value !== "read" && value !== "skip") unsupported(`-d ${value}`, NO_FOLDERS);
        skipFolders = value === "skip";
        break;
      case "devices":
        if (value !== "read" && value !== "skip") {
          throw new InvalidArgument("unknown devices method");
        }
        skipDevices = value === "skip";
        break;
      case "recursive":
      case "include":
      case "exclude":
      case "exclude-from":
      case "exclude-dir":
        unsupported(item.as, NO_FOLDERS);
        break;
      case "before":
        context.before = readContext(value);
        break;
      case "after":
        context.after = readContext(value);
        break;
      case "context":
        context.both = readContext(value);
        break;
      case "separator":
        groupSeparator = value;
        break;
      case "no-separator":
        groupSeparator = undefined;
        break;
      case "color":
        color = readColor(value, item.hasValue);
        break;
      case "label":
        label = value;
        break;
      case "unix-byte-offsets":
        warnings.push("--unix-byte-offsets (-u) is obsolete");
        break;
    }
  }
  if (patterns.length === 0) {
    const first = operands.shift();
    if (first === undefined) throw new MissingPattern();
    patterns.push({ text: first });
  }
  return {
    syntax: syntax ?? "basic",
    ignoreCase,
    whole: given.has("line") ? "line" : given.has("word") ? "word" : undefined,
    patterns,
    files: operands,
    separator: given.has("null-data") ? 0 : 10,
    invert: given.has("invert"),
    maxCount,
    onlyMatching: given.has("only-matching"),
    output: given.has("quiet") ? "nothing" : list ?? (given.has("count") ? "count" : "lines"),
    silent: given.has("no-messages"),
    binaryFiles,
    skipFolders,
    skipDevices,
    showName: showName ?? operands.length > 1,
    showNumber: given.has("line-number"),
    showOffset: given.has("byte-offset"),
    tab: given.has("initial-tab"),
    nullAfterName: given.has("null"),
    before: context.before < 0 ? context.both : context.before,
    after: context.after < 0 ? context.both : context.after,
    groupSeparator,
    color,
    label,
    warnings,
  };
}

/** There is no pattern: the usage line follows, without a message. */
export class MissingPattern extends UsageError {
  /** Makes the error. */
  constructor() {
    super("");
  }
}

function readColor(when: string, given: boolean): boolean {
  if (!given || ["auto", "tty", "if-tty"].includes(when)) return false;
  if (["always", "yes", "force"].includes(when)) return true;
  if (["never", "no", "none"].includes(when)) return false;
  throw new InvalidArgument(`--color=${when} is not known: it takes always, never or auto`);
}
