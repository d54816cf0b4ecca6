import { createFile, FileError, isBrokenPipe } from "../../sys/mod.ts";
import type { ProxyEvent } from "../../vfs/mod.ts";

/** A file of events, each a line of JSON. */
export interface CallJournal {
  /** Adds an event. */
  record(event: ProxyEvent): void;
  /**
   * Writes all pending events and closes the file.
   *
   * @throws {FileError} An event could not be written.
   */
  close(): Promise<void>;
}

/** Creates or empties the file. */
export async function openJournal(path: string): Promise<CallJournal> {
  const sink = await createFile(path);
  const encoder = new TextEncoder();
  let waiting: string[] = [];
  let writing = Promise.resolve();
  let failed: { error: unknown } | undefined;
  const flush = async () => {
    const lines = waiting;
    waiting = [];
    if (lines.length === 0 || failed !== undefined) return;
    try {
      await sink.write(encoder.encode(lines.join("")));
    } catch (error) {
      failed = { error };
    }
  };
  return {
    record(event) {
      waiting.push(`${JSON.stringify({ time: new Date().toISOString(), ...event })}\n`);
      if (waiting.length === 1) writing = writing.then(flush);
    },
    async close() {
      await writing;
      await sink.close();
      if (failed === undefined) return;
      const { error } = failed;
      // Thrown as it is, a broken pipe would look like the end of standard output, which is not
      // reported.
      if (!isBrokenPipe(error)) throw error;
      const why = "its reader has gone, so it is not complete";
      throw new FileError(`write the journal ${path}`, path, why, error);
    },
  };
}
