// @ts-check

// The messages that wait for the end of the turn, above the box.
import { putBack } from "./attachments.js";
import { request, statusOf } from "./connection.js";
import { note } from "./conversation.js";
import { announce, byId, make } from "../../page/dom.js";
import { input } from "./message_box.js";
import { state } from "./state.js";
import { cut, messageOf } from "../../page/words.js";

/** @import { QueuedMessage } from "../../../chat/mod.ts" */

const panel = byId("queue", HTMLElement);
const items = byId("queued", HTMLElement);
const hint = byId("queue-hint", HTMLElement);

/**
 * The messages that are shown.
 *
 * @type {readonly QueuedMessage[]}
 */
let shown = [];
/** Counts what was asked for: what comes late must not replace what came to be shown. */
let step = 0;

/**
 * Shows the messages that wait.
 *
 * @param {readonly QueuedMessage[]} messages
 */
export function showQueue(messages) {
  step++;
  shown = messages;
  panel.hidden = messages.length === 0;
  items.replaceChildren(...messages.map(item));
  showHint();
}

/** Says why the messages wait. */
export function showHint() {
  hint.textContent = state.busy
    ? "Sent when the agent is done"
    : "The turn did not end well: send these, or take them back";
  for (const button of items.querySelectorAll(".now")) {
    if (button instanceof HTMLElement) button.hidden = state.busy;
  }
}

/**
 * @param {QueuedMessage} message
 * @param {number} index
 * @returns {HTMLElement}
 */
function item({ id, message }, index) {
  const text = cut(message.replace(/\s+/g, " ").trim(), 200);
  const buttons = [
    make("button", { type: "button", class: "back", "data-message": id, text: "Take back" }),
  ];
  // The others follow.
  if (index === 0) {
    buttons.unshift(
      make("button", { type: "button", class: "now", "data-message": id, text: "Send" }),
    );
  }
  return make("li", {}, make("span", { text, title: message.slice(0, 2000) }), ...buttons);
}

/**
 * Asks for the messages that wait, if they are others than those that are shown.
 *
 * @param {readonly string[]} ids Their names.
 */
export async function checkQueue(ids) {
  if (ids.join() === shown.map(({ id }) => id).join()) return;
  if (ids.length === 0) return showQueue([]);
  const { session } = state;
  const mine = ++step;
  try {
    const { queued } = await (await request("GET", `/sessions/${session}/queue`)).json();
    if (mine === step && session === state.session) showQueue(queued);
  } catch { /* The next change shows it. */ }
}

/**
 * Adds a message to those that wait.
 *
 * @param {string} message
 */
export async function enqueue(message) {
  try {
    await request("POST", `/sessions/${state.session}/queue`, { message });
    announce("The message waits for the end of the turn");
  } catch (error) {
    note(`${messageOf(error)}. Your message is back in the box`, true);
    putBack(message);
  }
}

/**
 * Takes a message back.
 *
 * @param {string} id
 * @returns {Promise<string | undefined>} Its text; `undefined` where it is no longer there.
 */
async function take(id) {
  try {
    const path = `/sessions/${state.session}/queue/${id}`;
    const { message } = await (await request("DELETE", path)).json();
    showQueue(shown.filter((it) => it.id !== id));
    return message;
  } catch (error) {
    if (statusOf(error) === 404) note("The message was sent already", false);
    else note(`It can't be taken back: ${messageOf(error)}`, true);
    return undefined;
  }
}

/**
 * Sets what the panel's buttons do.
 *
 * @param {(message: string) => void} send Sends a message that was taken out.
 */
export function useQueue(send) {
  items.addEventListener("click", async ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    const id = target.dataset["message"];
    if (id === undefined) return;
    const now = target.classList.contains("now");
    const message = await take(id);
    if (message === undefined) return;
    if (now) return send(message);
    putBack(message);
    input.focus();
  });
}
