// @ts-check
import { fresh } from "./chat.js";
import { focusChat, list, neighbourOf } from "./chat_list.js";
import { request, statusOf, untilThere } from "./connection.js";
import { note } from "./conversation.js";
import { announce, byId } from "./dom.js";
import { state } from "./state.js";
import { count, messageOf } from "./words.js";

/** @import { ListedSession } from "../chat_states.ts" */

const dialog = byId("confirm", HTMLDialogElement);
const question = byId("confirm-text", HTMLElement);

/**
 * Takes the answer to the question that is open.
 *
 * @type {(yes: boolean) => void}
 */
let answer = () => {};

/**
 * The chat that this page deletes.
 *
 * @type {string | undefined}
 */
let removing;

/**
 * Whether this page deletes a chat; else another one has.
 *
 * @param {string} id
 */
export function isRemoving(id) {
  return id === removing;
}

/**
 * Asks before something is deleted. The dialog takes the focus and gives it back.
 *
 * @param {string} text
 * @returns {Promise<boolean>}
 */
function confirmed(text) {
  answer(false);
  question.textContent = text;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => answer = resolve);
}

/**
 * Deletes a chat, if the user confirms it.
 *
 * @param {ListedSession} chat
 */
export async function removeChat({ id, title, turns, running }) {
  const what = `\u201c${title || "Chat"}\u201d with ${count(turns ?? 0, "turn")} will be gone.`;
  const also = running !== null ? " Its running turn will be stopped." : "";
  if (!await confirmed(what + also)) {
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

dialog.addEventListener("close", () => {
  // It comes late: the next question may be open already.
  if (!dialog.open) answer(dialog.returnValue === "yes");
});
byId("confirm-no", HTMLButtonElement).addEventListener("click", () => dialog.close("no"));
byId("confirm-yes", HTMLButtonElement).addEventListener("click", () => dialog.close("yes"));
