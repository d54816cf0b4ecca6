import type { Chunk } from "../../streams/mod.ts";
import {
  builtinOf,
  openOperands,
  readBounded,
  standardOptions,
  toCount,
  UINTMAX,
} from "../core/mod.ts";
import type { Builtin, BuiltinIo } from "../builtin.ts";
import { LineOutput, lineTooLong, MAX_LINE, quoteName } from "../text/mod.ts";
import type { CommandSpec, ParsedArgument } from "../../command_line/mod.ts";

type Option = "bytes" | "spaces" | "width" | "digit" | "help" | "version";

const command: CommandSpec<Option> = {
  name: "fold",
  usage: "[OPTION]... [FILE]...",
  summary: "Print each FILE with lines that are too wide broken by newlines.\n\n" +
    "Standard input is read where FILE is - or no FILE is given.",
  options: [
    {
      name: "bytes",
      short: "b",
      long: "bytes",
      help: "count bytes, not columns: tabs, backspaces and carriage returns count as one",
    },
    {
      name: "spaces",
      short: "s",
      long: "spaces",
      help: "break after the last space within the width, if there is one",
    },
    {
      name: "width",
      short: "w",
      long: "width",
      argument: "required",
      argumentName: "WIDTH",
      help: "maximum width of a line, in columns (default 80)",
    },
    ...Array.from(
      "0123456789",
      (short) => ({ name: "digit", short, argument: "optional" } as const),
    ),
    ...standardOptions,
  ],
  epilogue: "As in GNU fold, every byte except tab, backspace and carriage return takes a column.",
};

interface Settings {
  readonly files: readonly string[];
  readonly bytes: boolean;
  readonly spaces: boolean;
  readonly width: number;
}

function readSettings(items: Iterable<ParsedArgument<Option>>): Settings {
  const files: string[] = [];
  let bytes = false;
  let spaces = false;
  let width = 80;
  for (const item of items) {
    if (item.kind === "operand") files.push(item.value);
    else if (item.name === "bytes") bytes = true;
    else if (item.name === "spaces") spaces = true;
    else {
      const text = item.name === "digit" ? (item.as[1] ?? "") + item.value : item.value;
      const bounds = { min: 1n, max: UINTMAX - 9n };
      width = toCount(readBounded(text, "invalid number of columns", bounds));
    }
  }
  return { files, bytes, spaces, width };
}

/** The command `fold`; see {@linkcode Builtin}. */
export const fold: Builtin = builtinOf(command, readSettings, run);

async function* run(
  settings: Settings,
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  let status = 0;
  const files = openOperands(settings.files, io, (_problem, name, why) => {
    io.warn(`fold: ${quoteName(name)}: ${why}`);
    status = 1;
  });
  for await (const file of files) {
    const folder = new Folder(settings, io.limits?.lineBytes ?? MAX_LINE);
    for await (const chunk of file) {
      for (let at = 0; at < chunk.length;) {
        at = folder.fold(chunk, at);
        if (folder.out.length > 0) yield folder.out.take();
      }
    }
    folder.end();
    if (folder.out.length > 0) yield folder.out.take();
  }
  return status;
}

const LF = 10;

class Folder {
  readonly out = new LineOutput();
  readonly #settings: Settings;
  readonly #longest: number;
  /** Columns of the current line so far, and whether it has any bytes. */
  #column = 0;
  #started = false;
  /** With `-s`: the text after the last blank, which may move to the next line. */
  #word: Chunk = new Uint8Array(16);
  #held = 0;
  /** True if the current line has a blank. */
  #blank = false;

  /** With `-s`, holds `longest` bytes at most. */
  constructor(settings: Settings, longest: number) {
    this.#settings = settings;
    this.#longest = longest;
  }

  /** Folds from `at` on until the output is full; returns the offset to continue from. */
  fold(chunk: Chunk, from: number): number {
    const { out } = this;
    const { width, spaces } = this.#settings;
    let at = from;
    for (; at < chunk.length && !out.full; at++) {
      if (!spaces && this.#column < width) {
        // Most bytes are text that fits, which is copied at once.
        const stop = Math.min(chunk.length, at + width - this.#column);
        let end = at;
        while (end < stop && (chunk[end] as number) > 13) end++;
        if (end > at) {
          out.put(chunk, at, end);
          this.#column += end - at;
          this.#started = true;
          at = end - 1;
          continue;
        }
      }
      const byte = chunk[at] as number;
      if (byte === LF) {
        this.#flush();
        out.putByte(LF);
        this.#reset();
        continue;
      }
      let column = this.#after(this.#column, byte);
      while (column > width && this.#started) {
        this.#break();
        column = this.#after(this.#column, byte);
      }
      this.#column = column;
      this.#started = true;
      if (!spaces) {
        out.putByte(byte);
      } else {
        this.#hold(byte);
        if (byte === 32 || byte === 9) {
          this.#flush();
          this.#blank = true;
        }
      }
    }
    return at;
  }

  /** Ends the file, whose last line may lack its newline. */
  end(): void {
    this.#flush();
  }

  /** The column after a byte, as on a terminal. */
  #after(column: number, byte: number): number {
    if (this.#settings.bytes) return column + 1;
    if (byte === 8) return Math.max(0, column - 1);
    if (byte === 13) return 0;
    if (byte === 9) return column + 8 - column % 8;
    return column + 1;
  }

  /** Ends the output line: after its last blank if there is one, otherwise here. */
  #break(): void {
    if (!this.#blank) this.#flush();
    this.out.putByte(LF);
    this.#blank = false;
    this.#started = this.#held > 0;
    this.#column = 0;
    for (let i = 0; i < this.#held; i++) {
      this.#column = this.#after(this.#column, this.#word[i] as number);
    }
  }

  #reset(): void {
    this.#column = 0;
    this.#started = this.#blank = false;
  }

  #flush(): void {
    if (this.#held > 0) this.out.put(this.#word, 0, this.#held);
    this.#held = 0;
  }

  #hold(byte: number): void {
    if (this.#held === this.#word.length) {
      if (this.#held === this.#longest) throw lineTooLong(this.#longest);
      const grown = new Uint8Array(Math.min(this.#held * 2, this.#longest));
      grown.set(this.#word);
      this.#word = grown;
    }
    this.#word[this.#held++] = byte;
  }
}
