import { lastExchange } from "../../coder/mod.ts";
import type { Message } from "../../llm/mod.ts";

/** How much is shown of a text. */
interface Most {
  readonly lines: number;
  readonly characters: number;
}

const OF_USER: Most = { lines: 3, characters: 240 };
const OF_AGENT: Most = { lines: 8, characters: 600 };

/**
 * What is told when a session goes on: its name and what was said last, shortened, in the output
 * format of a talk.
 */
export function welcome(label: string, messages: readonly Message[]): string {
  const title = `Going on with: ${label}`;
  const last = lastExchange(messages);
  if (last === undefined) return title;
  const answer = last.agent === undefined
    ? "[It was stopped before it answered]"
    : `Agent: ${end(last.agent.trim(), OF_AGENT)}`;
  return `${title}\n\nYou: ${beginning(last.user.trim(), OF_USER)}\n\n${answer}`;
}

function beginning(text: string, { lines, characters }: Most): string {
  const cut = [...text.split("\n").slice(0, lines).join("\n")].slice(0, characters).join("");
  return cut === text ? text : `${cut.trimEnd()} ...`;
}

/** An answer ends with what was done and what is left. */
function end(text: string, { lines, characters }: Most): string {
  const cut = [...text.split("\n").slice(-lines).join("\n")].slice(-characters).join("");
  return cut === text ? text : `... ${cut.trimStart()}`;
}
