import { lastExchange, type Session } from "../../coder/mod.ts";

/** Limits of a text that is shown. */
interface Most {
  readonly lines: number;
  readonly characters: number;
}

const OF_USER: Most = { lines: 3, characters: 240 };
const OF_AGENT: Most = { lines: 8, characters: 600 };

const INTERRUPTED = "[It was interrupted before it was done]";

/**
 * The text that is shown when a session is continued: its title, the last exchange, shortened, in
 * the format of the conversation, and a note if the session was interrupted.
 */
export function welcome(
  label: string,
  { messages, interrupted }: Pick<Session, "messages" | "interrupted">,
  doing = "Going on with",
): string {
  const title = `${doing}: ${label}`;
  const last = lastExchange(messages);
  if (last === undefined) return title;
  const answer = last.agent === undefined
    ? "[It was stopped before it answered]"
    : `Agent: ${end(last.agent.trim(), OF_AGENT)}`;
  const how = interrupted === true && last.agent !== undefined ? `\n\n${INTERRUPTED}` : "";
  return `${title}\n\nYou: ${beginning(last.user.trim(), OF_USER)}\n\n${answer}${how}`;
}

function beginning(text: string, { lines, characters }: Most): string {
  const cut = [...text.split("\n").slice(0, lines).join("\n")].slice(0, characters).join("");
  return cut === text ? text : `${cut.trimEnd()} ...`;
}

/** Shortens an answer to its end, which tells what was done and what is left. */
function end(text: string, { lines, characters }: Most): string {
  const cut = [...text.split("\n").slice(-lines).join("\n")].slice(-characters).join("");
  return cut === text ? text : `... ${cut.trimStart()}`;
}
