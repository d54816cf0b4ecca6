// @ts-check
import { addAsk, finishAsk } from "./asks.js";
import { addUser, note, say } from "./conversation.js";
import { state } from "./state.js";
import { showUsage } from "./status.js";
import { addCard, finishCard, showOutput } from "./tool_cards.js";
import { count } from "../../page/words.js";

/** @import { ChatItem } from "../../../chat/mod.ts" */
/** @import { Answered, Ask } from "./asks.js" */

/**
 * An item of a chat's history, or an event of a running turn.
 *
 * @typedef {ChatItem
 *   | Ask
 *   | Answered
 *   | { type: "usage", prompt_tokens: number, completion_tokens: number }
 *   | { type: "tool_output", content: string }
 *   | { type: "gap", missed: number }} Shown
 */

/**
 * Shows something that happened. What this page does not know is not shown.
 *
 * @param {Shown} event
 */
export function show(event) {
  switch (event.type) {
    case "user":
      addUser(event.content);
      break;
    case "text":
      say(event.content);
      break;
    case "tool":
      addCard(event);
      break;
    case "tool_output":
      showOutput(event.content);
      break;
    case "tool_result":
      finishCard(event);
      break;
    case "ask":
      addAsk(event);
      break;
    case "answered":
      finishAsk(event);
      break;
    case "usage":
      state.read += event.prompt_tokens;
      state.written += event.completion_tokens;
      showUsage();
      break;
    case "notice":
    case "warning":
      note(event.message, false);
      break;
    case "error":
      note(event.message, event.code !== "stopped");
      break;
    case "gap":
      state.gaps = true;
      note(`${count(event.missed, "earlier event")} can no longer be shown`, false);
  }
}
