import type { Chunk } from "../streams/mod.ts";
import type { BuiltinIo } from "./builtin.ts";
import { standardOptions } from "./_command.ts";
import { formatHelp } from "./help.ts";
import { errorText, isFatal, openFile } from "./_operands.ts";
import { type CommandSpec, parseOptions, UsageError } from "./options.ts";
import { utf8 } from "./_output.ts";
import { parseScript } from "./sed_parse.ts";
import type { SedOptions } from "./sed_program.ts";
import { Run } from "./sed_run.ts";
import { encodeArgument, type ScriptPiece, SedError, toByteString } from "./sed_script.ts";

type Option =
  | "quiet"
  | "debug"
  | "expression"
  | "file"
  | "follow"
  | "in-place"
  | "line-length"
  | "posix"
  | "extended"
  | "separate"
  | "sandbox"
  | "unbuffered"
  | "null"
  | "binary"
  | "help"
  | "version";

const command: CommandSpec<Option> = {
  name: "sed",
  usage: "[OPTION]... {script-only-if-no-other-script} [input-file]...",
  summary: "Edit each line of the input files, or of standard input, by a script.\n\n" +
    "Without -e or -f the first operand is the script.",
  abbreviationOrder: [
    "binary",
    "regexp-extended",
    "in-place",
    "line-length",
    "null-data",
    "zero-terminated",
    "quiet",
    "posix",
    "silent",
    "sandbox",
    "separate",
    "unbuffered",
    "version",
    "help",
    "follow-symlinks",
  ],
  options: [
    {
      name: "quiet",
      short: "n",
      long: ["quiet", "silent"],
      help: "print lines only where the script says so",
    },
    { name: "debug", long: "debug", help: "not supported" },
    {
      name: "expression",
      short: "e",
      long: "expression",
      argument: "required",
      argumentName: "SCRIPT",
      help: "add SCRIPT to the commands",
    },
    {
      name: "file",
      short: "f",
      long: "file",
      argument: "required",
      argumentName: "FILE",
      help: "add what FILE holds to the commands",
    },
    { name: "follow", long: "follow-symlinks", help: "follow symbolic links with -i" },
    {
      name: "in-place",
      short: "i",
      long: "in-place",
      argument: "optional",
      argumentName: "SUFFIX",
      help: "edit files in place; keep the original under a name with SUFFIX, if there is one",
    },
    {
      name: "line-length",
      short: "l",
      long: "line-length",
      argument: "required",
      argumentName: "N",
      help: "let the command l break lines at N columns; 0 means never",
    },
    { name: "posix", long: "posix", help: "switch off all GNU extensions" },
    {
      name: "extended",
      short: "E",
      long: "regexp-extended",
      help: "use extended regular expressions",
    },
    { name: "extended", short: "r", help: "the same as -E" },
    {
      name: "separate",
      short: "s",
      long: "separate",
      help: "take the files one by one, not as one long stream",
    },
    { name: "sandbox", long: "sandbox", help: "reject the commands e, r and w" },
    { name: "unbuffered", short: "u", long: "unbuffered", help: "pass lines on at once" },
    {
      name: "null",
      short: "z",
      long: ["null-data", "zero-terminated"],
      help: "lines end with NUL, not newline",
    },
    { name: "binary", short: "b", long: "binary", help: "(ignored)" },
    ...standardOptions,
  ],
};

interface Settings {
  readonly options: SedOptions;
  readonly pieces: readonly ({ readonly text: string } | { readonly file: string })[];
  readonly files: readonly string[];
}

/** What ends the command before it has begun: text for standard output. */
class Answer extends Error {}

function readSettings(args: readonly string[]): Settings {
  const pieces: ({ readonly text: string } | { readonly file: string })[] = [];
  const operands: string[] = [];
  const given = new Set<Option>();
  let inPlace: string | undefined;
  let lineLength = 70;
  for (const item of parseOptions(args, command)) {
    if (item.kind === "operand") operands.push(item.value);
    else {
      given.add(item.name);
      if (item.name === "help") throw new Answer(formatHelp(command));
      if (item.name === "version") throw new Answer("sed (llmcmd builtins)\n");
      if (item.name === "expression") pieces.push({ text: item.value });
      if (item.name === "file") pieces.push({ file: item.value });
      if (item.name === "in-place") inPlace = item.value;
      if (item.name === "line-length") lineLength = Number.parseInt(item.value, 10) || 0;
    }
  }
  if (given.has("debug")) throw new SedError("--debug is not supported");
  if (pieces.length === 0) {
    const script = operands.shift();
    if (script === undefined) throw new UsageError("");
    pieces.push({ text: script });
  }
  const options: SedOptions = {
    extended: given.has("extended"),
    posix: given.has("posix"),
    sandbox: given.has("sandbox"),
    quiet: given.has("quiet"),
    separate: given.has("separate") || inPlace !== undefined,
    separator: given.has("null") ? 0 : 10,
    lineLength,
    unbuffered: given.has("unbuffered"),
    inPlace,
  };
  return { options, pieces, files: operands };
}

async function readScriptFile(name: string, io: BuiltinIo): Promise<ScriptPiece> {
  const source = name === "-" || name === "/dev/stdin" ? io.stdin : await openFile(name, io);
  let text = "";
  for await (const chunk of source) text += toByteString(chunk);
  return { file: name === "/dev/stdin" ? "-" : name, text };
}

async function readScript(settings: Settings, io: BuiltinIo): Promise<ScriptPiece[]> {
  const pieces: ScriptPiece[] = [];
  for (const piece of settings.pieces) {
    if ("text" in piece) {
      pieces.push({ text: encodeArgument(piece.text) });
      continue;
    }
    try {
      pieces.push(await readScriptFile(piece.file, io));
    } catch (error) {
      if (isFatal(error, io.signal)) throw error;
      throw new SedError(`couldn't open file ${piece.file}: ${errorText(error)}`, 4);
    }
  }
  return pieces;
}

/** The command `sed`; see {@linkcode Builtin}. */
export async function* sed(
  args: readonly string[],
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  try {
    const settings = readSettings(args);
    const { options, files } = settings;
    const program = parseScript(await readScript(settings, io), options);
    if (options.inPlace !== undefined) {
      if (files.length === 0) throw new SedError("no input files", 4);
      if (io.create === undefined) {
        throw new SedError("-i needs files that can be written, which there are none of here", 4);
      }
    }
    return yield* new Run(program, options, files, io).lines();
  } catch (error) {
    if (error instanceof Answer) {
      yield utf8(error.message);
      return 0;
    }
    if (error instanceof UsageError) {
      if (error.message !== "") io.warn(`sed: ${error.message}`);
      io.warn(formatHelp(command).trimEnd());
      return 1;
    }
    if (!(error instanceof SedError)) throw error;
    io.warn(`sed: ${error.message}`);
    return error.status;
  }
}
