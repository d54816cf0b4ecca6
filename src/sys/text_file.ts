import { toText } from "@std/streams/to-text";
import { FileError, fileError } from "./errors.ts";

/**
 * The text of a small UTF-8 file.
 *
 * @throws {FileError} The file is missing, can't be read, or is larger than `limit` bytes.
 * @throws {PermissionError} `--allow-read` doesn't cover it.
 */
export async function readTextFile(path: string, limit = 16 * 1024 * 1024): Promise<string> {
  try {
    using file = await Deno.open(path);
    const info = await file.stat();
    if (info.isDirectory) throw new FileError(`read ${path}`, path, "it is a folder");
    if (info.size > limit) {
      throw new FileError(
        `read ${path}`,
        path,
        `it has ${info.size} bytes, more than the ${limit} that such a file may have`,
      );
    }
    return await toText(file.readable);
  } catch (error) {
    throw fileError(`read ${path}`, path, error);
  }
}

/** True for the error of a file that does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof FileError && error.cause instanceof Deno.errors.NotFound;
}

/**
 * Paths of the files in a folder whose names end in `suffix`, in name order; `undefined` when
 * `path` is not a folder.
 *
 * @throws {FileError | PermissionError} The path is missing or can't be read.
 */
export async function listFolder(path: string, suffix: string): Promise<string[] | undefined> {
  try {
    if (!(await Deno.stat(path)).isDirectory) return undefined;
    const names: string[] = [];
    for await (const entry of Deno.readDir(path)) {
      if (!entry.isDirectory && entry.name.endsWith(suffix)) names.push(entry.name);
    }
    return names.sort().map((name) => `${path.replace(/\/+$/, "")}/${name}`);
  } catch (error) {
    throw fileError(`read ${path}`, path, error);
  }
}
