import { aborted } from "./_aborted.ts";
import { fileError, requireWholeName } from "./errors.ts";
import { FileSink } from "./file_sink.ts";

/**
 * Creates or empties a file and opens it for writing; FIFOs and devices are opened too. For files
 * whose contents count from the first byte, such as logs; see `openOutputFile` for the others.
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
