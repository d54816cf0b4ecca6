import type { ByteSink, ByteSource, Chunk } from "../../../streams/mod.ts";
import {
  builtinOf,
  errorText,
  InvalidArgument,
  isFatal,
  matchChoice,
  openFile,
  readDecimal,
  standardOptions,
  toCount,
  UINTMAX,
} from "../../core/mod.ts";
import type { Builtin, BuiltinIo } from "../../builtin.ts";
import { type CommandSpec, type ParsedArgument, UsageError } from "../../../command_line/mod.ts";
import { quote, quoteAlways, quoteName } from "../../text/mod.ts";
import type { UniqueSettings } from "./unique_keys.ts";
import { uniqueLines } from "./unique_lines.ts";

type Option =
  | "count"
  | "repeated"
  | "allRepeated"
  | "D"
  | "fields"
  | "group"
  | "ignoreCase"
  | "chars"
  | "unique"
  | "zero"
  | "check"
  | "digit"
  | "help"
  | "version";

const command: CommandSpec<Option> = {
  name: "uniq",
  usage: "[OPTION]... [INPUT [OUTPUT]]",
  summary:
    "Copy INPUT to OUTPUT, by default standard input to standard output, with one line for " +
    "each run of equal lines.\n\nOnly neighbours are compared: sort the input to find all " +
    "lines that are equal.",
  abbreviationOrder: [
    "count",
    "repeated",
    "all-repeated",
    "group",
    "ignore-case",
    "unique",
    "skip-fields",
    "skip-chars",
    "check-chars",
    "zero-terminated",
  ],
  options: [
    {
      name: "count",
      short: "c",
      long: "count",
      help: "print before each line how many times it comes in a row",
    },
    {
      name: "repeated",
      short: "d",
      long: "repeated",
      help: "print one line of each run of two or more",
    },
    { name: "D", short: "D", help: "print all lines of runs of two or more" },
    {
      name: "allRepeated",
      long: "all-repeated",
      argument: "optional",
      argumentName: "METHOD",
      help: "-D with an empty line before each run (prepend), between runs (separate) or nowhere " +
        "(none, the default)",
    },
    {
      name: "fields",
      short: "f",
      long: "skip-fields",
      argument: "required",
      argumentName: "N",
      help: "do not compare the first N fields",
    },
    {
      name: "group",
      long: "group",
      argument: "optional",
      argumentName: "METHOD",
      help: "print all lines, with an empty line between runs (separate, the default), before " +
        "each (prepend), after each (append) or all of these (both)",
    },
    {
      name: "ignoreCase",
      short: "i",
      long: "ignore-case",
      help: "ignore the case of ASCII letters",
    },
    {
      name: "chars",
      short: "s",
      long: "skip-chars",
      argument: "required",
      argumentName: "N",
      help: "do not compare the first N bytes, counted after the fields of -f",
    },
    { name: "unique", short: "u", long: "unique", help: "print only lines that are not repeated" },
    {
      name: "zero",
      short: "z",
      long: "zero-terminated",
      help: "lines end with NUL, not with a newline",
    },
    {
      name: "check",
      short: "w",
      long: "check-chars",
      argument: "required",
      argumentName: "N",
      help: "compare at most N bytes",
    },
    ...Array.from("0123456789", (short) => ({ name: "digit", short } as const)),
    ...standardOptions,
  ],
  epilogue: "A field is any number of blanks and the other characters up to the next blank.",
};

const REPEATED = [["none"], ["prepend"], ["separate"]] as const;
const GROUPS = [["prepend"], ["append"], ["separate"], ["both"]] as const;

interface Settings extends UniqueSettings {
  readonly input: string;
  readonly output: string;
}

function size(text: string, what: string): number {
  const value = readDecimal(text);
  if (value === undefined) throw new InvalidArgument(`${text}: invalid number of ${what}`);
  return toCount(value);
}

/** Returns the number of `+N`, an obsolete `-s N`; `undefined` if the word is a file name. */
function obsoleteChars(word: string): number | undefined {
  const value = word.startsWith("+") ? readDecimal(word) : undefined;
  return value === undefined || value > UINTMAX ? undefined : toCount(value);
}

function readSettings(items: Iterable<ParsedArgument<Option>>): Settings {
  const files: string[] = [];
  const given = new Set<Option>();
  let skipFields = 0;
  let skipChars = 0;
  let checkChars = Infinity;
  let repeats: string | undefined;
  let groups: string | undefined;
  let modern = false;
  for (const item of items) {
    if (item.kind === "operand") {
      const chars = item.afterDashes ? undefined : obsoleteChars(item.value);
      if (chars !== undefined) skipChars = chars;
      else if (files.length === 2) throw new UsageError(`extra operand ${quote(item.value)}`);
      else files.push(item.value);
      continue;
    }
    given.add(item.name);
    if (item.name === "digit") {
      skipFields = (modern ? 0 : skipFields) * 10 + Number(item.as[1]);
      modern = false;
    } else if (item.name === "fields") {
      skipFields = size(item.value, "fields to skip");
      modern = true;
    } else if (item.name === "chars") skipChars = size(item.value, "bytes to skip");
    else if (item.name === "check") checkChars = size(item.value, "bytes to compare");
    else if (item.name === "D") repeats = "none";
    else if (item.name === "allRepeated") {
      repeats = item.hasValue ? matchChoice(item.value, "--all-repeated", REPEATED) : "none";
    } else if (item.name === "group") {
      groups = item.hasValue ? matchChoice(item.value, "--group", GROUPS) : "separate";
    }
  }
  const count = given.has("count");
  const only = given.has("repeated") || given.has("unique");
  if (groups !== undefined && (count || only || repeats !== undefined)) {
    throw new UsageError("--group is mutually exclusive with -c/-d/-D/-u");
  }
  if (repeats !== undefined && count) {
    throw new UsageError("printing all duplicated lines and repeat counts is meaningless");
  }
  return {
    input: files[0] ?? "-",
    output: files[1] ?? "-",
    skipFields,
    skipChars,
    checkChars,
    ignoreCase: given.has("ignoreCase"),
    separator: given.has("zero") ? 0 : 10,
    count,
    singles: repeats === undefined && !given.has("repeated"),
    repeated: !given.has("unique"),
    all: repeats !== undefined || groups !== undefined,
    allGroups: groups !== undefined,
    before: groups === "prepend" || groups === "both" || repeats === "prepend",
    between: (groups ?? repeats) === "separate" || groups === "both" || groups === "append",
    after: groups === "append" || groups === "both",
  };
}

/** The command `uniq`; see {@linkcode Builtin}. */
export const uniq: Builtin = builtinOf(command, readSettings, run);

async function* run(
  settings: Settings,
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  const { input, output } = settings;
  const failure = (error: unknown, text: string): number => {
    if (isFatal(error, io.signal)) throw error;
    io.warn(`uniq: ${text}`);
    return 1;
  };
  let source: ByteSource | undefined;
  let folder: unknown;
  let sink: ByteSink | undefined;
  try {
    source = input === "-" ? io.stdin : await openFile(input, io);
  } catch (error) {
    const why = errorText(error);
    if (why !== "Is a directory") return failure(error, `${quoteName(input)}: ${why}`);
    // A folder can be opened, but not read.
    folder = error;
  }
  try {
    if (output !== "-") {
      if (io.create === undefined) throw new Error("Files cannot be created here");
      sink = await io.create(output);
    }
  } catch (error) {
    return failure(error, `${quoteName(output)}: ${errorText(error)}`);
  }
  if (source === undefined) return failure(folder, `error reading ${quoteAlways(input)}`);
  for await (const chunk of uniqueLines(source, settings)) {
    if (sink === undefined) yield chunk;
    else await sink.write(chunk);
  }
  await sink?.close();
  return 0;
}
