import { fileError } from "./errors.ts";

/** A file that text is appended to, such as a log. Only its owner can read it. */
export interface AppendFile {
  /** Appends text. Resolves when the system has it, so that it survives the end of this program. */
  append(text: string): Promise<void>;
  /** Truncates the file to its first `bytes` bytes. */
  truncate(bytes: number): Promise<void>;
  /** Closes it. */
  close(): void;
}

/**
 * Opens a file for appending and locks it; a missing file or folder is created. `undefined` if
 * another program has it open this way.
 *
 * @throws {FileError | PermissionError} The file can't be written.
 */
export async function appendFile(path: string): Promise<AppendFile | undefined> {
  const failure = (error: unknown) => fileError(`write ${path}`, path, error);
  const folder = path.replace(/\/?[^/]*$/, "");
  try {
    if (folder !== "") await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
    const file = await Deno.open(path, { create: true, read: true, append: true, mode: 0o600 });
    if (!await file.tryLock(true)) {
      file.close();
      return undefined;
    }
    return {
      async append(text: string) {
        let rest = new TextEncoder().encode(text);
        try {
          while (rest.length > 0) rest = rest.subarray(await file.write(rest));
        } catch (error) {
          throw failure(error);
        }
      },
      async truncate(bytes: number) {
        try {
          await file.truncate(bytes);
        } catch (error) {
          throw failure(error);
        }
      },
      close: () => file.close(),
    };
  } catch (error) {
    throw failure(error);
  }
}

/** Time of a file's last change, in milliseconds since the epoch; 0 if the system has none. */
export async function changedAt(path: string): Promise<number> {
  try {
    return (await Deno.stat(path)).mtime?.getTime() ?? 0;
  } catch (error) {
    throw fileError(`read ${path}`, path, error);
  }
}
