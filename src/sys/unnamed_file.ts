import { fileError } from "./errors.ts";
import type { HostFile } from "../ports/mod.ts";

/**
 * Makes an empty temporary file, open for reading and writing, that has no name any more: the system
 * removes it when it is closed, and when this process ends in whatever way. Needs `--allow-write` and
 * `--allow-read` for the system's folder of temporary files.
 *
 * @throws {PermissionError | FileError} It can't be made.
 */
export async function unnamedFile(): Promise<HostFile> {
  try {
    const { openFile } = await import("./_file_handles.ts");
    const path = await Deno.makeTempFile({ prefix: "llmcmd-" });
    try {
      return await openFile(path, "rw");
    } finally {
      await Deno.remove(path);
    }
  } catch (error) {
    throw fileError("make a temporary file", "a temporary file", error);
  }
}
