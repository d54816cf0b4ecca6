import { aborted } from "./_aborted.ts";
import { fileError, requireWholeName } from "./errors.ts";
import { FileSink } from "./file_sink.ts";

/**
 * Creates or truncates a file and opens it for writing; also opens FIFOs and devices. For files
 * that are useful while incomplete, such as logs; otherwise see `openOutputFile`.
 *
 * @throws {FileError | PermissionError} The file can't be written.
 */
export async function createFile(path: string, signal?: AbortSignal): Promise<FileSink> {
  requireWholeName(`write ${path}`, path);
  try {
    const opening = Deno.open(path, { write: true, create: true, truncate: true });
    return new FileSink(await aborted(opening, signal, (late) => late.close()), { name: path });
  } catch (error) {
    throw fileError(`write ${path}`, path, error);
  }
}
