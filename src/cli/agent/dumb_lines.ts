import { printable } from "../../base/mod.ts";
import { raceAbort } from "../../streams/mod.ts";
import type { LineInput, Question } from "./lines.ts";

/**
 * Lines of a terminal without cursor movement, which edits them itself. `open` returns the lines,
 * and calls its argument before it reads each of them.
 */
export function dumbLines(
  open: (before: () => Promise<void>) => LineInput,
  write: (text: string) => Promise<void>,
): LineInput {
  let prompt = "You: ";
  /** Lines for the agent that were typed while a question was open. */
  const kept: string[] = [];
  const lines = open(() => write(prompt));
  /** A line that is being read. A question that is withdrawn leaves it to the next reader. */
  let pending: Promise<string | undefined> | undefined;
  const next = async (signal?: AbortSignal) => {
    const read = pending ??= lines.next();
    const line = await (signal === undefined ? read : raceAbort(read, signal));
    pending = undefined;
    // At the end of input the cursor still stands behind the prompt.
    if (line === undefined) await write("\n");
    return line;
  };
  return {
    async next() {
      const line = kept.shift() ?? await next();
      prompt = "\nYou: ";
      return line;
    },
    async ask<Answer extends string>(question: Question<Answer>, signal: AbortSignal) {
      const { text, answers, otherwise } = question;
      const keys = answers.map(({ key, label }) => `  [${key}] ${label}`);
      await write(`\n${printable([text, ...keys].join("\n"))}\n`);
      prompt = "? ";
      try {
        for (;;) {
          const line = await next(signal);
          if (line === undefined) return otherwise;
          const found = answers.find(({ key }) => key === line.trim().toLowerCase());
          if (found !== undefined) return found.answer;
          if (line.trim() !== "") kept.push(line);
        }
      } catch (error) {
        if (!signal.aborted) throw error;
        return otherwise;
      } finally {
        prompt = "\nYou: ";
      }
    },
    close: () => lines.close(),
  };
}
