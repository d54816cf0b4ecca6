import { openOutputFile } from "../../sys/mod.ts";
import { isMissing, type Vfs } from "../../vfs/mod.ts";
import type { Messages } from "../messages/mod.ts";
import { emptiedNote, partialNote } from "../text/mod.ts";

/** The file of `-o`: virtual while the program runs. */
export interface StagedOutput {
  /**
   * Puts what the program made in the file's place if it is `done`; otherwise leaves the file as it
   * was and keeps that as its `.partial`.
   *
   * @throws {FileError} It can't be written.
   */
  settle(vfs: Vfs, done: boolean): Promise<void>;
}

/**
 * Begins an output, so that one that can't be written is known before the program runs.
 *
 * @throws {FileError | PermissionError} It can't be written.
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
        // Has no effect on one that was closed.
        await output.abort();
        const { partial } = output;
        if (partial !== undefined) messages.say(partialNote(partial));
      }
    },
  };

  /** Whether there was something to copy. */
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
