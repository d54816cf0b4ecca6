import { type ByteSource, toReadable } from "../streams/mod.ts";

/** Where what the user says comes from. */
export interface LineInput {
  /** The next line, without its end; `undefined` after the last, and when it was ended. */
  next(): Promise<string | undefined>;
  /** Ends it; a `next` that waits gets `undefined`. */
  close(): Promise<void>;
}

/** The lines of a source, each asked for by `prompt` first. */
export function sourceLines(
  source: ByteSource,
  prompt: () => Promise<void> = () => Promise.resolve(),
): LineInput {
  const reader = toReadable(source).pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let ended = false;
  return {
    async next() {
      await prompt();
      for (let at = -1; !ended;) {
        at = rest.indexOf("\n");
        if (at >= 0) {
          const line = rest.slice(0, at).replace(/\r$/, "");
          rest = rest.slice(at + 1);
          return line;
        }
        const { value, done } = await reader.read();
        if (done) ended = true;
        else rest += value;
      }
      const last = rest;
      rest = "";
      return last === "" ? undefined : last;
    },
    async close() {
      ended = true;
      rest = "";
      await reader.cancel();
    },
  };
}
