import { printable } from "../../../base/mod.ts";
import type { Key } from "../editor/mod.ts";
import { fitRow, wrapped } from "../screen/mod.ts";

/** What is asked of the user, to be answered by one key. */
export interface Question<Answer extends string = string> {
  /** May have several lines. */
  readonly text: string;
  /** The keys, what each means in a word or two, and what `ask` gives for it. */
  readonly answers: readonly {
    readonly key: string;
    readonly label: string;
    readonly answer: Answer;
  }[];
  /** What Escape and Ctrl+C mean, the end of the input, and that the signal fires. */
  readonly otherwise: Answer;
}

/** A question as rows, the last with the keys. */
export function questionRows({ text, answers }: Question, columns: number): string[] {
  const keys = answers.map(({ key, label }) => `[${key}] ${label}`).join("  ");
  return [...wrapped(printable(text), columns).split("\n"), fitRow(`${keys} `, columns)];
}

/** A question and what was answered, as they stay on the screen. */
export function answeredText(question: Question, answer: string, columns: number): string {
  const { text, answers } = question;
  const label = answers.find((it) => it.answer === answer)?.label ?? "no answer";
  return `${wrapped(printable(text), columns)}\n  ${label}\n`;
}

/** The answer that a key gives, if it gives one. */
export function answerBy({ answers, otherwise }: Question, key: Key): string | undefined {
  if (key.type === "command") {
    return key.command === "escape" || key.command === "end" ? otherwise : undefined;
  }
  if (key.type !== "text") return undefined;
  const typed = key.text.toLowerCase();
  return answers.find((it) => it.key.toLowerCase() === typed)?.answer;
}
