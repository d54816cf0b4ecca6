import { nameOnOneLine } from "../../base/mod.ts";
import type { ApprovalAnswer, ApprovalRequest, AskUser } from "../../coder/mod.ts";
import type { Front } from "./front.ts";
import type { LineInput, Question } from "./lines.ts";

/** Most lines of a command that are shown; the number of the others is added. */
const MOST_LINES = 20;

/** The question to the user about a call, to be answered by one key. */
export function approvalQuestion(request: ApprovalRequest): Question<ApprovalAnswer> {
  return {
    text: questionText(request),
    answers: [
      { key: "y", label: "yes, once", answer: "once" },
      { key: "s", label: `for this session: ${request.session}`, answer: "session" },
      { key: "n", label: "no", answer: "no" },
    ],
    otherwise: "no",
  };
}

function questionText({ kind, what, why }: ApprovalRequest): string {
  if (kind === "command") return `The agent wants to run:\n${indented(what)}`;
  const verb = kind === "read" ? "read" : "change";
  const reason = why === undefined ? "" : `\n  ${why}`;
  return `The agent wants to ${verb} ${nameOnOneLine(what)}${reason}`;
}

function indented(command: string): string {
  const lines = command.split("\n");
  const shown = lines.slice(0, MOST_LINES);
  if (lines.length > shown.length) shown.push(`[${lines.length - shown.length} more lines]`);
  return shown.map((line) => `  ${line}`).join("\n");
}

/** Returns a function that asks on the terminal of `lines`; `undefined` if it cannot ask. */
export function askOn(lines: LineInput): AskUser | undefined {
  if (lines.ask === undefined) return undefined;
  return async (request, signal) => await lines.ask?.(approvalQuestion(request), signal) ?? "no";
}

/** Wraps `ask`, so that the front knows while a question waits for the user. */
export function askBefore(front: Pick<Front, "waits">, ask: AskUser): AskUser {
  return async (request, signal) => {
    front.waits?.(true);
    try {
      return await ask(request, signal);
    } finally {
      front.waits?.(false);
    }
  };
}
