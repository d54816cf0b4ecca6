// @ts-check
import { showFound } from "./chat_list.js";
import { request } from "./connection.js";
import { announce, byId } from "../../page/dom.js";
import { count } from "../../page/words.js";

/** @import { FoundSessions } from "../../../chat/mod.ts" */

/** Milliseconds without a key before it is asked. */
const PAUSE = 200;

const search = byId("search", HTMLInputElement);
/**
 * The timer that waits for the last key.
 *
 * @type {ReturnType<typeof setTimeout> | undefined}
 */
let waiting;
/** Ends the question before. */
let asking = new AbortController();

async function find() {
  asking.abort();
  const words = search.value.trim();
  if (words === "") return showFound(undefined);
  asking = new AbortController();
  const { signal } = asking;
  try {
    const path = `/sessions?q=${encodeURIComponent(words)}`;
    /** @type {FoundSessions} */
    const { sessions, more } = await (await request("GET", path, undefined, signal)).json();
    if (signal.aborted) return;
    showFound(sessions);
    announce(`Found ${more ? "more than " : ""}${count(sessions.length, "chat")}`);
  } catch { /* The next key asks again. */ }
}

search.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(find, PAUSE);
});
search.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || search.value === "") return;
  event.stopPropagation();
  search.value = "";
  find();
});
