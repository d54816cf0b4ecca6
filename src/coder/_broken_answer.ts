import type { Message } from "../llm/mod.ts";

/** Most times in a row that an answer that broke off is continued. */
export const MOST_BROKEN = 8;

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;

/** Milliseconds to wait after so many answers in a row broke off. */
export function pauseAfter(broken: number): number {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (broken - 1));
}

const TEXT = "[The connection broke here. Go on with your answer exactly where it ends, without " +
  "repeating any of it.]";

/** The message that asks the model to continue after the text of an answer that broke off. */
export const GO_ON: Message = { role: "user", content: TEXT };

/** True for a message of the user's role that this program wrote. */
export function isGoOn({ role, content }: Message): boolean {
  return role === "user" && content === TEXT;
}
