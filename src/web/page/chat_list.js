// @ts-check
import { request, statusOf, untilThere } from "./connection.js";
import { log } from "./conversation.js";
import { byId, make, targetOf } from "./dom.js";
import { state } from "./state.js";
import { showTitle } from "./status.js";
import { ago, count, openIn } from "./words.js";

/**
 * A chat as the server lists it.
 *
 * @typedef {object} ListedChat
 * @property {string} id
 * @property {string} title May be empty.
 * @property {number} updated Milliseconds since the epoch.
 * @property {number} turns
 * @property {string | null} running The id of the turn that runs.
 * @property {boolean} here Whether it belongs to the folder that the server works in.
 * @property {string} folder The folder that it belongs to.
 * @property {{ program: string, pid: number } | null} writer The other program that has it open.
 */

const panel = byId("list", HTMLElement);
const menu = byId("menu", HTMLButtonElement);
const fresh = byId("new", HTMLButtonElement);
const none = byId("none", HTMLElement);
const footer = document.querySelector("footer");
const phone = matchMedia("(max-width: 700px)");

/** The list, one item a chat. */
export const sessions = byId("sessions", HTMLElement);

/**
 * The chats that it shows.
 *
 * @type {readonly ListedChat[]}
 */
let listed = [];

/** Asks for the chats and lists them. */
export async function list() {
  try {
    ({ sessions: listed } = await (await request("GET", "/sessions")).json());
  } catch (error) {
    if (statusOf(error) === undefined) untilThere();
    return;
  }
  const focused = idAt(document.activeElement);
  none.hidden = listed.length > 0;
  sessions.hidden = listed.length === 0;
  sessions.replaceChildren(...listed.map(item));
  if (focused !== undefined) focusChat(focused);
}

/**
 * @param {ListedChat} chat
 * @returns {HTMLElement}
 */
function item({ id, title, updated, turns, running, here, folder, writer }) {
  const name = title || "Chat";
  const now = running !== null ? "running" : writer !== null ? openIn(writer) : ago(updated);
  const facts = `${now} \u00b7 ${here ? count(turns, "turn") : `in ${folder}`}`;
  const open = make(
    "button",
    {
      type: "button",
      class: here ? "open" : "open elsewhere",
      title: here ? name : `${name} (in ${folder})`,
      "data-session": id,
    },
    make("span", { text: name }),
    make("small", { text: facts }),
  );
  if (running !== null) open.classList.add("running");
  if (id === state.session) {
    showTitle(name);
    open.setAttribute("aria-current", "true");
  }
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
 * The chat in whose item an element stands.
 *
 * @param {Element | null} element
 * @returns {ListedChat | undefined}
 */
export function chatAt(element) {
  const id = idAt(element);
  return listed.find((chat) => chat.id === id);
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

/** Whether the list is shown over the conversation, as on a phone. */
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
fresh.addEventListener("keydown", (event) => {
  if (event.key !== "ArrowDown") return;
  event.preventDefault();
  openButtons()[0]?.focus();
});
