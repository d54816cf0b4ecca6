import { compileRegex, RegexError } from "../regex/mod.ts";
import type { Chunk } from "../streams/mod.ts";
import { INTMAX, readBounded } from "./_arguments.ts";
import type { Builtin, BuiltinIo } from "./builtin.ts";
import { builtinOf, InvalidArgument, type ReportFault, standardOptions } from "./_command.ts";
import { LinePieces } from "./_line_pieces.ts";
import { MAX_LINE } from "./_lines.ts";
import { type NlSection, type NlSettings, type NlStyle, Numberer } from "./_nl_numberer.ts";
import { openOperands } from "./_operands.ts";
import { type CommandSpec, type ParsedArgument, UsageError } from "./options.ts";
import { utf8 } from "./_output.ts";
import { quote, quoteName } from "./_quote.ts";

type Option =
  | NlSection
  | "delimiter"
  | "increment"
  | "join"
  | "format"
  | "noRenumber"
  | "separator"
  | "start"
  | "width"
  | "help"
  | "version";

const command: CommandSpec<Option> = {
  name: "nl",
  usage: "[OPTION]... [FILE]...",
  summary: "Write each FILE to standard output, with line numbers added.\n\n" +
    "With no FILE, or when FILE is -, read standard input.",
  readsOn: true,
  abbreviationOrder: [
    "header-numbering",
    "body-numbering",
    "footer-numbering",
    "starting-line-number",
    "line-increment",
    "no-renumber",
    "join-blank-lines",
    "number-separator",
    "number-width",
    "number-format",
    "section-delimiter",
  ],
  options: [
    option("body", "b", "body-numbering", "STYLE", "use STYLE for numbering body lines"),
    option("delimiter", "d", "section-delimiter", "CC", "use CC for logical page delimiters"),
    option("footer", "f", "footer-numbering", "STYLE", "use STYLE for numbering footer lines"),
    option("header", "h", "header-numbering", "STYLE", "use STYLE for numbering header lines"),
    option("increment", "i", "line-increment", "NUMBER", "line number increment at each line"),
    option(
      "join",
      "l",
      "join-blank-lines",
      "NUMBER",
      "group of NUMBER empty lines counted as one",
    ),
    option("format", "n", "number-format", "FORMAT", "insert line numbers according to FORMAT"),
    {
      name: "noRenumber",
      short: "p",
      long: "no-renumber",
      help: "do not reset line numbers for each section",
    },
    option("separator", "s", "number-separator", "STRING", "add STRING after line number"),
    option("start", "v", "starting-line-number", "NUMBER", "first line number for each section"),
    option("width", "w", "number-width", "NUMBER", "use NUMBER columns for line numbers"),
    ...standardOptions,
  ],
  epilogue: "Default options are: -bt -d'\\:' -fn -hn -i1 -l1 -n'rn' -s<TAB> -v1 -w6\n\n" +
    "CC are two delimiter characters used to construct logical page delimiters; a missing second " +
    "character implies ':'. As a GNU extension one can specify more than two characters, and " +
    "also specifying the empty string (-d '') disables section matching.\n\n" +
    "STYLE is one of:\n  a      number all lines\n  t      number only nonempty lines\n" +
    "  n      number no lines\n  pBRE   number only lines that contain a match for the basic " +
    "regular expression, BRE\n\nFORMAT is one of:\n  ln     left justified, no leading zeros\n" +
    "  rn     right justified, no leading zeros\n  rz     right justified, leading zeros",
};

function option<Name extends Option>(
  name: Name,
  short: string,
  long: string,
  argumentName: string,
  help: string,
) {
  return { name, short, long, argument: "required", argumentName, help } as const;
}

/** Reads a style; `undefined` if it is none. */
function readStyle(text: string): NlStyle | undefined {
  const letter = text[0];
  if (letter === "a" || letter === "t" || letter === "n") return letter;
  if (letter !== "p") return undefined;
  try {
    return compileRegex(text.slice(1), { syntax: "basic", dialect: "library" });
  } catch (error) {
    if (error instanceof RegexError) throw new InvalidArgument(error.message);
    throw error;
  }
}

/** One or two bytes take the place of the first ones, all others that of the whole delimiter. */
function withDelimiter(before: Chunk, given: Chunk): Chunk {
  if (given.length === 0 || given.length > 2) return given;
  const delimiter = new Uint8Array(Math.max(2, before.length));
  delimiter.set(before.length === 0 ? utf8("\\:") : before);
  delimiter.set(given);
  return delimiter;
}

function readSettings(
  items: Iterable<ParsedArgument<Option>>,
  report: ReportFault,
): NlSettings {
  const files: string[] = [];
  const styles: Record<NlSection, NlStyle> = { header: "n", body: "t", footer: "n" };
  const settings = {
    delimiter: utf8("\\:"),
    increment: 1n,
    join: 1,
    format: "rn",
    renumber: true,
    separator: "\t",
    start: 1n,
    width: 6,
  };
  const anyNumber = { min: -INTMAX - 1n, max: INTMAX, signed: true };
  for (const item of items) {
    if (item.kind === "operand") {
      files.push(item.value);
      continue;
    }
    const { name, value } = item;
    if (name === "header" || name === "body" || name === "footer") {
      const style = readStyle(value);
      if (style !== undefined) styles[name] = style;
      else report(new UsageError(`invalid ${name} numbering style: ${quote(value)}`));
    } else if (name === "delimiter") {
      settings.delimiter = withDelimiter(settings.delimiter, utf8(value));
    } else if (name === "increment") {
      settings.increment = readBounded(value, "invalid line number increment", anyNumber);
    } else if (name === "join") {
      const bounds = { min: 1n, max: INTMAX, signed: true };
      settings.join = Number(readBounded(value, "invalid line number of blank lines", bounds));
    } else if (name === "format") {
      if (["ln", "rn", "rz"].includes(value)) settings.format = value;
      else report(new UsageError(`invalid line numbering format: ${quote(value)}`));
    } else if (name === "noRenumber") {
      settings.renumber = false;
    } else if (name === "separator") {
      settings.separator = value;
    } else if (name === "start") {
      settings.start = readBounded(value, "invalid starting line number", anyNumber);
    } else if (name === "width") {
      const bounds = { min: 1n, max: 2n ** 31n - 1n, signed: true };
      settings.width = Number(readBounded(value, "invalid line number field width", bounds));
    }
  }
  return { files, styles, ...settings };
}

/** The command `nl`; see {@linkcode Builtin}. */
export const nl: Builtin = builtinOf(command, readSettings, run);

async function* run(
  settings: NlSettings,
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  let status = 0;
  const files = openOperands(settings.files, io, (_problem, name, why) => {
    io.warn(`nl: ${quoteName(name)}: ${why}`);
    status = 1;
  });
  const numberer = new Numberer(settings, io.limits?.lineBytes ?? MAX_LINE);
  const { out } = numberer;
  for await (const file of files) {
    const lines = new LinePieces(file);
    for (;;) {
      if (!lines.step()) {
        while (out.length > 0) yield out.take();
        if (!await lines.fill()) break;
      }
      if (!numberer.add(lines.bytes, lines.start, lines.end, lines.ends)) {
        while (out.length > 0) yield out.take();
        io.warn("nl: line number overflow");
        return 1;
      }
      while (out.full) yield out.take();
    }
  }
  return status;
}
