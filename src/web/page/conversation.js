// @ts-check
import { markdownBlocks } from "./blocks.js";
import { announce, byId, make } from "./dom.js";
import { state } from "./state.js";

/** The conversation: one element a message, a card or a note. */
export const log = byId("log", HTMLElement);

/** The button that leads to the end, shown while the end is not. */
const down = byId("down", HTMLButtonElement);

/**
 * The message that the agent is writing.
 *
 * @type {HTMLElement | null}
 */
let bubble = null;
/** Its text. */
let source = "";
/** Whether it is to be drawn in the next frame. */
let drawing = false;

/** Whether the end of the conversation is shown. */
function atEnd() {
  return log.scrollHeight - log.scrollTop - log.clientHeight < 80;
}

/** Shows the end of the conversation. */
export function toEnd() {
  log.scrollTop = log.scrollHeight;
  down.hidden = true;
}

log.addEventListener("scroll", () => {
  if (atEnd()) down.hidden = true;
});
down.addEventListener("click", toEnd);

/**
 * Changes the conversation, and stays at its end if that was shown.
 *
 * @param {() => void} action
 */
export function change(action) {
  const follow = atEnd();
  action();
  if (follow) toEnd();
  else down.hidden = false;
}

/**
 * Adds an element to the conversation.
 *
 * @template {HTMLElement} Kind
 * @param {Kind} element
 * @returns {Kind} The element.
 */
export function add(element) {
  change(() => {
    log.querySelector(".empty")?.remove();
    log.append(element);
  });
  return element;
}

/** Forgets what is shown. */
export function clearConversation() {
  bubble = null;
  source = "";
  log.replaceChildren();
  down.hidden = true;
}

/**
 * Adds what the user said.
 *
 * @param {string} text
 * @returns {HTMLElement}
 */
export function addUser(text) {
  closeBubble();
  return add(make("article", { class: "user", "aria-label": "You", text }));
}

/**
 * Adds to what the agent says.
 *
 * @param {string} text Markdown, or any piece of it.
 */
export function say(text) {
  if (bubble === null) {
    bubble = add(make("article", { class: "agent", "aria-label": "Agent" }));
    if (state.busy) bubble.classList.add("busy");
  }
  source += text;
  // Once a frame, however many pieces come.
  if (!drawing) {
    drawing = true;
    requestAnimationFrame(draw);
  }
}

function draw() {
  drawing = false;
  const shown = bubble;
  if (shown !== null) change(() => shown.replaceChildren(...markdownBlocks(source)));
}

/** Ends what the agent says. */
export function closeBubble() {
  if (bubble === null) return;
  draw();
  bubble.classList.remove("busy");
  if (state.busy) announce(bubble.innerText);
  bubble = null;
  source = "";
}

/**
 * Adds something that neither the user nor the agent said.
 *
 * @param {string} text
 * @param {boolean} bad Whether something went wrong.
 */
export function note(text, bad) {
  closeBubble();
  add(make("p", { class: bad ? "note bad" : "note", role: bad ? "alert" : "note", text }));
}
