// @ts-check

// What can be done with the chat that is shown: rename, export, clear.
import { open } from "./chat.js";
import { list } from "./chat_list.js";
import { confirmed } from "./confirmed.js";
import { request } from "./connection.js";
import { note } from "./conversation.js";
import { announce, byId, make } from "../../page/dom.js";
import { state } from "./state.js";
import { showTitle, titleShown } from "./status.js";
import { messageOf } from "../../page/words.js";

const menu = byId("more", HTMLDetailsElement);
const dialog = byId("rename-dialog", HTMLDialogElement);
const box = byId("rename-title", HTMLInputElement);

/**
 * Does something with the chat that is shown, and says why it failed.
 *
 * @param {string} what What could not be done, if so.
 * @param {(id: string) => Promise<void>} action
 */
async function doing(what, action) {
  menu.open = false;
  const { session } = state;
  if (session === null) return note(`There is nothing to ${what} yet`, false);
  try {
    await action(session);
  } catch (error) {
    note(`Can't ${what}: ${messageOf(error)}`, true);
  }
}

/**
 * Gives the chat a title; asks for one where none is given.
 *
 * @param {string} [title]
 */
export function rename(title) {
  doing("rename", async (id) => {
    if (title === undefined) {
      box.value = titleShown();
      dialog.showModal();
      box.select();
      return;
    }
    const told = await (await request("PATCH", `/sessions/${id}`, { title })).json();
    if (id === state.session) showTitle(told.title);
    announce("The chat is renamed");
    list();
  });
}

/** Saves the chat as a Markdown file. */
export function exportChat() {
  doing("export", async (id) => {
    const response = await request("GET", `/sessions/${id}/export`);
    const [, name = ""] =
      /filename\*=UTF-8''(\S+)/.exec(response.headers.get("content-disposition") ?? "") ?? [];
    const href = URL.createObjectURL(await response.blob());
    const link = make("a", { href, download: decodeURIComponent(name) || "chat.md" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
    announce("The chat is saved as a file");
  });
}

/** Forgets the conversation, if the user confirms it: nothing brings it back. */
export function clear() {
  doing("clear", async (session) => {
    const also = state.busy ? " The running turn will be stopped." : "";
    const lost = `The conversation \u201c${titleShown()}\u201d will be gone; files stay.${also}`;
    if (!await confirmed("Clear this chat?", lost, "Clear")) return;
    await request("POST", "/clear", { session });
    // Another chat may have been opened behind the dialog by what the server tells.
    if (session !== state.session) return;
    await open(session);
    note("The conversation is forgotten; files stay as they are", false);
  });
}

function done() {
  const title = box.value.trim();
  dialog.close();
  if (title !== "") rename(title);
}

byId("rename", HTMLButtonElement).addEventListener("click", () => rename());
byId("export", HTMLButtonElement).addEventListener("click", exportChat);
byId("clear", HTMLButtonElement).addEventListener("click", clear);
byId("rename-no", HTMLButtonElement).addEventListener("click", () => dialog.close());
byId("rename-yes", HTMLButtonElement).addEventListener("click", done);
box.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing || event.keyCode === 229) return;
  event.preventDefault();
  done();
});
document.addEventListener("click", ({ target }) => {
  if (target instanceof Node && !menu.contains(target)) menu.open = false;
});
menu.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !menu.open) return;
  event.stopPropagation();
  menu.open = false;
  menu.querySelector("summary")?.focus();
});
