// @ts-check
import { request, statusOf, untilThere } from "./connection.js";
import { log } from "./conversation.js";
import { byId, make, targetOf } from "../../page/dom.js";
import { state } from "./state.js";
import { showTitle } from "./status.js";
import { ago, count, openIn } from "../../page/words.js";

/** @import { FoundSession, ListedSession } from "../../../chat/mod.ts" */
/** @import { ListEvent } from "./live_list.js" */

const panel = byId("list", HTMLElement);
const menu = byId("menu", HTMLButtonElement);
const fresh = byId("new", HTMLButtonElement);
const none = byId("none", HTMLElement);
const search = byId("search", HTMLInputElement);
const footer = document.querySelector("footer");
const phone = matchMedia("(max-width: 700px)");

/** The list, one item a chat. */
export const sessions = byId("sessions", HTMLElement);

/**
 * The chats, the latest first.
 *
 * @type {readonly ListedSession[]}
 */
let listed = [];
/** Counts what was heard of them. */
let heard = 0;
/**
 * Those that a search has found, which are shown in the place of all.
 *
 * @type {readonly FoundSession[] | undefined}
 */
let found;

/** Asks for the chats and lists them. */
export async function list() {
  try {
    // What was heard while the answer was on its way is newer than the answer.
    for (let attempt = 0; attempt < 3; attempt++) {
      const before = heard;
      const { sessions } = await (await request("GET", "/sessions")).json();
      listed = sessions;
      if (before === heard) break;
    }
  } catch (error) {
    if (statusOf(error) === undefined) untilThere();
    return;
  }
  render();
}

/**
 * Takes what was heard of the chats.
 *
 * @param {ListEvent} event
 */
export function hear(event) {
  heard++;
  if (event.type === "sessions") listed = event.sessions;
  else if (event.type === "removed") listed = listed.filter(({ id }) => id !== event.id);
  else if (event.type === "session") {
    const others = listed.filter(({ id }) => id !== event.session.id);
    listed = [event.session, ...others].sort((a, b) => b.updated - a.updated);
  }
  render();
}

/**
 * Shows what was found in the place of all chats; `undefined`: all again.
 *
 * @param {readonly FoundSession[] | undefined} chats
 */
export function showFound(chats) {
  found = chats;
  render();
}

function render() {
  const focused = idAt(document.activeElement);
  const shown = found === undefined ? listed : foundNow(found);
  none.textContent = found === undefined ? "Chats will be listed here" : "Nothing was found";
  none.hidden = shown.length > 0;
  sessions.hidden = shown.length === 0;
  search.hidden = listed.length === 0 && found === undefined;
  sessions.replaceChildren(...shown.map(item));
  const current = chatOf(state.session);
  if (current !== undefined) showTitle(current.title || "Chat");
  if (focused !== undefined) focusChat(focused);
}

/**
 * The found chats in their present state.
 *
 * @param {readonly FoundSession[]} chats
 * @returns {FoundSession[]}
 */
function foundNow(chats) {
  return chats.flatMap((chat) => {
    const now = chatOf(chat.id);
    return now === undefined ? [] : [{ ...chat, ...now }];
  });
}

/**
 * The line below a chat's title.
 *
 * @param {ListedSession} chat
 * @returns {string}
 */
function factsOf({ state, turns, updated, queued, here, folder, writer }) {
  const rest = writer !== null ? openIn(writer) : ago(updated);
  const words = {
    idle: rest,
    running: "running",
    waiting: "waits for you",
    failed: "failed",
  };
  if (!here) return `${words[state]} \u00b7 in ${folder}`;
  const also = queued.length === 0 ? count(turns ?? 0, "turn") : `${queued.length} queued`;
  return `${words[state]} \u00b7 ${also}`;
}

/**
 * @param {FoundSession} chat
 * @returns {HTMLElement}
 */
function item(chat) {
  const { id, title, excerpt, here, folder } = chat;
  const name = title || "Chat";
  const open = make(
    "button",
    {
      type: "button",
      class: here ? "open" : "open elsewhere",
      title: here ? name : `${name} (in ${folder})`,
      ...{ "data-session": id, "data-state": chat.state },
    },
    make("span", { text: name }),
    make("small", { text: excerpt ?? factsOf(chat) }),
  );
  if (id === state.session) open.setAttribute("aria-current", "true");
  const remove = make("button", {
    type: "button",
    class: "delete",
    title: "Delete this chat",
    "aria-label": `Delete the chat ${name}`,
    text: "\u00d7",
  });
  return make("li", {}, open, remove);
}

/**
 * The buttons that open the chats, in the order of the list.
 *
 * @returns {HTMLElement[]}
 */
export function openButtons() {
  return [...sessions.querySelectorAll(".open")].filter((it) => it instanceof HTMLElement);
}

/**
 * The id of the chat in whose item an element stands.
 *
 * @param {Element | null} element
 * @returns {string | undefined}
 */
function idAt(element) {
  const button = element?.closest("#sessions li")?.querySelector(".open");
  return button?.getAttribute("data-session") ?? undefined;
}

/**
 * The chat with an id, as it was last heard of.
 *
 * @param {string | null | undefined} id
 * @returns {ListedSession | undefined}
 */
export function chatOf(id) {
  return listed.find((chat) => chat.id === id);
}

/**
 * The chat in whose item an element stands.
 *
 * @param {Element | null} element
 * @returns {ListedSession | undefined}
 */
export function chatAt(element) {
  return chatOf(idAt(element));
}

/**
 * The chat that takes the place of one in the list: the next, or the one before.
 *
 * @param {string} id
 * @returns {string | undefined}
 */
export function neighbourOf(id) {
  const all = openButtons().map(({ dataset }) => dataset["session"]);
  return all[all.indexOf(id) + 1] ?? all[all.indexOf(id) - 1];
}

/**
 * Gives the focus to a chat in the list; where it is not there, to the first.
 *
 * @param {string | undefined} id
 */
export function focusChat(id) {
  const all = openButtons();
  (all.find(({ dataset }) => dataset["session"] === id) ?? all[0] ?? fresh).focus();
}

/** True if the list covers the conversation, as on a phone. */
export function isListOpen() {
  return panel.classList.contains("open");
}

/**
 * Shows the list over the conversation, or hides it.
 *
 * @param {boolean} open
 */
export function openList(open) {
  const was = isListOpen();
  panel.classList.toggle("open", open);
  menu.setAttribute("aria-expanded", String(open));
  log.inert = open;
  if (footer !== null) footer.inert = open;
  if (open && phone.matches) fresh.focus();
  else if (was && !open && panel.contains(document.activeElement)) menu.focus();
}

menu.addEventListener("click", () => openList(!isListOpen()));
byId("shade", HTMLElement).addEventListener("click", () => openList(false));
phone.addEventListener("change", () => openList(false));
// How long ago something was changes by itself.
setInterval(() => {
  if (!document.hidden) render();
}, 60_000);

sessions.addEventListener("keydown", (event) => {
  const all = openButtons();
  const item = targetOf(event)?.closest("li");
  const at = all.findIndex((button) => item?.contains(button));
  if (event.key === "ArrowDown") all[at + 1]?.focus();
  else if (event.key === "ArrowUp") (all[at - 1] ?? fresh).focus();
  else if (event.key === "Delete") {
    const remove = item?.querySelector(".delete");
    if (remove instanceof HTMLElement) remove.click();
  } else return;
  event.preventDefault();
});
/**
 * Leads from what is above the list into it.
 *
 * @param {KeyboardEvent} event
 */
function into(event) {
  if (event.key !== "ArrowDown") return;
  event.preventDefault();
  openButtons()[0]?.focus();
}
fresh.addEventListener("keydown", into);
search.addEventListener("keydown", into);
