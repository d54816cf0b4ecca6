// @ts-check
import { fresh } from "./chat.js";
import { focusChat, list, neighbourOf } from "./chat_list.js";
import { confirmed } from "./confirmed.js";
import { request, statusOf, untilThere } from "./connection.js";
import { note } from "./conversation.js";
import { announce } from "../../page/dom.js";
import { state } from "./state.js";
import { count, messageOf } from "../../page/words.js";

/** @import { ListedSession } from "../../../chat/mod.ts" */

/**
 * The chat that this page deletes.
 *
 * @type {string | undefined}
 */
let removing;

/**
 * True if this page deletes a chat, and not another one.
 *
 * @param {string} id
 */
export function isRemoving(id) {
  return id === removing;
}

/**
 * Deletes a chat, if the user confirms it.
 *
 * @param {ListedSession} chat
 */
export async function removeChat({ id, title, turns, running }) {
  const what = `\u201c${title || "Chat"}\u201d with ${count(turns ?? 0, "turn")} will be gone.`;
  const also = running !== null ? " Its running turn will be stopped." : "";
  if (!await confirmed("Delete this chat?", what + also, "Delete")) {
    // The list may have been drawn anew meanwhile: what had the focus is gone then.
    if (document.activeElement === document.body) focusChat(id);
    return;
  }
  const next = neighbourOf(id);
  removing = id;
  try {
    await request("DELETE", `/sessions/${id}`);
  } catch (error) {
    // Another window may have been faster.
    if (statusOf(error) !== 404) {
      note(`The chat could not be deleted: ${messageOf(error)}`, true);
      if (statusOf(error) === undefined) untilThere();
      return;
    }
  }
  announce("The chat is deleted");
  if (id === state.session) return fresh();
  await list();
  focusChat(next);
}
