import type { ByteSink, Chunk } from "../streams/mod.ts";
import type { Builtin, BuiltinIo } from "./builtin.ts";
import { builtinOf, matchChoice, standardOptions } from "./_command.ts";
import { errorText, isFatal } from "./_operands.ts";
import type { CommandSpec, ParsedArgument } from "./options.ts";
import { quoteName } from "./_quote.ts";

type Option = "append" | "ignore" | "p" | "outputError" | "help" | "version";

const command: CommandSpec<Option> = {
  name: "tee",
  usage: "[OPTION]... [FILE]...",
  summary: "Copy standard input to each FILE, and also to standard output.",
  options: [
    {
      name: "append",
      short: "a",
      long: "append",
      help: "append to the given FILEs, do not overwrite",
    },
    {
      name: "ignore",
      short: "i",
      long: "ignore-interrupts",
      help: "ignore interrupt signals (accepted; a builtin gets none)",
    },
    { name: "p", short: "p", help: "diagnose errors writing to non pipes" },
    {
      name: "outputError",
      long: "output-error",
      argument: "optional",
      argumentName: "MODE",
      help: "set behavior on write error: warn, warn-nopipe, exit or exit-nopipe",
    },
    ...standardOptions,
  ],
  epilogue: "However it is called, tee ends when the reader of its standard output leaves.",
};

const MODES = [["warn"], ["warn-nopipe"], ["exit"], ["exit-nopipe"]] as const;

interface Settings {
  readonly files: readonly string[];
  readonly append: boolean;
  /** Whether an error of writing or opening ends all. */
  readonly exit: boolean;
}

function readSettings(items: Iterable<ParsedArgument<Option>>): Settings {
  const files: string[] = [];
  let append = false;
  let exit = false;
  for (const item of items) {
    if (item.kind === "operand") files.push(item.value);
    else if (item.name === "append") append = true;
    else if (item.name === "p") exit = false;
    else if (item.name === "outputError") {
      exit = item.hasValue && matchChoice(item.value, "--output-error", MODES).startsWith("exit");
    }
  }
  return { files, append, exit };
}

/** The command `tee`; see {@linkcode Builtin}. Files get each block before standard output does. */
export const tee: Builtin = builtinOf(command, readSettings, run);

async function* run(
  { files, append, exit }: Settings,
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  let status = 0;
  const fail = (error: unknown, name: string): void => {
    if (isFatal(error, io.signal)) throw error;
    io.warn(`tee: ${quoteName(name)}: ${errorText(error)}`);
    status = 1;
  };
  const outputs = new Map<ByteSink, string>();
  try {
    for (const name of files) {
      try {
        if (io.create === undefined) throw new Error("Files cannot be created here");
        outputs.set(await io.create(name, append), name);
      } catch (error) {
        fail(error, name);
        if (exit) return status;
      }
    }
    for (;;) {
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
      for (const [sink, name] of outputs) {
        try {
          await sink.write(chunk);
        } catch (error) {
          fail(error, name);
          outputs.delete(sink);
          if (exit) return status;
        }
      }
      yield chunk;
    }
  } finally {
    // Also when the reader has left: what was written stays, as it does with GNU's.
    for (const [sink, name] of outputs) {
      try {
        await sink.close();
      } catch (error) {
        if (!io.signal.aborted) fail(error, name);
      }
    }
  }
  return status;
}
