import { printable } from "../../../base/mod.ts";
import type { Key } from "../editor/mod.ts";
import type { Question } from "../lines.ts";
import { fitRow, wrapped } from "../screen/mod.ts";

/** A question as rows, with its keys at the end: on one row if they fit, else each on its own. */
export function questionRows({ text, answers }: Question, columns: number): string[] {
  const keys = answers.map(({ key, label }) => printable(`[${key}] ${label}`));
  const all = `  ${keys.join("   ")}`;
  const rows = all.length <= columns ? [all] : keys.map((row) => fitRow(`  ${row}`, columns));
  return [...wrapped(printable(text), columns).split("\n"), ...rows];
}

/** A question and its answer, as they stay on the screen. */
export function answeredText(question: Question, answer: string, columns: number): string {
  const { text, answers } = question;
  const label = answers.find((it) => it.answer === answer)?.label ?? "no answer";
  return `${wrapped(printable(text), columns)}\n  -> ${fitRow(printable(label), columns - 5)}\n`;
}

/** The answer that a key gives; `undefined` if it gives none. */
export function answerBy({ answers, otherwise }: Question, key: Key): string | undefined {
  if (key.type === "command") {
    return key.command === "escape" || key.command === "end" ? otherwise : undefined;
  }
  if (key.type !== "text") return undefined;
  const typed = key.text.toLowerCase();
  return answers.find((it) => it.key.toLowerCase() === typed)?.answer;
}
