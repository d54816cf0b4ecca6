import type { Message } from "../llm/mod.ts";
import { isGoOn } from "./_broken_answer.ts";
import { wordsOf } from "./_summary.ts";
import { messageText } from "./tokens.ts";

/** The last exchange of a conversation. */
export interface Exchange {
  /** The user's message. */
  readonly user: string;
  /** The last text of the agent since then; absent when it was stopped before any. */
  readonly agent?: string;
}

/**
 * Finds the last exchange of a conversation, to show where it is continued; `undefined` when the
 * user has said nothing.
 *
 * @example
 * ```ts
 * import { lastExchange } from "@llmcmd/llmcmd/coder";
 *
 * const last = lastExchange([
 *   { role: "user", content: "Fix it" },
 *   { role: "assistant", content: "Fixed." },
 * ]);
 * if (last?.user !== "Fix it" || last.agent !== "Fixed.") throw new Error("unexpected");
 * ```
 */
export function lastExchange(messages: readonly Message[]): Exchange | undefined {
  const at = messages.findLastIndex((message) => message.role === "user" && !isGoOn(message));
  const request = messages[at];
  if (request === undefined) return undefined;
  const answer = messages.slice(at).findLast((message) =>
    message.role === "assistant" && messageText(message).trim() !== ""
  );
  return {
    user: wordsOf(request),
    ...(answer === undefined ? {} : { agent: messageText(answer) }),
  };
}
