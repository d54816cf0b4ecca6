import type { Chunk } from "../../../streams/mod.ts";
import { builtinOf, openOperands, standardOptions } from "../../core/mod.ts";
import type { Builtin, BuiltinIo } from "../../builtin.ts";
import { complementOf, parseRanges, type PositionKind, type Range } from "./byte_ranges.ts";
import { cutBytes } from "./bytes.ts";
import { cutFields } from "./fields.ts";
import { cutLines } from "./lines.ts";
import { type CommandSpec, type ParsedArgument, UsageError } from "../../../command_line/mod.ts";
import { quoteName, utf8 } from "../../text/mod.ts";

type Option =
  | "b"
  | "c"
  | "f"
  | "d"
  | "n"
  | "s"
  | "z"
  | "complement"
  | "output"
  | "help"
  | "version";

const command: CommandSpec<Option> = {
  name: "cut",
  usage: "OPTION... [FILE]...",
  summary: "Print selected bytes or fields of each line of each FILE.\n\n" +
    "Standard input is read where FILE is - or no FILE is given.",
  abbreviationOrder: [
    "bytes",
    "characters",
    "fields",
    "delimiter",
    "only-delimited",
    "output-delimiter",
    "complement",
    "zero-terminated",
  ],
  options: [
    {
      name: "b",
      short: "b",
      long: "bytes",
      argument: "required",
      argumentName: "LIST",
      help: "print these bytes",
    },
    {
      name: "c",
      short: "c",
      long: "characters",
      argument: "required",
      argumentName: "LIST",
      help: "the same: as in GNU cut, a character is a byte",
    },
    {
      name: "d",
      short: "d",
      long: "delimiter",
      argument: "required",
      argumentName: "DELIM",
      help: "the byte between two fields (default tab)",
    },
    {
      name: "f",
      short: "f",
      long: "fields",
      argument: "required",
      argumentName: "LIST",
      help: "print these fields; without -s, also print lines without a delimiter, unchanged",
    },
    { name: "n", short: "n", help: "has no effect" },
    {
      name: "complement",
      long: "complement",
      help: "print everything except the positions in LIST",
    },
    {
      name: "s",
      short: "s",
      long: "only-delimited",
      help: "leave out lines that have no delimiter",
    },
    {
      name: "output",
      long: "output-delimiter",
      argument: "required",
      argumentName: "STRING",
      help: "print STRING between the selected parts (default with -f: the delimiter)",
    },
    {
      name: "z",
      short: "z",
      long: "zero-terminated",
      help: "lines end with NUL, not with a newline",
    },
    ...standardOptions,
  ],
  epilogue: "One of -b, -c and -f must be given. LIST has one or more of these, separated by " +
    "commas. Output is in the order of the line, not of LIST:\n\n" +
    "  N     number N, from 1\n" +
    "  N-    number N and all after it\n" +
    "  N-M   numbers N to M\n" +
    "  -M    numbers 1 to M",
};

interface Settings {
  readonly files: readonly string[];
  readonly kind: PositionKind;
  readonly ranges: readonly Range[];
  readonly delimiter: number;
  readonly suppress: boolean;
  /** The text between fields, or between ranges of bytes. */
  readonly output: Chunk | undefined;
  readonly separator: number;
}

function readSettings(items: Iterable<ParsedArgument<Option>>): Settings {
  const files: string[] = [];
  const given = new Set<Option>();
  let list: string | undefined;
  let kind: PositionKind | undefined;
  let delimiter = 9;
  let output: Chunk | undefined;
  for (const item of items) {
    if (item.kind === "operand") {
      files.push(item.value);
      continue;
    }
    given.add(item.name);
    if (item.name === "b" || item.name === "c" || item.name === "f") {
      if (list !== undefined) throw new UsageError("only one list may be specified");
      list = item.value;
      kind = item.name === "f" ? "fields" : "bytes";
    } else if (item.name === "d") {
      const bytes = utf8(item.value);
      if (bytes.length > 1) throw new UsageError("the delimiter must be a single character");
      delimiter = bytes[0] ?? 0;
    } else if (item.name === "output") {
      output = item.value === "" ? new Uint8Array(1) : utf8(item.value);
    }
  }
  if (list === undefined || kind === undefined) {
    throw new UsageError("you must specify a list of bytes, characters, or fields");
  }
  const suppress = given.has("s");
  if (kind === "bytes") {
    if (given.has("d")) {
      throw new UsageError(
        "an input delimiter may be specified only when operating on fields",
      );
    }
    if (suppress) {
      throw new UsageError(
        "suppressing non-delimited lines makes sense\n\tonly when operating on fields",
      );
    }
  }
  const ranges = parseRanges(list, kind);
  return {
    files,
    kind,
    ranges: given.has("complement") ? complementOf(ranges) : ranges,
    delimiter,
    suppress,
    output,
    separator: given.has("z") ? 0 : 10,
  };
}

/** The command `cut`; see {@linkcode Builtin}. */
export const cut: Builtin = builtinOf(command, readSettings, run);

async function* run(
  { files, kind, ranges, delimiter, separator, suppress, output }: Settings,
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  let status = 0;
  const operands = openOperands(files, io, (_problem, name, why) => {
    io.warn(`cut: ${quoteName(name)}: ${why}`);
    status = 1;
  });
  const between = output ?? Uint8Array.of(delimiter);
  for await (const file of operands) {
    if (kind === "bytes") yield* cutBytes(file, { ranges, between: output, separator });
    else if (delimiter === separator) {
      yield* cutLines(file, { ranges, between, separator, delimiter, suppress }, io);
    } else yield* cutFields(file, { ranges, between, separator, delimiter, suppress }, io);
  }
  return status;
}
