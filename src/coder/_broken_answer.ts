import type { Message } from "../llm/mod.ts";

/** How often in a row an answer that broke off is gone on with. */
export const MOST_BROKEN = 8;

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;

/** Milliseconds to wait after so many answers in a row broke off. */
export function pauseAfter(broken: number): number {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (broken - 1));
}

const TEXT = "[The connection broke here. Go on with your answer exactly where it ends, without " +
  "repeating any of it.]";

/** What stands for the user after the text of an answer that broke off. */
export const GO_ON: Message = { role: "user", content: TEXT };

/** Whether a message of the user is none that the user wrote. */
export function isGoOn({ role, content }: Message): boolean {
  return role === "user" && content === TEXT;
}
