import type { Chunk } from "../../../streams/mod.ts";
import { builtinOf, openOperands, standardOptions } from "../../core/mod.ts";
import type { Builtin, BuiltinIo } from "../../builtin.ts";
import { LineOutput, quoteName } from "../../text/mod.ts";
import { type TabColumns, TabStops } from "./tab_stops.ts";
import type { CommandSpec, ParsedArgument } from "../../../command_line/mod.ts";

type Option = "initial" | "tabs" | "digit" | "help" | "version";

const command: CommandSpec<Option> = {
  name: "expand",
  usage: "[OPTION]... [FILE]...",
  summary: "Print each FILE with tabs converted to spaces.\n\n" +
    "Standard input is read where FILE is - or no FILE is given.",
  abbreviationOrder: ["tabs", "initial"],
  options: [
    {
      name: "initial",
      short: "i",
      long: "initial",
      help: "do not convert tabs after characters other than blanks",
    },
    {
      name: "tabs",
      short: "t",
      long: "tabs",
      argument: "required",
      argumentName: "LIST",
      help: "set tab stops every N columns (default 8), or at the listed columns, separated by " +
        "commas. After a final /N more stops follow at multiples of N, after a final +N " +
        "every N columns after the last listed one",
    },
    ...Array.from(
      "0123456789",
      (short) => ({ name: "digit", short, argument: "optional" } as const),
    ),
    ...standardOptions,
  ],
};

interface Settings {
  readonly files: readonly string[];
  readonly initial: boolean;
  readonly tabs: TabColumns;
}

function readSettings(items: Iterable<ParsedArgument<Option>>): Settings {
  const files: string[] = [];
  const stops = new TabStops();
  let initial = false;
  for (const item of items) {
    if (item.kind === "operand") files.push(item.value);
    else if (item.name === "initial") initial = true;
    else stops.addList(item.name === "digit" ? (item.as[1] ?? "") + item.value : item.value);
  }
  return { files, initial, tabs: stops.finish() };
}

/** The command `expand`; see {@linkcode Builtin}. */
export const expand: Builtin = builtinOf(command, readSettings, run);

async function* run(
  settings: Settings,
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  const { files, tabs, initial } = settings;
  let status = 0;
  const operands = openOperands(files, io, (_problem, name, why) => {
    io.warn(`expand: ${quoteName(name)}: ${why}`);
    status = 1;
  });
  const out = new LineOutput();
  // A line may continue in the next file.
  let column = 0;
  let convert = true;
  for await (const file of operands) {
    for await (const chunk of file) {
      for (let i = 0; i < chunk.length; i++) {
        const byte = chunk[i] as number;
        if (byte > 13 && (!initial || !convert)) {
          // Most bytes are text, which is copied at once.
          const stop = Math.min(chunk.length, i + 4096);
          let end = i + 1;
          while (end < stop && (chunk[end] as number) > 13) end++;
          out.put(chunk, i, end);
          column += end - i;
          i = end - 1;
        } else if (byte === 10) {
          column = 0;
          convert = true;
          out.putByte(10);
        } else if (!convert) {
          out.putByte(byte);
        } else if (byte === 9) {
          const next = tabs.next(column);
          // After the last stop, a tab is one space.
          const to = next < 0 ? column + 1 : next;
          out.repeat(32, to - column);
          column = to;
        } else {
          column = byte === 8 ? Math.max(0, column - 1) : column + 1;
          if (initial && byte !== 32) convert = false;
          out.putByte(byte);
        }
        while (out.full) yield out.take();
      }
      while (out.length > 0) yield out.take();
    }
  }
  return status;
}
