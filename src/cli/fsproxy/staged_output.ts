import { openOutputFile } from "../../sys/mod.ts";
import { isMissing, type Vfs } from "../../vfs/mod.ts";
import type { Messages } from "../messages/mod.ts";
import { emptiedNote, partialNote } from "../text/mod.ts";

/** The file of `-o`, which stays virtual while the program runs. */
export interface StagedOutput {
  /**
   * Replaces the file with the program's output if it is `done`. Otherwise leaves the file as it
   * was and keeps the output as its `.partial`.
   *
   * @throws {FileError} It cannot be written.
   */
  settle(vfs: Vfs, done: boolean): Promise<void>;
}

/**
 * Opens the file of `-o`, so that an error shows before the program runs.
 *
 * @throws {FileError | PermissionError} It cannot be written.
 */
export async function openStagedOutput(
  path: string,
  messages: Messages,
  signal: AbortSignal,
): Promise<StagedOutput> {
  const output = await openOutputFile(path, signal);
  return {
    async settle(vfs, done) {
      try {
        const made = await copy(vfs);
        if (done && made) await output.close();
        if (done && made && output.written === 0 && output.before > 0) {
          messages.warn(emptiedNote(path));
        }
        if (done && !made) messages.warn(`${path} is as it was: nothing was written`);
      } finally {
        // Does nothing if it is closed.
        await output.abort();
        const { partial } = output;
        if (partial !== undefined) messages.say(partialNote(partial));
      }
    },
  };

  /** Copies the virtual file; false if there is none. */
  async function copy(vfs: Vfs): Promise<boolean> {
    try {
      for await (const chunk of await vfs.read(path)) await output.write(chunk);
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }
}
