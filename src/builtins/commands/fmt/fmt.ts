import type { Chunk } from "../../../streams/mod.ts";
import { builtinOf, openOperands, readBounded, standardOptions } from "../../core/mod.ts";
import type { Builtin, BuiltinIo } from "../../builtin.ts";
import { FmtFormatter, type FmtSettings } from "./formatter.ts";
import { LinePieces, quoteAlways, utf8 } from "../../text/mod.ts";
import { type CommandSpec, type ParsedArgument, UsageError } from "../../../command_line/mod.ts";

type Option =
  | "crown"
  | "prefix"
  | "split"
  | "tagged"
  | "uniform"
  | "width"
  | "goal"
  | "digit"
  | "help"
  | "version";

const command: CommandSpec<Option> = {
  name: "fmt",
  usage: "[-WIDTH] [OPTION]... [FILE]...",
  summary: "Print the paragraphs of each FILE with lines of about equal length. As the first " +
    "argument, -WIDTH is the same as --width=WIDTH.\n\n" +
    "Standard input is read where FILE is - or no FILE is given.",
  obsolete: (word, index) =>
    index === 0 && /^-[0-9]/.test(word) ? ["-w", word.slice(1)] : undefined,
  options: [
    {
      name: "crown",
      short: "c",
      long: "crown-margin",
      help:
        "keep the indentation of a paragraph's first line, and indent all others like its second",
    },
    {
      name: "prefix",
      short: "p",
      long: "prefix",
      argument: "required",
      argumentName: "STRING",
      help: "format only lines that begin with STRING, and put it before the new lines",
    },
    { name: "split", short: "s", long: "split-only", help: "split long lines, but join none" },
    {
      name: "tagged",
      short: "t",
      long: "tagged-paragraph",
      help: "like -c, but a first line that is indented like the second is a paragraph of its own",
    },
    {
      name: "uniform",
      short: "u",
      long: "uniform-spacing",
      help: "put one space between words and two between sentences",
    },
    {
      name: "width",
      short: "w",
      long: "width",
      argument: "required",
      argumentName: "WIDTH",
      help: "print lines of at most WIDTH columns (default 75)",
    },
    {
      name: "goal",
      short: "g",
      long: "goal",
      argument: "required",
      argumentName: "WIDTH",
      help: "aim at lines of WIDTH columns (default 93 % of the width)",
    },
    ...Array.from("0123456789", (short) => ({ name: "digit", short } as const)),
    ...standardOptions,
  ],
};

interface Settings extends FmtSettings {
  readonly files: readonly string[];
}

/** Widest line that GNU fmt allows. */
const WIDEST = 2500n;

function readSettings(items: Iterable<ParsedArgument<Option>>): Settings {
  const files: string[] = [];
  const given = new Set<Option>();
  let prefix = "";
  let widthText: string | undefined;
  let goalText: string | undefined;
  for (const item of items) {
    if (item.kind === "operand") {
      files.push(item.value);
      continue;
    }
    given.add(item.name);
    if (item.name === "prefix") prefix = item.value;
    else if (item.name === "width") widthText = item.value;
    else if (item.name === "goal") goalText = item.value;
    else if (item.name === "digit") {
      throw new UsageError(
        `invalid option -- ${item.as[1]}; -WIDTH is recognized only when it is the first\n` +
          "option; use -w N instead",
      );
    }
  }
  const number = (text: string, max: bigint): number =>
    Number(readBounded(text, "invalid width", { min: 0n, max }));
  let width = 75;
  if (widthText !== undefined) width = number(widthText, WIDEST);
  let goal = Math.floor(width * 187 / 200);
  if (goalText !== undefined) {
    goal = number(goalText, widthText === undefined ? 75n : BigInt(width));
    if (widthText === undefined) width = goal + 10;
  }
  const bytes = utf8(prefix);
  return {
    files,
    crown: given.has("crown"),
    tagged: given.has("tagged"),
    split: given.has("split"),
    uniform: given.has("uniform"),
    width,
    goal,
    prefix: bytes,
  };
}

/** The command `fmt`; see {@linkcode Builtin}. Columns are bytes, as in GNU fmt. */
export const fmt: Builtin = builtinOf(command, readSettings, run);

async function* run(
  settings: Settings,
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  let status = 0;
  const files = openOperands(settings.files, io, (problem, name, why) => {
    const open = `cannot open ${quoteAlways(name)} for reading: ${why}`;
    io.warn(`fmt: ${problem === "open" ? open : "read error"}`);
    status = 1;
  });
  for await (const file of files) {
    const formatter = new FmtFormatter(settings);
    const { out } = formatter;
    const lines = new LinePieces(file);
    for (;;) {
      if (!lines.step()) {
        while (out.length > 0) yield out.take();
        if (!await lines.fill()) break;
      }
      const rest = formatter.add(lines);
      if (rest !== undefined) {
        for (const _ of rest) while (out.full) yield out.take();
      }
      while (out.full) yield out.take();
    }
    formatter.end();
    while (out.length > 0) yield out.take();
  }
  return status;
}
