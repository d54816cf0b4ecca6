import type { ByteSink, Chunk } from "../../streams/mod.ts";
import { builtinOf, errorText, isFatal, matchChoice, standardOptions } from "../core/mod.ts";
import { type Builtin, type BuiltinIo, READER_LEFT } from "../builtin.ts";
import type { CommandSpec, ParsedArgument } from "../../command_line/mod.ts";
import { quoteName } from "../text/mod.ts";

type Option = "append" | "ignore" | "p" | "outputError" | "help" | "version";

const command: CommandSpec<Option> = {
  name: "tee",
  usage: "[OPTION]... [FILE]...",
  summary: "Copy standard input to standard output and to each FILE.",
  options: [
    {
      name: "append",
      short: "a",
      long: "append",
      help: "append to each FILE instead of overwriting it",
    },
    {
      name: "ignore",
      short: "i",
      long: "ignore-interrupts",
      help: "(ignored: a builtin receives no interrupts)",
    },
    { name: "p", short: "p", help: "the same as --output-error=warn-nopipe" },
    {
      name: "outputError",
      long: "output-error",
      argument: "optional",
      argumentName: "MODE",
      help: "action when an output fails: continue with the others (warn) or end (exit); " +
        "warn-nopipe, the default MODE, and exit-nopipe ignore closed pipes",
    },
    ...standardOptions,
  ],
  epilogue: "In all modes, tee ends when the reader of its standard output stops reading.",
};

const MODES = [["warn"], ["warn-nopipe"], ["exit"], ["exit-nopipe"]] as const;
type Mode = typeof MODES[number][0];

interface Settings {
  readonly files: readonly string[];
  readonly append: boolean;
  /**
   * The action on a write error. Without a mode, a write error on a pipe silently ends the command.
   */
  readonly mode: Mode | undefined;
}

function readSettings(items: Iterable<ParsedArgument<Option>>): Settings {
  const files: string[] = [];
  let append = false;
  let mode: Mode | undefined;
  for (const item of items) {
    if (item.kind === "operand") files.push(item.value);
    else if (item.name === "append") append = true;
    else if (item.name === "p") mode = "warn-nopipe";
    else if (item.name === "outputError") {
      const chosen = item.hasValue && matchChoice(item.value, "--output-error", MODES);
      mode = MODES.flat().find((each) => each === chosen) ?? "warn-nopipe";
    }
  }
  return { files, append, mode };
}

interface Output {
  readonly sink: ByteSink;
  /** Number of times that the file was named: each block is appended that often. */
  times: number;
}

/** The command `tee`; see {@linkcode Builtin}. Files receive each block before standard output. */
export const tee: Builtin = builtinOf(command, readSettings, run);

async function* run(
  { files, append, mode }: Settings,
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  const exits = mode === "exit" || mode === "exit-nopipe";
  let status = 0;
  /** True once nothing more may be written. */
  let over = false;
  const fail = (error: unknown, name: string): void => {
    if (isFatal(error, io.signal)) throw error;
    io.warn(`tee: ${quoteName(name)}: ${errorText(error)}`);
    status = 1;
    over ||= exits;
  };
  const failWrite = (error: unknown, name: string): void => {
    const broken = errorText(error) === "Broken pipe";
    if (broken && mode === undefined) {
      // SIGPIPE ends GNU's tee.
      status = READER_LEFT;
      over = true;
    } else if (!broken || mode === "warn" || mode === "exit") fail(error, name);
  };
  const outputs = new Map<string, Output>();
  try {
    for (const name of files) {
      const open = outputs.get(name);
      if (open !== undefined) {
        // Two writers that start at the beginning of a file write the same bytes at the same
        // offsets.
        if (append) open.times++;
        continue;
      }
      try {
        if (io.create === undefined) throw new Error("Files cannot be created here");
        outputs.set(name, { sink: await io.create(name, append), times: 1 });
      } catch (error) {
        fail(error, name);
        if (over) return status;
      }
    }
    while (!over) {
      let chunk: Chunk;
      try {
        const { done, value } = await io.stdin.next();
        if (done === true) break;
        chunk = value;
      } catch (error) {
        if (isFatal(error, io.signal)) throw error;
        io.warn(`tee: read error: ${errorText(error)}`);
        status = 1;
        break;
      }
      for (const [name, { sink, times }] of outputs) {
        try {
          for (let i = 0; i < times; i++) await sink.write(chunk);
        } catch (error) {
          outputs.delete(name);
          failWrite(error, name);
          if (over) break;
        }
      }
      // Also at the end: GNU tee treats standard output as its first file.
      yield chunk;
    }
  } finally {
    // Also when the reader stopped reading: written bytes stay, as in GNU tee.
    for (const [name, { sink }] of outputs) {
      try {
        await sink.close();
      } catch (error) {
        if (!io.signal.aborted) fail(error, name);
      }
    }
  }
  return status;
}
