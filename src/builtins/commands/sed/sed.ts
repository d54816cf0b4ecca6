import type { Chunk } from "../../../streams/mod.ts";
import { errorText, isFatal, openFile } from "../../core/mod.ts";
import type { BuiltinIo } from "../../builtin.ts";
import { formatHelp, UsageError } from "../../../command_line/mod.ts";
import { utf8 } from "../../text/mod.ts";
import { Answer, readSedSettings, type ScriptOption, sedCommand } from "./options.ts";
import { parseScript } from "./parse.ts";
import { Run } from "./run.ts";
import { type ScriptPiece, SedError } from "./script.ts";
import { type ByteString, encodeArgument, toByteString } from "./byte_string.ts";

/** The command `sed`; see {@linkcode Builtin}. */
export async function* sed(
  args: readonly string[],
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  try {
    const { options, pieces, files, stop } = readSedSettings(args);
    const script = await readScript(pieces, io);
    const program = parseScript(script, stop === undefined);
    if (stop !== undefined) throw stop;
    if (options.inPlace !== undefined) {
      if (files.length === 0) throw new SedError("no input files", 4);
      if (io.create === undefined) {
        throw new SedError("-i is not available, because files cannot be written here", 4);
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
      io.warn(formatHelp(sedCommand).trimEnd());
      return 1;
    }
    if (!(error instanceof SedError)) throw error;
    io.warn(`sed: ${error.message}`);
    return error.status;
  }
}

async function readScript(
  pieces: readonly ScriptOption[],
  io: BuiltinIo,
): Promise<ScriptPiece[]> {
  const script: ScriptPiece[] = [];
  for (const piece of pieces) {
    if ("text" in piece) {
      script.push({ dialect: piece.dialect, text: encodeArgument(piece.text) });
      continue;
    }
    try {
      script.push({ dialect: piece.dialect, ...await readScriptFile(piece.file, io) });
    } catch (error) {
      if (isFatal(error, io.signal)) throw error;
      throw new SedError(`couldn't open file ${piece.file}: ${errorText(error)}`, 4);
    }
  }
  return script;
}

async function readScriptFile(
  name: string,
  io: BuiltinIo,
): Promise<{ readonly file: string; readonly text: ByteString }> {
  const isStdin = name === "-" || name === "/dev/stdin";
  const source = isStdin ? io.stdin : await openFile(name, io);
  let text = "";
  for await (const chunk of source) text += toByteString(chunk);
  return { file: isStdin ? "-" : name, text };
}
