// @ts-check
import { log } from "./conversation.js";
import { announce, byId } from "../../page/dom.js";
import { input, showButtons, stop } from "./message_box.js";
import { state } from "./state.js";
import { short } from "../../page/words.js";

const heading = byId("title", HTMLElement);
const usage = byId("usage", HTMLElement);
const work = byId("work", HTMLElement);

/** When the turn began, in milliseconds since the epoch. */
let began = 0;
/**
 * The timer that counts its seconds.
 *
 * @type {ReturnType<typeof setInterval> | undefined}
 */
let ticking;

/** Shows the tokens of the chat. */
export function showUsage() {
  usage.textContent = state.read + state.written === 0
    ? ""
    : `\u2191 ${short(state.read)} \u2193 ${short(state.written)} tokens`;
}

/** When the agent began to wait for an answer; `undefined` while it does not. */
let waiting = /** @type {number | undefined} */ (undefined);

/**
 * Shows whether the agent waits for an answer of the user.
 *
 * @param {boolean} now
 */
export function setWaiting(now) {
  if (now === (waiting !== undefined)) return;
  // The time that an answer takes is not that of the work.
  if (waiting !== undefined) began += Date.now() - Math.max(waiting, began);
  waiting = now ? Date.now() : undefined;
  if (state.busy) tick();
  showTitle(heading.textContent ?? "");
}

/**
 * Shows the title of the chat, in the window's title too.
 *
 * @param {string} title
 */
export function showTitle(title) {
  heading.textContent = title;
  const mark = waiting !== undefined ? "? " : state.busy ? "\u25cf " : "";
  document.title = `${mark}${title} \u2013 llmcmd`;
}

/** The title that is shown. */
export function titleShown() {
  return heading.textContent ?? "";
}

function tick() {
  const seconds = Math.floor((Date.now() - (waiting ?? began)) / 1000);
  const what = waiting === undefined ? "The agent works" : "The agent waits for your answer";
  work.textContent = `${what} \u00b7 ${seconds} s`;
}

/**
 * Shows whether a turn runs.
 *
 * @param {boolean} busy
 */
export function setBusy(busy) {
  if (busy && !state.busy) began = Date.now();
  if (busy !== state.busy) announce(busy ? "The agent works" : "The agent is done");
  state.busy = busy;
  clearInterval(ticking);
  if (busy) {
    ticking = setInterval(tick, 1000);
    tick();
  }
  work.hidden = !busy;
  if (!busy && document.activeElement === stop) input.focus();
  stop.disabled = false;
  stop.textContent = "Stop";
  showButtons();
  log.setAttribute("aria-busy", String(busy));
  showTitle(titleShown());
}
