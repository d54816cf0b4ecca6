import { DirectOutput } from "./_direct_output.ts";
import { FileError, fileError } from "./errors.ts";
import type { Writable } from "./file_sink.ts";
import { HeldOutput } from "./_held_output.ts";
import { aborted } from "./_aborted.ts";
import type { OutputFile } from "./output_file.ts";
import { mayUse } from "./permissions.ts";
import { followLinks, parentFolder } from "./_paths.ts";
import { ReplacingOutput } from "./_replacing_output.ts";

/**
 * Opens a file for output that may also be an input of the same run.
 *
 * - New contents go to a temporary file in the same folder, which takes the file's place at the
 *   end. Mode and owner are kept; a symbolic link stays, and its target is replaced.
 * - That takes `--allow-read` and `--allow-write` for the folder. With less, the output is held in
 *   memory and written into the file at the end.
 * - A FIFO or a device is written directly, and so is what names standard output or error
 *   (`/dev/stdout`, `/dev/fd/2`): opening that anew would write over what others wrote there.
 *
 * @example
 * ```ts
 * import { openOutputFile } from "@llmcmd/llmcmd/sys";
 * import assert from "node:assert/strict";
 *
 * const path = await Deno.makeTempFile();
 * await Deno.writeTextFile(path, "old");
 * const output = await openOutputFile(path);
 * await output.write(new TextEncoder().encode("new"));
 * assert.equal(await Deno.readTextFile(path), "old");
 * await output.close();
 * assert.equal(await Deno.readTextFile(path), "new");
 * await Deno.remove(path);
 * ```
 *
 * @throws {FileError} The file or its folder can't be written.
 * @throws {PermissionError} `--allow-write` doesn't cover the file.
 */
export async function openOutputFile(path: string, signal?: AbortSignal): Promise<OutputFile> {
  const action = `write ${path}`;
  const own = ownDescriptor(path);
  if (own !== undefined) return new DirectOutput(path, own, true);
  if (path === "" || path.endsWith("/")) throw new FileError(action, path, "it is a folder");
  try {
    if (!mayUse("read", path)) return await HeldOutput.open(path, signal);
    const target = await followLinks(path);
    const info = await Deno.stat(target).catch(missing);
    if (info?.isDirectory) throw new FileError(action, path, "it is a folder");
    if (info !== undefined && !info.isFile) {
      const file = await aborted(Deno.open(target, { write: true }), signal, (f) => f.close());
      return new DirectOutput(path, file);
    }
    const folder = parentFolder(target);
    if (!mayUse("read", folder) || !mayUse("write", folder)) {
      return await HeldOutput.open(path, signal);
    }
    return await ReplacingOutput.open(path, target, info);
  } catch (error) {
    throw fileError(action, path, error);
  }
}

/** The descriptor of this process that a path names, if it is one of those that are written. */
function ownDescriptor(path: string): Writable | undefined {
  if (/^(?:\/dev\/stdout|\/dev\/fd\/1|\/proc\/self\/fd\/1)$/.test(path)) return Deno.stdout;
  if (/^(?:\/dev\/stderr|\/dev\/fd\/2|\/proc\/self\/fd\/2)$/.test(path)) return Deno.stderr;
  return undefined;
}

function missing(error: unknown): undefined {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}
