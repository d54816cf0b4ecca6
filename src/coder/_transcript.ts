import type { Message } from "../llm/mod.ts";
import { clip, clipEnd } from "../base/mod.ts";
import { messageText, textTokens } from "./tokens.ts";

/** Characters of one result or one call's input that a transcript shows. */
const MOST_RESULT = 2000;

/**
 * A conversation as text of about `most` tokens at most. If it is longer, its middle is left out.
 */
export function transcript(messages: readonly Message[], most: number): string {
  const parts = messages.map(part);
  let tokens = parts.reduce((sum, text) => sum + textTokens(text), 0);
  if (tokens <= most) return parts.join("\n\n");
  // The beginning says what the conversation is about, and the end how far the work has come.
  const head = parts.slice(0, 1).map((text) => shortened(text, most));
  const tail: string[] = [];
  tokens = head.reduce((sum, text) => sum + textTokens(text), 0);
  for (let index = parts.length - 1; index >= 1; index--) {
    const text = parts[index] ?? "";
    tokens += textTokens(text);
    if (tokens > most) break;
    tail.unshift(text);
  }
  const left = parts.length - head.length - tail.length;
  return [...head, `[${left} messages left out]`, ...tail].join("\n\n");
}

function part(message: Message): string {
  const text = messageText(message);
  if (message.role === "tool") return `Result: ${shortened(text, MOST_RESULT)}`;
  if (message.role !== "assistant") return `User: ${text}`;
  const calls = (message.tool_calls ?? []).map(({ function: { name, arguments: input } }) =>
    `Call: ${name}(${shortened(input, MOST_RESULT)})`
  );
  return [...(text === "" ? [] : [`Agent: ${text}`]), ...calls].join("\n");
}

/** The beginning and the end of a text. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  const head = clip(text, half);
  const tail = clipEnd(text, half);
  const left = text.length - head.length - tail.length;
  return `${head}\n[${left} characters left out]\n${tail}`;
}
