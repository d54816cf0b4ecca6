import { type Message, type Usage, withoutThought } from "../llm/mod.ts";

/** Tokens that a message costs besides its text. */
const MESSAGE = 6;

/**
 * Estimates the tokens of messages: one for 4 ASCII characters, and one for each other character.
 * Code has slightly more, prose slightly fewer.
 */
export function estimateTokens(messages: readonly Message[]): number {
  let tokens = 0;
  for (const message of messages) {
    tokens += MESSAGE + textTokens(contentOf(message));
    if (message.role !== "assistant") continue;
    // The thinking of earlier answers goes to the model again.
    const { extras } = message;
    if (extras !== undefined) tokens += textTokens(JSON.stringify([extras.message, extras.calls]));
    for (const { function: { name, arguments: input } } of message.tool_calls ?? []) {
      tokens += MESSAGE + textTokens(name) + textTokens(input);
    }
  }
  return Math.ceil(tokens);
}

/** Estimates the tokens of an answer where the endpoint does not count them. */
export function estimateUsage(request: readonly Message[], answer: Message): Usage {
  const prompt_tokens = estimateTokens(request);
  const completion_tokens = estimateTokens([answer]);
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

/** A character outside ASCII. */
const WIDE = /[\u0080-\uffff]/;

/** About how many tokens a text has. */
export function textTokens(text: string): number {
  let wide = 0;
  let at = text.search(WIDE);
  // Most texts have no wide characters, which saves a look at each one.
  if (at >= 0) { for (; at < text.length; at++) if (text.charCodeAt(at) > 127) wide++; }
  return (text.length - wide) / 4 + wide;
}

/** The text of a message; other parts are named, and a model's `<think>` block is left out. */
export function messageText(message: Message): string {
  const text = contentOf(message);
  return message.role === "assistant" ? withoutThought(text) : text;
}

/** The text of a message, as it is sent. */
function contentOf({ content }: Message): string {
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return content;
  return content.map((part) =>
    part.type === "text" && typeof part.text === "string" ? part.text : `[${part.type}]`
  ).join("\n");
}
