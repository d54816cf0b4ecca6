import { UsageError } from "../../command_line/mod.ts";
import type { ByteSource } from "../../streams/mod.ts";
import { inputText } from "./input_text.ts";

/** Bytes of standard input that `-p` takes, and characters of a line. */
export const MOST_INPUT: number = 16 * 1024 * 1024;

/** What is said is no place for data. */
export function tooLong(what: string): UsageError {
  return new UsageError(
    `${what} is longer than ${MOST_INPUT / 1024 ** 2} MiB: give the name of a file instead`,
  );
}

/** What is asked of the user, to be answered by one key. */
export interface Question<Answer extends string = string> {
  /** May have several lines. */
  readonly text: string;
  /** The keys, what each means in a few words, and what is answered by it. */
  readonly answers: readonly {
    readonly key: string;
    readonly label: string;
    readonly answer: Answer;
  }[];
  /** The answer where the input ends, or the signal fires. */
  readonly otherwise: Answer;
}

/** Where what the user says comes from. */
export interface LineInput {
  /** The next line, without its end; `undefined` after the last, and when it was ended. */
  next(): Promise<string | undefined>;
  /** Asks a question while no line is waited for; absent where there is nobody to answer. */
  ask?<Answer extends string>(question: Question<Answer>, signal: AbortSignal): Promise<Answer>;
  /** Ends it; a `next` that waits gets `undefined`. */
  close(): Promise<void>;
}

/**
 * The lines of a source, each asked for by `prompt` first. `tell` gets a warning where they are not
 * UTF-8.
 */
export function sourceLines(
  source: ByteSource,
  tell: (message: string) => void,
  prompt: () => Promise<void> = () => Promise.resolve(),
): LineInput {
  const reader = inputText(source, tell).getReader();
  let rest = "";
  /** Characters of `rest` that have no line break. */
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
