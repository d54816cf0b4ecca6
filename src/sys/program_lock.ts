import { fileError } from "./errors.ts";
import { isMissing } from "./text_file.ts";

/** A mark by which other programs see that this one runs. */
export interface ProgramLock {
  /** The name of its file in the folder; no other program ever has the same. */
  readonly name: string;
  /** The number of this process. */
  readonly pid: number;
  /** Takes the mark away. */
  release(): Promise<void>;
}

/** How the names of files end that are not locked yet. */
const NEW = ".new";

/**
 * Marks this program as running: with a file in `folder` on which it holds a lock. The system takes
 * the lock away when the program ends, however it ends, so that no number of a process has to be
 * trusted: those are given again, and mean nothing in another container. Marks of programs that
 * were killed are removed.
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
      // Nobody sees it under its name before it is locked.
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
 * Whether the program with that mark still runs. If it does not, its file is removed.
 *
 * @throws {FileError | PermissionError} The file can't be read.
 */
export async function isLocked(folder: string, name: string): Promise<boolean> {
  if (name.includes("/")) return false;
  const path = `${folder}/${name}`;
  try {
    using file = await Deno.open(path, { read: true });
    // Shared with others that ask at the same time, but not with the program.
    if (!await file.tryLock(false)) return true;
    await Deno.remove(path);
    return false;
  } catch (error) {
    const failure = fileError(`read ${path}`, path, error);
    if (isMissing(failure)) return false;
    throw failure;
  }
}
