import type { ByteSink, Chunk } from "../../streams/mod.ts";
import type { Messages } from "./messages.ts";

const NEWLINE = 10;

/**
 * Standard output when it is the same terminal as standard error: removes the status line before it
 * writes, and does not show it while the cursor is not at the beginning of a line.
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
