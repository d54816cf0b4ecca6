import type { Message } from "../llm/mod.ts";
import { messageText } from "./tokens.ts";

/** The first line of a summary in the conversation. */
const HEADING = "[The conversation so far was compacted. Summary:]";
/** The text before the user's words that a summary keeps. */
const WORDS = "[The user's last message, word for word:]";

/** The message that replaces the summarised messages, with the user's request word for word. */
export function summaryMessage(summary: string, request: Message | undefined): Message {
  const kept = request === undefined ? [] : [WORDS, wordsOf(request)];
  return { role: "user", content: [HEADING, summary, ...kept].join("\n\n") };
}

/**
 * The user's words in a message. For a summary these are the words that it keeps, so that summaries
 * do not nest.
 */
export function wordsOf(request: Message): string {
  const text = messageText(request);
  const marker = `${WORDS}\n\n`;
  const at = text.startsWith(HEADING) ? text.indexOf(marker) : -1;
  return at < 0 ? text : text.slice(at + marker.length);
}
