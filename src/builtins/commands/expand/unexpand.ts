import type { Chunk } from "../../../streams/mod.ts";
import {
  builtinOf,
  InvalidArgument,
  openOperands,
  standardOptions,
  UINTMAX,
} from "../../core/mod.ts";
import type { Builtin, BuiltinIo } from "../../builtin.ts";
import { LineOutput, quoteName } from "../../text/mod.ts";
import { type TabColumns, TabStops } from "./tab_stops.ts";
import type { CommandSpec, ParsedArgument } from "../../../command_line/mod.ts";

type Option = "all" | "first" | "tabs" | "digit" | "comma" | "help" | "version";

const command: CommandSpec<Option> = {
  name: "unexpand",
  usage: "[OPTION]... [FILE]...",
  summary: "Print each FILE with blanks that end at a tab stop converted to tabs.\n\n" +
    "Standard input is read where FILE is - or no FILE is given.",
  abbreviationOrder: ["tabs", "all", "first-only"],
  options: [
    {
      name: "all",
      short: "a",
      long: "all",
      help: "convert all blanks, not only those at the start of lines",
    },
    {
      name: "first",
      long: "first-only",
      help: "convert only blanks at the start of lines; overrides -a and -t",
    },
    {
      name: "tabs",
      short: "t",
      long: "tabs",
      argument: "required",
      argumentName: "LIST",
      help: "set tab stops every N columns (default 8), or at a list of columns as in expand; " +
        "implies -a",
    },
    ...Array.from("0123456789", (short) => ({ name: "digit", short } as const)),
    { name: "comma", short: "," },
    ...standardOptions,
  ],
};

interface Settings {
  readonly files: readonly string[];
  readonly all: boolean;
  readonly tabs: TabColumns;
}

function readSettings(items: Iterable<ParsedArgument<Option>>): Settings {
  const files: string[] = [];
  const stops = new TabStops();
  let all = false;
  let first = false;
  let digits: bigint | undefined;
  for (const item of items) {
    if (item.kind === "operand") files.push(item.value);
    else if (item.name === "all") all = true;
    else if (item.name === "first") first = true;
    else if (item.name === "tabs") {
      all = true;
      stops.addList(item.value);
    } else if (item.name === "comma") {
      if (digits !== undefined) stops.add(digits);
      digits = undefined;
    } else {
      digits = (digits ?? 0n) * 10n + BigInt(item.as[1] ?? "0");
      if (digits > UINTMAX) throw new InvalidArgument("tab stop value is too large");
    }
  }
  if (digits !== undefined) stops.add(digits);
  return { files, all: all && !first, tabs: stops.finish() };
}

/** The command `unexpand`; see {@linkcode Builtin}. */
export const unexpand: Builtin = builtinOf(command, readSettings, run);

async function* run(
  settings: Settings,
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  const { files, all, tabs } = settings;
  let status = 0;
  const operands = openOperands(files, io, (_problem, name, why) => {
    io.warn(`unexpand: ${quoteName(name)}: ${why}`);
    status = 1;
  });
  const converter = new Converter(tabs, all);
  const { out } = converter;
  // A line may continue in the next file.
  for await (const file of operands) {
    for await (const chunk of file) {
      for (let i = 0; i < chunk.length; i++) {
        converter.add(chunk[i] as number);
        while (out.full) yield out.take();
      }
      while (out.length > 0) yield out.take();
    }
  }
  converter.flush();
  while (out.length > 0) yield out.take();
  return status;
}

class Converter {
  readonly out = new LineOutput();
  readonly #tabs: TabColumns;
  readonly #all: boolean;
  #convert = true;
  #column = 0;
  /** Number of held blanks that may become a tab. */
  #spaces = 0;
  /**
   * True if the first held blank is a single space that ends at a stop: it becomes a tab only if
   * more blanks follow.
   */
  #single = false;
  #afterBlank = true;

  constructor(tabs: TabColumns, all: boolean) {
    this.#tabs = tabs;
    this.#all = all;
  }

  add(byte: number): void {
    if (this.#convert) {
      const blank = byte === 32 || byte === 9;
      if (blank && this.#blank(byte)) return;
      if (!blank) {
        this.flush();
        this.#column = byte === 8 ? Math.max(0, this.#column - 1) : this.#column + 1;
        if (!this.#all) this.#convert = false;
        this.#afterBlank = false;
      }
    }
    this.out.putByte(byte);
    if (byte !== 10) return;
    this.#convert = true;
    this.#column = 0;
    this.#afterBlank = true;
  }

  /** Holds a blank back and returns true; false if it must be written unchanged. */
  #blank(byte: number): boolean {
    const stop = this.#tabs.next(this.#column);
    if (stop < 0) {
      this.#convert = false;
      this.flush();
      return false;
    }
    if (byte === 9) {
      this.#column = stop;
    } else {
      this.#column++;
      if (!this.#afterBlank || this.#column !== stop) {
        if (this.#column === stop) this.#single = true;
        this.#spaces++;
        this.#afterBlank = true;
        return true;
      }
    }
    // The held spaces and this blank become one tab; a single space before them becomes another.
    if (this.#single) this.out.putByte(9);
    this.#spaces = 0;
    this.#single = false;
    this.#afterBlank = true;
    this.out.putByte(9);
    return true;
  }

  /** Writes the blanks that were held back. */
  flush(): void {
    if (this.#spaces > 1 && this.#single) {
      this.out.putByte(9);
      this.#spaces--;
    }
    if (this.#spaces > 0) this.out.repeat(32, this.#spaces);
    this.#spaces = 0;
    this.#single = false;
  }
}
