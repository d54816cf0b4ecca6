import type { Message } from "../llm/mod.ts";
import { textOf } from "./tokens.ts";

/** How a summary begins in the conversation. */
const HEADING = "[The conversation so far was compacted. Summary:]";
/** What stands before the words that a summary keeps. */
const WORDS = "[The user's last message, word for word:]";

/** The message that stands for what was summarised, with a request that must be kept as it is. */
export function summaryMessage(summary: string, request: Message | undefined): Message {
  const kept = request === undefined ? [] : [WORDS, wordsOf(request)];
  return { role: "user", content: [HEADING, summary, ...kept].join("\n\n") };
}

/** What the user said: of a summary the words that it keeps, so that summaries do not nest. */
export function wordsOf(request: Message): string {
  const text = textOf(request);
  const marker = `${WORDS}\n\n`;
  const at = text.startsWith(HEADING) ? text.indexOf(marker) : -1;
  return at < 0 ? text : text.slice(at + marker.length);
}
