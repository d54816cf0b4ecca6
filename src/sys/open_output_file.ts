import { aborted } from "./_aborted.ts";
import { descriptorOf, openDescriptor } from "./_descriptor_output.ts";
import { DirectOutput } from "./_direct_output.ts";
import { FileError, fileError, requireWholeName } from "./errors.ts";
import { type HeldFile, HeldOutput } from "./_held_output.ts";
import type { OutputFile } from "./output_file.ts";
import { mayUse } from "./permissions.ts";
import { followLinks, parentFolder, partialNameOf } from "./_paths.ts";
import { ClosedFolderError, ReplacingOutput } from "./_replacing_output.ts";
import { isSameFile } from "./same_file.ts";
import { seekableSize } from "./_seekable_size.ts";

/**
 * Opens a file for output that may also be an input of the same run.
 *
 * - New contents go to a temporary file in the same folder, which replaces the file at the end.
 *   Mode and owner are kept; a symbolic link stays, and its target is replaced.
 * - If no temporary file can be made there, because `--allow-read` and `--allow-write` do not cover
 *   the folder or the folder is read-only, the output is held in memory and written to the file at
 *   the end; `inPlace` gives the reason.
 * - A FIFO or a device is written directly, and so is a descriptor of this process (`/dev/stdout`,
 *   `/dev/fd/63` of bash's `>(...)`). A regular file behind a descriptor other than standard output
 *   and error is written only if it was opened for appending: otherwise, opening it again would
 *   overwrite the output of others.
 *
 * Opening a FIFO waits for its reader; `signal` ends the waiting. Partial output never replaces a
 * file in `keep`, such as an input: it gets another name.
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
export async function openOutputFile(
  path: string,
  signal?: AbortSignal,
  keep: readonly string[] = [],
): Promise<OutputFile> {
  const action = `write ${path}`;
  if (path === "" || path.endsWith("/")) throw new FileError(action, path, "it is a folder");
  requireWholeName(action, path);
  try {
    const named = descriptorOf(path);
    if (named !== undefined) return await openDescriptor(path, named, signal);
    const partial = partialNameOf(path);
    const partialName = keep.some((file) => isSameFile(file, partial)) ? undefined : partial;
    if (!mayUse("read", path)) {
      return await openUnseen(path, { ...permissionNote("read", path), partialName }, signal);
    }
    const target = await followLinks(path);
    const linked = descriptorOf(target);
    if (linked !== undefined) return await openDescriptor(path, linked, signal);
    const info = await Deno.stat(target).catch(missing);
    if (info?.isDirectory) throw new FileError(action, path, "it is a folder");
    if (info?.isSocket) {
      throw new FileError(action, path, "it is a socket; pipe into a program that connects to it");
    }
    if (info !== undefined && !info.isFile) {
      const file = await aborted(Deno.open(target, { write: true }), signal, (f) => f.close());
      return new DirectOutput(path, file);
    }
    const folder = parentFolder(target);
    for (const name of ["read", "write"] as const) {
      if (mayUse(name, folder)) continue;
      return await openUnseen(path, { ...permissionNote(name, path), partialName }, signal);
    }
    try {
      return await ReplacingOutput.open(path, target, info, partialName);
    } catch (error) {
      if (!(error instanceof ClosedFolderError)) throw error;
      return await openUnseen(path, { why: error.why, partialName }, signal);
    }
  } catch (error) {
    throw fileError(action, path, error);
  }
}

/** The reason why a file is not replaced by a new one, and the flag that would allow it. */
function permissionNote(name: "read" | "write", path: string): { why: string; flag: string } {
  const flag = `--allow-${name}=${parentFolder(path)}`;
  return { why: `permission ${flag} is missing`, flag };
}

/** Opens a file that may not be read, or must be written in place. */
async function openUnseen(
  path: string,
  inPlace: Omit<HeldFile, "before">,
  signal: AbortSignal | undefined,
): Promise<OutputFile> {
  const open = (create: boolean) =>
    aborted(Deno.open(path, { write: true, create }), signal, (late) => late.close());
  let created = false;
  const file = await open(false).catch((error) => {
    missing(error);
    created = true;
    return open(true);
  });
  const size = seekableSize(file);
  if (size === undefined) return new DirectOutput(path, file);
  return new HeldOutput(path, file, { ...inPlace, before: created ? undefined : size });
}

function missing(error: unknown): undefined {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}
