// @ts-check
import { AgentMessage } from "./agent_message.js";
import { splitFiles } from "./attached_text.js";
import { announce, byId, make } from "../../page/dom.js";
import { state } from "./state.js";
import { count, visible } from "../../page/words.js";

/** The conversation: one element a message, a card or a note. */
export const log = byId("log", HTMLElement);

/** The button that leads to the end, shown while the end is not. */
const down = byId("down", HTMLButtonElement);

/**
 * The message that the agent is writing.
 *
 * @type {AgentMessage | null}
 */
let message = null;
/** True if drawing is scheduled for a coming frame. */
let drawing = false;
/** Not before this time, in milliseconds since the page began: drawing must leave time to scroll. */
let nextDrawing = 0;
/** True while much is added at once, after which the page scrolls to the end anyway. */
let adding = false;

/** True while the end of the conversation is visible. */
export function atEnd() {
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
  // To ask where the end is makes the browser lay out all that is there.
  if (adding) return action();
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
  message = null;
  log.replaceChildren();
  down.hidden = true;
}

/**
 * The user's messages, by the elements that show them.
 *
 * @type {WeakMap<HTMLElement, string>}
 */
const said = new WeakMap();
/**
 * The button that asks again what the user said last.
 *
 * @type {HTMLElement | null}
 */
let retry = null;

/**
 * Adds what the user said, with which a turn begins.
 *
 * @param {string} message
 * @returns {HTMLElement}
 */
export function addUser(message) {
  closeBubble();
  const { text, files } = splitFiles(message);
  const bubble = make("div", { class: "said", text });
  for (const { name, text } of files) {
    const lines = count(text.replace(/\n$/, "").split("\n").length, "line");
    const summary = make("summary", { text: `${visible(name)}, ${lines}` });
    bubble.append(make("details", { class: "file" }, summary, make("pre", { text })));
  }
  // Only the last one can be asked again as it is: with others, what follows would be lost.
  retry?.remove();
  retry = make("button", { type: "button", class: "retry", text: "Retry", title: RETRY });
  const edit = make("button", { type: "button", class: "change", text: "Edit" });
  const tools = make("div", { class: "tools" }, retry, edit);
  const turn = String(state.turns++);
  const article = make("article", { class: "user", "aria-label": "You", "data-turn": turn });
  article.append(bubble, tools);
  said.set(article, message);
  return add(article);
}

const RETRY = "Ask the agent again in the place of this answer; changes to files stay";

/**
 * The whole message that an element shows.
 *
 * @param {HTMLElement} article
 * @returns {string}
 */
export function textOfUser(article) {
  return said.get(article) ?? "";
}

/**
 * Takes a message and all that comes after it off the page.
 *
 * @param {HTMLElement} article
 */
export function removeFrom(article) {
  closeBubble();
  while (article.nextSibling !== null) article.nextSibling.remove();
  article.remove();
  const before = [...log.querySelectorAll(".user > .tools")].at(-1);
  if (retry !== null) before?.prepend(retry);
}

/**
 * Adds many messages, cards and notes at once.
 *
 * @param {() => void} action
 */
export function addAll(action) {
  adding = true;
  try {
    action();
  } finally {
    adding = false;
  }
}

/**
 * Adds to what the agent says.
 *
 * @param {string} text Markdown, or any piece of it.
 */
export function say(text) {
  if (message === null) {
    message = new AgentMessage();
    add(message.element);
    if (state.busy) message.element.classList.add("busy");
  }
  message.add(text);
  // Once a frame at most, however many pieces come.
  if (drawing || adding) return;
  drawing = true;
  requestAnimationFrame(draw);
}

function draw() {
  if (message !== null && performance.now() < nextDrawing) {
    requestAnimationFrame(draw);
    return;
  }
  drawing = false;
  if (message === null) return;
  const began = performance.now();
  const shown = message;
  change(() => shown.draw());
  const now = performance.now();
  // At most a fifth of the time.
  nextDrawing = now + 4 * (now - began);
}

/** Ends what the agent says. */
export function closeBubble() {
  if (message === null) return;
  const shown = message;
  message = null;
  change(() => shown.close());
  shown.element.classList.remove("busy");
  if (state.busy) announce(shown.shownText);
  change(() => shown.addTools());
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
