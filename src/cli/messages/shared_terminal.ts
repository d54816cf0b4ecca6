import type { ByteSink, Chunk } from "../../streams/mod.ts";
import type { Messages } from "./messages.ts";

const NEWLINE = 10;

/**
 * Wraps standard output if it is the same terminal as standard error. Removes the status line
 * before a write, and hides it until the cursor is at the beginning of a line.
 */
export function besideStatusLine(sink: ByteSink, messages: Messages): ByteSink {
  return {
    async write(chunk: Chunk) {
      messages.hide();
      await messages.flush();
      await sink.write(chunk);
      if (chunk.at(-1) === NEWLINE) messages.unhide();
    },
    close: () => sink.close(),
  };
}
