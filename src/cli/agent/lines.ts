import { UsageError } from "../../command_line/mod.ts";
import type { ByteSource } from "../../streams/mod.ts";
import { inputText } from "./input_text.ts";

/** Most bytes of standard input for `-p`, and most characters of a line. */
export const MOST_INPUT: number = 16 * 1024 * 1024;

/** The error for an input above {@linkcode MOST_INPUT}. */
export function tooLong(what: string): UsageError {
  return new UsageError(
    `${what} is longer than ${MOST_INPUT / 1024 ** 2} MiB: give the name of a file instead`,
  );
}

/** A question to the user that one key answers. */
export interface Question<Answer extends string = string> {
  /** May have several lines. */
  readonly text: string;
  /** For each answer its key, its meaning in a few words, and its value. */
  readonly answers: readonly {
    readonly key: string;
    readonly label: string;
    readonly answer: Answer;
  }[];
  /** The answer if the input ends or the signal fires. */
  readonly otherwise: Answer;
}

/** The source of the user's lines. */
export interface LineInput {
  /**
   * Reads the next line, without its line break; `undefined` after the last one or after `close`.
   */
  next(): Promise<string | undefined>;
  /** Asks a question while no line is being read; absent if nobody can answer. */
  ask?<Answer extends string>(question: Question<Answer>, signal: AbortSignal): Promise<Answer>;
  /** Ends the input; a pending `next` resolves to `undefined`. */
  close(): Promise<void>;
}

/**
 * Reads lines from a source; calls `prompt` before each. `tell` gets a warning if they are not
 * UTF-8.
 */
export function sourceLines(
  source: ByteSource,
  tell: (message: string) => void,
  prompt: () => Promise<void> = () => Promise.resolve(),
): LineInput {
  const reader = inputText(source, tell).getReader();
  let rest = "";
  /** Characters of `rest` that are known to contain no line break. */
  let seen = 0;
  let ended = false;
  return {
    async next() {
      await prompt();
      while (!ended) {
        const at = rest.indexOf("\n", seen);
        if (at >= 0) {
          const line = rest.slice(0, at).replace(/\r$/, "");
          rest = rest.slice(at + 1);
          seen = 0;
          return line;
        }
        seen = rest.length;
        if (seen > MOST_INPUT) throw tooLong("a line");
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
