// @ts-check

// The chat's page: what the user's hands do, and how it begins.
import { showAbout } from "./about.js";
import { withFiles } from "./attached_text.js";
import { hasFiles, takeFiles } from "./attachments.js";
import { ask, fresh, halt, heard, open } from "./chat.js";
import { chatAt, chatOf, hear, isListOpen, list, openList, sessions } from "./chat_list.js";
import "./chat_search.js";
import { isAsking, whenBack } from "./connection.js";
import { note } from "./conversation.js";
import { byId, targetOf } from "../../page/dom.js";
import { watchList } from "./live_list.js";
import { input, stop, write } from "./message_box.js";
import "./message_tools.js";
import { useQueue } from "./queue.js";
import { isRemoving, removeChat } from "./remove_chat.js";
import { runCommand } from "./slash_commands.js";
import { draft, kept, state } from "./state.js";

const keys = byId("keys", HTMLDialogElement);

/** Does what is in the box. */
function submit() {
  const text = input.value;
  if (!hasFiles() && (text.trim() === "" || runCommand(text))) return;
  const message = withFiles(text, takeFiles());
  write("");
  ask(message);
}

byId("form", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  submit();
});
// A touch keyboard has no Shift+Enter: there Enter makes a new line, and the button sends.
const touch = matchMedia("(pointer: coarse)");
input.addEventListener("keydown", (event) => {
  // 229 is what Safari gives for the Enter that ends the choice of a character.
  if (event.key !== "Enter" || event.isComposing || event.keyCode === 229) return;
  if (event.shiftKey || touch.matches) return;
  event.preventDefault();
  submit();
});
stop.addEventListener("click", halt);

byId("new", HTMLButtonElement).addEventListener("click", fresh);
sessions.addEventListener("click", (event) => {
  const button = targetOf(event)?.closest("button");
  const chat = chatAt(button ?? null);
  if (chat === undefined) return;
  if (button?.classList.contains("delete")) removeChat(chat);
  else open(chat.id);
});

byId("help", HTMLButtonElement).addEventListener("click", () => keys.showModal());
byId("keys-close", HTMLButtonElement).addEventListener("click", () => keys.close());

document.addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]") !== null) return;
  const writing = /^(TEXTAREA|INPUT)$/.test(document.activeElement?.tagName ?? "");
  if (event.key === "Escape") {
    if (isListOpen()) openList(false);
    else if (state.busy) halt();
  } else if (writing || event.ctrlKey || event.metaKey || event.altKey) return;
  else if (event.key === "/") {
    event.preventDefault();
    input.focus();
  } else if (event.key === "?") {
    event.preventDefault();
    keys.showModal();
  }
});

document.addEventListener("visibilitychange", () => {
  if (document.hidden || isAsking()) return;
  // Another program may have gone on with the chat.
  list().then(() => {
    const chat = chatOf(state.session);
    if (chat !== undefined) heard(chat);
  });
});
whenBack((session) => {
  showAbout();
  if (session !== null && !state.busy) open(session);
  else list();
});

// The token came by the address once, and must not stay in the history.
if (location.search !== "") history.replaceState(null, "", location.pathname);
write(draft.get());
const last = kept.get();
if (last !== null && last !== "") open(last);
else fresh();
input.focus();
showAbout();
useQueue((message) => ask(message));
watchList((event) => {
  hear(event);
  const { session } = state;
  if (event.type === "removed" && event.id === session && !isRemoving(event.id)) {
    fresh();
    note("The chat was deleted in another window", false);
  }
  const chat = chatOf(session);
  if (chat !== undefined) heard(chat);
});
