import { compileRegex, RegexError } from "../../../regex/mod.ts";
import type { Chunk } from "../../../streams/mod.ts";
import {
  builtinOf,
  INTMAX,
  InvalidArgument,
  openOperands,
  readBounded,
  type ReportFault,
  standardOptions,
} from "../../core/mod.ts";
import type { Builtin, BuiltinIo } from "../../builtin.ts";
import { LinePieces, MAX_LINE, quote, quoteName, utf8 } from "../../text/mod.ts";
import { type NlSection, type NlSettings, type NlStyle, Numberer } from "./numberer.ts";
import { type CommandSpec, type ParsedArgument, UsageError } from "../../../command_line/mod.ts";

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
  summary: "Print each FILE with numbered lines.\n\n" +
    "Standard input is read where FILE is - or no FILE is given.",
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
    option("body", "b", "body-numbering", "STYLE", "lines of the body to number"),
    option("delimiter", "d", "section-delimiter", "CC", "characters that mark the parts of a page"),
    option("footer", "f", "footer-numbering", "STYLE", "lines of the footer to number"),
    option("header", "h", "header-numbering", "STYLE", "lines of the header to number"),
    option(
      "increment",
      "i",
      "line-increment",
      "NUMBER",
      "difference between two numbers",
    ),
    option(
      "join",
      "l",
      "join-blank-lines",
      "NUMBER",
      "of NUMBER adjacent empty lines number only the last",
    ),
    option("format", "n", "number-format", "FORMAT", "alignment of numbers"),
    {
      name: "noRenumber",
      short: "p",
      long: "no-renumber",
      help: "continue counting at the start of a page",
    },
    option("separator", "s", "number-separator", "STRING", "text after each number"),
    option("start", "v", "starting-line-number", "NUMBER", "first number of each page"),
    option("width", "w", "number-width", "NUMBER", "width of a number, in columns"),
    ...standardOptions,
  ],
  epilogue: "Defaults are -b t -f n -h n -i 1 -l 1 -n rn -v 1 -w 6, with \\: for -d and a " +
    "tab for -s.\n\nA line of three times CC begins a page with its header, twice CC its body, once CC " +
    "its footer. A single character C stands for C and a colon; an empty CC means no pages.\n\n" +
    "STYLE:\n  a      all lines\n  t      lines that are not empty\n  n      no lines\n" +
    "  pBRE   lines that match the basic regular expression BRE\n\nFORMAT:\n" +
    "  ln     left-aligned\n  rn     right-aligned\n  rz     right-aligned with leading zeros",
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

/** Reads a style; `undefined` if it is not valid. */
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

/** One or two bytes replace the first bytes of the delimiter, more replace all of it. */
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
