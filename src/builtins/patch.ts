import type { Chunk } from "../streams/mod.ts";
import type { BuiltinIo } from "./builtin.ts";
import { parseCommand } from "./_command.ts";
import { errorText, isFatal, openFile } from "./_operands.ts";
import { tryHelp } from "./options.ts";
import { patchCommand, type PatchSettings, readPatchSettings } from "./_patch_options.ts";
import { PatchError, PatchReader } from "./_patch_parse.ts";
import { Patcher } from "./_patch_run.ts";
import { byteLines, readWhole } from "./_patch_text.ts";

/** The status of trouble; 1 means that hunks were rejected. */
const TROUBLE = 2;

/**
 * The command `patch`; see {@linkcode Builtin}. Reads unified and normal diffs and changes files
 * through the ports `open` and `create`. Patch and files may each be 64 MiB.
 *
 * There is no terminal here: questions get the answer that GNU patch takes without one.
 */
export async function* patch(
  args: readonly string[],
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  const hint = tryHelp("patch");
  const warn = (message: string): void => io.warn(message === hint ? `patch: ${hint}` : message);
  const parsed = parseCommand(args, { ...io, warn }, patchCommand, readPatchSettings, TROUBLE);
  if (parsed.done) {
    yield* parsed.text;
    return parsed.status;
  }
  const { settings } = parsed;
  try {
    const lines = await readPatch(settings, io);
    const reader = new PatchReader(lines, settings.flags.has("binary"));
    const patcher = new Patcher(settings, io, reader);
    for await (const text of patcher.run()) {
      if (text.stdout) yield text.bytes;
      else io.warn(new TextDecoder().decode(text.bytes).replace(/\n$/, ""));
    }
    return patcher.status;
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    io.warn(`patch: **** ${error.message}`);
    return TROUBLE;
  }
}

async function readPatch({ input, place }: PatchSettings, io: BuiltinIo): Promise<string[]> {
  if (input === "-") return byteLines(await readWhole(io.stdin, input));
  try {
    const source = await openFile(place(input), io);
    try {
      return byteLines(await readWhole(source, input));
    } finally {
      await source.return();
    }
  } catch (error) {
    if (isFatal(error, io.signal)) throw error;
    throw new PatchError(`Can't open patch file ${input} : ${errorText(error)}`);
  }
}
