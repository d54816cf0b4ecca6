import type { Chunk } from "../../../streams/mod.ts";
import type { BuiltinIo } from "../../builtin.ts";
import { errorText, isFatal, parseCommand } from "../../core/mod.ts";
import { type HeldInput, holdInput } from "../../hold/mod.ts";
import { tryHelp } from "../../../command_line/mod.ts";
import { inFolder, patchCommand, type PatchSettings, readPatchSettings } from "./command.ts";
import { holdFile, NO_BYTES, PatchFiles } from "./files.ts";
import { PatchLines } from "./lines.ts";
import { Patcher } from "./run.ts";
import { PatchError, Talk } from "./talk.ts";
import { quoteName } from "../../text/mod.ts";

/** The status for errors; 1 means that hunks were rejected. */
const TROUBLE = 2;

/**
 * The command `patch`; see {@linkcode Builtin}. Reads unified, context and normal diffs, and git's
 * extensions. Changes files through the ports `open`, `create` and `remove`; creates and removes
 * folders through `mkdir` and `rmdir`. Holds one hunk at a time, and neither the patch nor the
 * files.
 *
 * There is no terminal here: questions are answered as GNU patch does without one.
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
  const { output } = settings;
  const files = new PatchFiles(io, settings);
  const talk = new Talk(settings.flags);
  const said = function* (): Generator<Chunk, void, void> {
    const text = talk.take();
    if (text.length === 0) return;
    if (output !== "-") yield text;
    else io.warn(new TextDecoder().decode(text).replace(/\n$/, ""));
  };
  let input: HeldInput | undefined;
  try {
    // The output file exists even if there is no result.
    if (output !== undefined && output !== "-") await files.append(output, NO_BYTES);
    input = await openPatch(settings, files, io);
    const patcher = new Patcher(settings, io, await PatchLines.of(input, talk), files, talk);
    for await (const piece of patcher.run()) {
      yield* said();
      if (piece !== "said") yield piece;
    }
    yield* said();
    return patcher.status;
  } catch (error) {
    yield* said();
    report(error, io);
    // Earlier results are still written.
    await files.flush().catch((late) => report(late, io));
    return TROUBLE;
  } finally {
    await input?.close();
  }
}

/** Reports a patch that cannot be used; throws other errors. */
function report(error: unknown, io: BuiltinIo): void {
  if (!(error instanceof PatchError)) throw error;
  io.warn(`patch: **** ${error.message}`);
}

async function openPatch(
  { input, folder }: PatchSettings,
  { storage }: PatchFiles,
  io: BuiltinIo,
): Promise<HeldInput> {
  if (input === "-") return await holdInput(io.stdin, storage);
  try {
    return await holdFile(inFolder(folder, input), io, storage);
  } catch (error) {
    if (isFatal(error, io.signal)) throw error;
    throw new PatchError(`Can't open patch file ${quoteName(input)} : ${errorText(error)}`);
  }
}
