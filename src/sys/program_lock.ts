import { fileError } from "./errors.ts";
import { isMissing } from "./text_file.ts";

/** A locked file that shows other programs that this one runs. */
export interface ProgramLock {
  /** Name of the file in its folder; no other program ever gets the same. */
  readonly name: string;
  /** The id of this process. */
  readonly pid: number;
  /** Unlocks and removes the file. */
  release(): Promise<void>;
}

/** Suffix of files that are not locked yet. */
const NEW = ".new";

/**
 * Marks this program as running, by a locked file in `folder`. The system unlocks it when the
 * program ends, however it ends. A process id would not do: ids are reused, and mean nothing in
 * another container. Removes the files of killed programs.
 *
 * @throws {FileError | PermissionError} The file can't be made.
 */
export async function programLock(folder: string): Promise<ProgramLock> {
  const name = `${Deno.pid}-${crypto.randomUUID()}`;
  const path = `${folder}/${name}`;
  try {
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
    for await (const { name } of Deno.readDir(folder)) {
      if (!name.endsWith(NEW)) await isLocked(folder, name);
    }
    const file = await Deno.open(path + NEW, { createNew: true, write: true, mode: 0o600 });
    try {
      await file.lock(true);
      // It is locked before it gets the name under which others see it.
      await Deno.rename(path + NEW, path);
    } catch (error) {
      file.close();
      throw error;
    }
    return {
      ...{ name, pid: Deno.pid },
      async release() {
        try {
          await Deno.remove(path);
        } catch (error) {
          if (!(error instanceof Deno.errors.NotFound)) {
            throw fileError(`remove ${path}`, path, error);
          }
        } finally {
          file.close();
        }
      },
    };
  } catch (error) {
    throw fileError(`write ${path}`, path, error);
  }
}

/**
 * True if the program with that file still runs. Otherwise removes the file.
 *
 * @throws {FileError | PermissionError} The file can't be read.
 */
export async function isLocked(folder: string, name: string): Promise<boolean> {
  if (name.includes("/")) return false;
  const path = `${folder}/${name}`;
  try {
    using file = await Deno.open(path, { read: true });
    // Others that ask at the same time may share this lock, the program may not.
    if (!await file.tryLock(false)) return true;
    await Deno.remove(path);
    return false;
  } catch (error) {
    const failure = fileError(`read ${path}`, path, error);
    if (isMissing(failure)) return false;
    throw failure;
  }
}
