// @ts-check
import { clearAsks, closeAsks } from "./asks.js";
import { putBack } from "./attachments.js";
import { show } from "./chat_events.js";
import { chatOf, list, openList } from "./chat_list.js";
import { isAsking, lost, request, statusOf, tryNow, untilThere } from "./connection.js";
import {
  add,
  addAll,
  addUser,
  atEnd,
  change,
  clearConversation,
  closeBubble,
  log,
  note,
  removeFrom,
  toEnd,
} from "./conversation.js";
import { make } from "../../page/dom.js";
import { showEmpty } from "./empty_chat.js";
import { follow, readOn } from "./follow.js";
import { input, stop } from "./message_box.js";
import { checkQueue, enqueue, showHint, showQueue } from "./queue.js";
import { kept, state } from "./state.js";
import { setBusy, showTitle, showUsage } from "./status.js";
import { clearCards, closeCards } from "./tool_cards.js";
import { count, messageOf, openIn } from "../../page/words.js";

/** @import { ChatItem, ListedSession, ShownSession, ShownWriter } from "../../../chat/mod.ts" */

/** The note below a turn whose program was killed. */
const INTERRUPTED = "The turn was interrupted: the program that ran it ended before it was done";

/** Counts what was begun: a chat that comes late must not replace what came to be shown. */
let step = 0;

/**
 * Shows a turn to its end.
 *
 * @param {(signal: AbortSignal) => Promise<Response>} first The first request.
 * @returns {Promise<unknown>} The error when the turn did not begin, else `undefined`.
 */
async function showTurn(first) {
  step++;
  const controller = state.controller = new AbortController();
  state.last = "0";
  state.gaps = false;
  state.items = null;
  setBusy(true);
  showHint();
  const ended = await follow(first, controller.signal);
  if (ended.ending === "refused") note(messageOf(ended.error), true);
  if (ended.ending === "broken") {
    note("The connection broke; the turn goes on without this page", true);
    untilThere();
  }
  if (state.controller === controller) finish(ended.ending === "forgotten");
  return ended.ending === "none" ? ended.error : undefined;
}

/**
 * Ends a turn on the page.
 *
 * @param {boolean} forgotten Whether the server has it no more: what it kept is shown instead.
 */
function finish(forgotten) {
  state.controller = null;
  state.run = null;
  closeBubble();
  closeAsks();
  closeCards();
  setBusy(false);
  showHint();
  if (!isAsking()) lost("");
  const { session, gaps } = state;
  if (forgotten && session !== null) {
    open(session).then(() => {
      if (log.lastElementChild?.textContent === INTERRUPTED) return;
      note("The turn ended while the connection was broken", false);
    });
  } else if (gaps && session !== null) open(session);
  else {
    const chat = chatOf(session);
    if (chat !== undefined) catchUp(chat);
    list();
  }
}

/**
 * Says something to the agent, and shows the turn. While a turn runs, the message waits for its end.
 *
 * @param {string} message
 * @param {number} [after] How many turns of the chat stay before this one; all if absent.
 */
export async function ask(message, after) {
  if (message.trim() === "") return;
  if (state.busy) return state.session === null ? putBack(message) : enqueue(message);
  const said = addUser(message);
  toEnd();
  state.run = null;
  const error = await showTurn(async (signal) => {
    const session = state.session ??= await newSession(signal);
    kept.set(session);
    const response = await request("POST", "/chat", { message, session, after }, signal);
    const version = Number(response.headers.get("x-session-version"));
    // A cut is a change of its own. If it grew by more, something else has changed the chat.
    const next = state.version + (after === undefined ? 1 : 2);
    if (state.version === 0 || version === next) state.version = version;
    return response;
  });
  if (error === undefined) return;
  // Nothing that was typed is lost, and nothing that was to be cut is.
  removeFrom(said);
  state.turns--;
  if (after !== undefined && state.session !== null) await open(state.session);
  note(`${messageOf(error)}. Your message is back in the box`, true);
  putBack(message);
  if (statusOf(error) === undefined) untilThere();
}

/**
 * Says something in the place of a message, and of all that came after it.
 *
 * @param {HTMLElement} article What shows that message.
 * @param {string} message
 */
export function resend(article, message) {
  const turn = Number(article.dataset["turn"]);
  removeFrom(article);
  clearCards();
  state.turns = turn;
  ask(message, turn);
}

/**
 * @param {AbortSignal} signal
 * @returns {Promise<string>} The id of a new session.
 */
async function newSession(signal) {
  return (await (await request("POST", "/sessions", undefined, signal)).json()).id;
}

/** Stops the turn that runs. */
export async function halt() {
  if (state.run === null) return;
  stop.disabled = true;
  stop.textContent = "Stopping";
  // If it has ended meanwhile, its last events say so.
  await request("POST", `/runs/${state.run}/stop`).catch(() => {});
}

/**
 * Takes what was heard of the chat that is shown: another tab may have changed it.
 *
 * @param {ListedSession} chat
 */
export function heard(chat) {
  checkQueue(chat.queued);
  if (!state.busy) catchUp(chat);
  else if (chat.running !== state.run) readOn();
}

/**
 * Shows what has changed in the chat that is shown, if something has.
 *
 * @param {ListedSession} chat
 */
function catchUp({ id, running, version, turns, writer }) {
  if (running === null && version === state.version) showWriter(writer);
  // Other programs have no versions of a chat.
  const more = running === null && turns !== undefined && turns > state.turns;
  if (version <= state.version) return more ? void open(id) : undefined;
  if (running !== null && version === state.version + 1) join(running, version);
  else open(id);
}

/**
 * Shows a turn that has begun elsewhere: in another tab, or with a message that was waiting.
 *
 * @param {string} run
 * @param {number} version
 */
async function join(run, version) {
  const mine = ++step;
  state.version = version;
  try {
    const { session, message } = await (await request("GET", `/runs/${run}`)).json();
    if (mine !== step || session !== state.session) return;
    state.run = run;
    addUser(message);
    await showTurn((signal) => request("GET", `/runs/${run}/events`, undefined, signal));
  } catch (error) {
    if (mine !== step || state.session === null) return;
    // It was a short one, or there is no connection.
    if (statusOf(error) === undefined) untilThere();
    else open(state.session);
  }
}

/** Leaves what is shown. A turn that runs goes on. */
function leave() {
  step++;
  state.controller?.abort();
  Object.assign(state, { controller: null, session: null, run: null, last: "0" });
  Object.assign(state, { read: 0, written: 0, turns: 0, version: 0, items: null });
  clearAsks();
  clearCards();
  tryNow();
  clearConversation();
  showUsage();
  showQueue([]);
  setBusy(false);
  openList(false);
}

/**
 * Shows a chat, and the turn that runs in it.
 *
 * @param {string} id
 */
export async function open(id) {
  const mine = ++step;
  /** @type {ShownSession} */
  let view;
  try {
    view = await (await request("GET", `/sessions/${id}`)).json();
    if (mine !== step) return;
  } catch (error) {
    if (mine === step) notOpened(id, error);
    return;
  }
  const more = goesOn(id, view);
  if (more !== undefined) return showMore(view, more);
  // Of a chat that is shown already, what its reader looks at stays in sight.
  const place = id === state.session && !atEnd() ? log.scrollTop : undefined;
  leave();
  state.session = id;
  kept.set(id);
  showTitle(view.title || "Chat");
  state.read = view.usage.prompt_tokens;
  state.written = view.usage.completion_tokens;
  state.version = view.version;
  state.turns = view.turns - view.items.filter(({ type }) => type === "user").length;
  showUsage();
  showQueue(view.queued);
  if (view.earlier > 0) note(`${count(view.earlier, "earlier item")} not shown`, false);
  showItems(view, view.items);
  if (view.items.length === 0 && view.run === null) showEmpty();
  if (view.run !== null) {
    // A turn that runs comes whole, from its first event; its tokens are not in the sum yet.
    const run = view.run.id;
    addUser(view.run.message);
    state.run = run;
    showTurn((signal) => request("GET", `/runs/${run}/events`, undefined, signal));
  }
  showWriter(view.writer);
  if (view.interrupted && view.run === null && view.writer === null) note(INTERRUPTED, false);
  if (place === undefined) toEnd();
  else log.scrollTop = place;
  list();
}

/**
 * The items of a chat that are not shown yet; `undefined` if something else is shown.
 *
 * @param {string} id
 * @param {ShownSession} view
 * @returns {ChatItem[] | undefined}
 */
function goesOn(id, { items, earlier, run }) {
  const { session, items: shown } = state;
  if (session !== id || shown === null || run !== null || earlier !== state.earlier) return;
  if (
    shown.length === 0 || JSON.stringify(items.slice(0, shown.length)) !== JSON.stringify(shown)
  ) {
    return;
  }
  return items.slice(shown.length);
}

/**
 * Shows what another program has added to the chat that is shown.
 *
 * @param {ShownSession} view
 * @param {readonly ChatItem[]} more
 */
function showMore(view, more) {
  showTitle(view.title || "Chat");
  const { version, usage } = view;
  Object.assign(state, { version, read: usage.prompt_tokens, written: usage.completion_tokens });
  showUsage();
  showQueue(view.queued);
  change(() => {
    log.querySelector(".writer")?.remove();
    showItems(view, more);
  });
  showWriter(view.writer);
  list();
}

/**
 * @param {ShownSession} view
 * @param {readonly ChatItem[]} items Those of it that are not shown yet.
 */
function showItems(view, items) {
  addAll(() => {
    for (const item of items) show(item);
    closeBubble();
    // Another program may still be about to end a call.
    if (view.writer === null) closeCards();
  });
  if (view.run === null) Object.assign(state, { items: view.items, earlier: view.earlier });
}

/**
 * Says below the chat which other program has it, if one has.
 *
 * @param {ShownWriter | null} writer
 */
function showWriter(writer) {
  const text = writer === null
    ? undefined
    : `This chat is ${openIn(writer)}: here it can only be read until that ends`;
  const shown = log.querySelector(".writer");
  if (shown?.textContent === text) return;
  change(() => shown?.remove());
  if (text !== undefined) add(make("p", { class: "note writer", role: "note", text }));
  else closeCards();
}

/**
 * @param {string} id The chat that could not be shown.
 * @param {unknown} error Why.
 */
function notOpened(id, error) {
  if (statusOf(error) === 404) return fresh();
  if (state.session === null && !log.hasChildNodes()) showEmpty();
  if (statusOf(error) !== undefined) {
    openList(false);
    note(messageOf(error), true);
    list();
    return;
  }
  state.session ??= id;
  untilThere();
}

/** Begins a new chat. */
export function fresh() {
  leave();
  showEmpty();
  kept.set(null);
  input.focus();
  list();
}
