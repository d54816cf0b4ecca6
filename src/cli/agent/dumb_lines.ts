import { printable } from "../../base/mod.ts";
import { raceAbort } from "../../streams/mod.ts";
import type { LineInput, Question } from "./lines.ts";

/**
 * The lines of a terminal that edits them itself, as it cannot move its cursor. `open` gives them,
 * and calls its argument before it waits for one.
 */
export function dumbLines(
  open: (before: () => Promise<void>) => LineInput,
  write: (text: string) => Promise<void>,
): LineInput {
  let prompt = "You: ";
  /** Lines that were meant for the agent, and came while a question was asked. */
  const kept: string[] = [];
  const lines = open(() => write(prompt));
  /** A line that is waited for; a question that was withdrawn leaves it to whoever comes next. */
  let pending: Promise<string | undefined> | undefined;
  const next = async (signal?: AbortSignal) => {
    const read = pending ??= lines.next();
    const line = await (signal === undefined ? read : raceAbort(read, signal));
    pending = undefined;
    // The cursor stands behind the prompt still.
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
