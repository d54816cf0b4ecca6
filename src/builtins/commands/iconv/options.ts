import { InvalidArgument, standardOptions } from "../../core/mod.ts";
import type { CommandSpec, ParsedArgument } from "../../../command_line/mod.ts";
import { type Encoding, findEncoding } from "./encodings.ts";

/** The names in iconv's option table. */
export type IconvOption =
  | "from"
  | "to"
  | "list"
  | "omit"
  | "output"
  | "silent"
  | "verbose"
  | "help"
  | "version";

/** The option table of `iconv`. */
export const iconvCommand: CommandSpec<IconvOption> = {
  name: "iconv",
  usage: ["[OPTION]... [-f NAME] [-t NAME] [FILE]...", "-l"],
  summary:
    "Print each FILE in another character encoding.\n\nStandard input is read where FILE is " +
    "- or no FILE is given.",
  options: [
    {
      name: "from",
      short: "f",
      long: "from-code",
      argument: "required",
      argumentName: "NAME",
      help: "the encoding of the input (default UTF-8)",
    },
    {
      name: "to",
      short: "t",
      long: "to-code",
      argument: "required",
      argumentName: "NAME",
      help: "the encoding of the output (default UTF-8)",
    },
    {
      name: "omit",
      short: "c",
      help: "leave out characters that are invalid or cannot be converted",
    },
    {
      name: "output",
      short: "o",
      long: "output",
      argument: "required",
      argumentName: "FILE",
      help: "write to FILE, which may be an input",
    },
    { name: "list", short: "l", long: "list", help: "print the names of the encodings" },
    { name: "silent", short: "s", long: "silent", help: "has no effect" },
    { name: "verbose", long: "verbose", help: "has no effect" },
    ...standardOptions,
  ],
  epilogue: "The NAME of -t may end with //TRANSLIT, to write similar characters for those that " +
    "the encoding does not have, or with //IGNORE, which means -c.",
};

/** Settings of a conversion. */
export interface Conversion {
  readonly from: Encoding;
  readonly to: Required<Encoding>;
  /** True to leave out characters that cannot be converted. */
  readonly omit: boolean;
  /** True to write similar characters for those that the encoding does not have. */
  readonly transliterate: boolean;
}

/** Settings from a command line of `iconv`. */
export interface IconvSettings {
  readonly files: readonly string[];
  /** The conversion; `undefined` to list the encodings. */
  readonly conversion: Conversion | undefined;
  readonly output: string | undefined;
}

/** Reads the settings from a parsed command line. */
export function readIconvSettings(items: Iterable<ParsedArgument<IconvOption>>): IconvSettings {
  const files: string[] = [];
  const given = new Map<IconvOption, string>();
  for (const item of items) {
    if (item.kind === "operand") files.push(item.value);
    else given.set(item.name, item.value);
  }
  const output = given.get("output");
  if (given.has("list")) return { files, conversion: undefined, output };
  const [fromName = ""] = (given.get("from") ?? "").split("/", 1);
  const [toName = "", ...suffixes] = (given.get("to") ?? "").split("/");
  const flags = suffixes.map((suffix) => suffix.toUpperCase());
  const from = findEncoding(fromName);
  const to = findEncoding(toName);
  if (from === undefined || to === undefined) throw new InvalidArgument(unknown(fromName, toName));
  const { encoder } = to;
  if (encoder === undefined) {
    throw new InvalidArgument(
      `conversion to '${toName}' is not supported, only from it; 'iconv -l' lists the encodings`,
    );
  }
  return {
    files,
    output,
    conversion: {
      from,
      to: { ...to, encoder },
      omit: given.has("omit") || flags.includes("IGNORE"),
      transliterate: flags.includes("TRANSLIT"),
    },
  };
}

function unknown(from: string, to: string): string {
  const wrong = [
    ...(findEncoding(from) === undefined ? [`from '${from}'`] : []),
    ...(findEncoding(to) === undefined ? [`to '${to}'`] : []),
  ];
  const what = wrong.length > 1 ? "conversions" : "conversion";
  return `${what} ${wrong.join(" and ")} ${wrong.length > 1 ? "are" : "is"} not supported; ` +
    "'iconv -l' lists the encodings";
}
