import { fileError } from "./errors.ts";
import type { HostFile } from "../ports/mod.ts";

/**
 * Makes an empty temporary file without a name, open for reading and writing. The system removes it
 * when it is closed or this process ends, however it ends. Needs `--allow-write` and `--allow-read`
 * for the system's folder of temporary files.
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
