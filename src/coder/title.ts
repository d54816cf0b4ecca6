import { type ChatClient, LlmError, type Message, type Quota } from "../llm/mod.ts";
import { clip } from "../base/mod.ts";
import { ask } from "./_ask.ts";
import { messageText } from "./tokens.ts";

/** Options of a title. */
export interface TitleOptions {
  /** The client of the model. */
  readonly client: ChatClient;
  /** The model; a small one is enough. */
  readonly model: string;
  /** Stops it. */
  readonly signal?: AbortSignal | undefined;
  /** Counts the call. */
  readonly quota?: Quota | undefined;
}

/** Characters of a title. */
const MOST = 60;
/** Characters of each message that the model is shown. */
const SHOWN = 2000;

const SYSTEM = `Give the conversation a title for a list: at most six words, in the user's \
language, without quotes and without a full stop. Answer with the title only.`;

/**
 * A short title of a conversation, at most 60 characters. When the model fails it is the beginning
 * of the first message; empty for a conversation without a user's message.
 */
export async function title(messages: readonly Message[], options: TitleOptions): Promise<string> {
  const first = messages.find(({ role }) => role === "user");
  if (first === undefined) return "";
  const answer = messages.find((message) =>
    message.role === "assistant" && messageText(message) !== ""
  );
  const shown = [
    `User: ${clip(messageText(first), SHOWN)}`,
    ...(answer === undefined ? [] : [`Agent: ${clip(messageText(answer), SHOWN)}`]),
  ];
  try {
    const text = await ask([
      { role: "system", content: SYSTEM },
      { role: "user", content: shown.join("\n\n") },
    ], { ...options });
    return tidy(text) || tidy(messageText(first));
  } catch (error) {
    if (error instanceof LlmError) return tidy(messageText(first));
    throw error;
  }
}

/** A model's thoughts, also after other text, or without their opening tag. */
const THOUGHT = /<think(ing)?>[^]*?(<\/think(ing)?>|$)|^[^]*<\/think(ing)?>/gi;

function tidy(text: string): string {
  const line =
    text.replace(THOUGHT, "").split("\n").map((it) => it.trim()).find((it) => it !== "") ?? "";
  // deno-lint-ignore no-control-regex -- a title goes to terminals
  const plain = line.replace(/[\x00-\x1f\x7f-\x9f]/g, " ").replace(/^(title|titel):\s*/i, "")
    .replace(/^[#*"'`\s]+|[*"'`.\s]+$/g, "");
  const characters = [...plain];
  return characters.length > MOST ? `${characters.slice(0, MOST - 3).join("")}...` : plain;
}
