// @ts-check
import { byId } from "../../page/dom.js";
import { draft, state } from "./state.js";

/** The box in which the user writes. */
export const input = byId("input", HTMLTextAreaElement);
/** Sends what is written. */
export const send = byId("send", HTMLButtonElement);
/** Stops the turn; takes the place of the button that sends. */
export const stop = byId("stop", HTMLButtonElement);

/**
 * Puts a text into the box.
 *
 * @param {string} text
 */
export function write(text) {
  input.value = text;
  grow();
}

/** Shows what can be done: while a turn runs, to stop it, and to let a message wait for its end. */
export function showButtons() {
  stop.hidden = !state.busy;
  send.hidden = state.busy && input.value.trim() === "";
  send.textContent = state.busy ? "Queue" : "Send";
}

/** Makes the box as high as its text, and keeps that. */
function grow() {
  draft.set(input.value);
  showButtons();
  input.style.height = "auto";
  input.style.height = `${input.scrollHeight + 2}px`;
}

input.addEventListener("input", grow);
