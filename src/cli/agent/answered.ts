import { printable } from "../../base/mod.ts";
import type { Question } from "./lines.ts";

/** The terminal that a question is asked on. */
export interface AskingTerminal {
  write(text: string): Promise<void>;
  /** The next line that is typed; `undefined` where there is none, or it is no longer waited for. */
  read(): Promise<string | undefined>;
  /** Keeps a line for the agent. */
  keep(line: string): void;
}

/**
 * Asks until a line is one of the keys. What else was typed was meant for the agent, most likely
 * before the question was there, and is kept.
 */
export async function answered<Answer extends string>(
  { text, answers, otherwise }: Question<Answer>,
  { write, read, keep }: AskingTerminal,
): Promise<Answer> {
  const keys = answers.map(({ key, label }) => `  [${key}] ${label}`).join("\n");
  await write(`\n${printable(`${text}\n${keys}`)}\n? `);
  for (;;) {
    const line = await read();
    if (line === undefined) {
      await write("\n");
      return otherwise;
    }
    const typed = line.trim().toLowerCase();
    const found = answers.find(({ key }) => key === typed);
    if (found !== undefined) return found.answer;
    if (typed !== "") keep(line);
    await write("? ");
  }
}
