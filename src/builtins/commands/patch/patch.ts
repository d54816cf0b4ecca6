import type { Chunk } from "../../../streams/mod.ts";
import { errorText, isFatal, openFile, parseCommand } from "../../core/mod.ts";
import type { BuiltinIo } from "../../builtin.ts";
import { type HeldInput, holdInput, Storage } from "../../hold/mod.ts";
import { tryHelp } from "../../../command_line/mod.ts";
import { patchCommand } from "./command.ts";
import { type PatchSettings, readPatchSettings } from "./options.ts";
import { NO_BYTES, PatchFiles } from "./files.ts";
import { PatchLines } from "./lines.ts";
import { Patcher } from "./run.ts";
import { PatchError, Talk } from "./talk.ts";
import { TextLines } from "./text.ts";
import { quoteName, utf8 } from "../../text/mod.ts";

/** The status of trouble; 1 means that hunks were rejected. */
const TROUBLE = 2;

/**
 * The command `patch`; see {@linkcode Builtin}. Reads unified, context and normal diffs, ed scripts
 * as `diff -e` writes them, and what git adds. Changes files through the ports `open`, `create` and
 * `remove`; makes and removes folders through `mkdir` and `rmdir`. Holds one hunk at a time, and
 * neither the patch nor the files.
 *
 * There is no terminal here: questions get the answer that GNU patch takes without one.
 */
export async function* patch(
  args: readonly string[],
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  const hint = tryHelp("patch");
  const warn = (message: string): void => {
    // Of some faults GNU's tells no more than that there is help.
    if (message !== "patch: ") io.warn(message === hint ? `patch: ${hint}` : message);
  };
  const suffix = obsoleteSuffix(args);
  const words = suffix === undefined ? args : [...args.slice(0, -3), "-z", ...args.slice(-3)];
  const parsed = parseCommand(words, { ...io, warn }, patchCommand, readPatchSettings, TROUBLE);
  // It is the last option: behind an error of another, it is not looked at.
  const silent = parsed.done ? suffix !== "" : parsed.settings.flags.has("silent");
  if (suffix !== undefined && !silent) {
    yield utf8(`warning: the '-b ${suffix}' option is obsolete; use '-b -z ${suffix}' instead\n`);
  }
  if (parsed.done) {
    yield* parsed.text;
    return parsed.status;
  }
  const { settings } = parsed;
  let input: HeldInput | undefined;
  const files = new PatchFiles(io, settings);
  try {
    const { output, folder } = settings;
    if (folder !== undefined) await enter(folder, io);
    // The output is there even if nothing comes of it.
    if (output !== undefined && output !== "-") await files.append(output, NO_BYTES);
    input = await openPatch(settings, io);
    const talk = new Talk(settings.flags);
    const lines = new PatchLines(await TextLines.of(input), talk);
    const patcher = new Patcher(settings, io, lines, files, talk);
    const said = function* (): Generator<Chunk, void, void> {
      const text = talk.take();
      if (text.length === 0) return;
      if (output !== "-") yield text;
      else io.warn(new TextDecoder().decode(text).replace(/\n$/, ""));
    };
    try {
      for await (const piece of patcher.run()) {
        if (piece === "said") yield* said();
        else yield piece;
      }
    } catch (error) {
      yield* said();
      throw error;
    }
    yield* said();
    return patcher.status;
  } catch (error) {
    report(error, io);
    // As for GNU's, what was done before is written; what failed already is not told again.
    await files.flush().catch((late) => {
      if (!(late instanceof PatchError && late.message === errorText(error))) report(late, io);
    });
    return TROUBLE;
  } finally {
    await files.close();
    await input?.close();
  }
}

/** Tells of a patch that cannot be used; other errors go on. */
function report(error: unknown, io: BuiltinIo): void {
  if (!(error instanceof PatchError)) throw error;
  io.warn(`patch: **** ${error.message}`);
}

/** Makes sure that the folder of `-d` is one. */
async function enter(folder: string, io: BuiltinIo): Promise<void> {
  let why = "Not a directory";
  try {
    if (folder === "") why = "No such file or directory";
    else await (await openFile(folder, io)).return();
  } catch (error) {
    if (isFatal(error, io.signal)) throw error;
    why = errorText(error);
  }
  if (why !== "Is a directory") {
    throw new PatchError(`Can't change to directory ${quoteName(folder)} : ${why}`);
  }
}

/** The suffix in `-b SUFFIX ORIGINAL PATCH`, which was once how `-b` was given, and only at the end. */
function obsoleteSuffix(args: readonly string[]): string | undefined {
  const [option, suffix, ...files] = args.slice(-4);
  const isWord = (text: string | undefined): boolean => text === "-" || text?.[0] !== "-";
  const isOne = option === "-b" && files.length === 2 && [suffix, ...files].every(isWord);
  return isOne && !args.includes("--") ? suffix : undefined;
}

async function openPatch({ input, place }: PatchSettings, io: BuiltinIo): Promise<HeldInput> {
  const storage = new Storage(io);
  if (input === "-") return await holdInput(io.stdin, storage);
  try {
    const source = await openFile(place(input), io);
    const held = await holdInput(source, storage);
    return {
      size: held.size,
      read: (offset, into) => held.read(offset, into),
      close: async () => {
        await held.close();
        await source.return();
      },
    };
  } catch (error) {
    if (isFatal(error, io.signal)) throw error;
    throw new PatchError(`Can't open patch file ${quoteName(input)} : ${errorText(error)}`);
  }
}
