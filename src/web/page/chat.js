// @ts-check
import { clearAsks, closeAsks } from "./asks.js";
import { show } from "./chat_events.js";
import { list, openList } from "./chat_list.js";
import { isAsking, lost, pause, request, statusOf, tryNow, untilThere } from "./connection.js";
import {
  addAll,
  addUser,
  clearConversation,
  closeBubble,
  log,
  note,
  toEnd,
} from "./conversation.js";
import { showEmpty } from "./empty_chat.js";
import { input, stop, write } from "./message_box.js";
import { sseParser } from "./sse_parser.js";
import { kept, state } from "./state.js";
import { setBusy, showTitle, showUsage } from "./status.js";
import { clearCards, closeCards } from "./tool_cards.js";
import { count, openIn } from "./words.js";

/** @import { SessionView } from "../chat_sessions.ts" */
/** @import { Shown } from "./chat_events.js" */

/**
 * A session as the server shows it.
 *
 * @typedef {SessionView & { title: string, run: { id: string, message: string } | null,
 *   writer: { program: string, pid: number } | null }} ShownSession
 */

/** Counts what was begun: a chat that comes late must not replace what came to be shown. */
let step = 0;

/**
 * The message of whatever was thrown.
 *
 * @param {unknown} error
 * @returns {string}
 */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Shows a turn's events, to `done`.
 *
 * @param {Response} response
 * @returns {Promise<boolean>} Whether it came that far.
 */
async function readEvents(response) {
  const parse = sseParser();
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  for (;;) {
    const { done, value } = await reader?.read() ?? { done: true };
    if (done) return false;
    for (const { event, data, id } of parse(decoder.decode(value, { stream: true }))) {
      if (id !== "") state.last = id;
      if (event === "done") return true;
      /** @type {Shown} */
      const shown = { ...JSON.parse(data), type: event };
      show(shown);
    }
  }
}

/**
 * Follows a turn to its end, across broken connections.
 *
 * @param {(signal: AbortSignal) => Promise<Response>} first The first request.
 * @returns {Promise<unknown>} The error when the turn did not begin, else `undefined`.
 */
async function follow(first) {
  step++;
  const controller = state.controller = new AbortController();
  const { signal } = controller;
  setBusy(true);
  let forgotten = false;
  try {
    for (let attempt = 0; attempt < 8; attempt++) {
      try {
        const response = await first(signal);
        lost("");
        state.run = response.headers.get("x-run-id") || state.run;
        const before = state.last;
        if (await readEvents(response)) return undefined;
        if (state.last !== before) attempt = 0;
      } catch (error) {
        if (signal.aborted) return undefined;
        if (state.run === null) return error;
        if (statusOf(error) === 404) {
          // The server was started again, or has forgotten the turn: it has what was kept.
          forgotten = true;
          return undefined;
        }
        if (statusOf(error) !== undefined) {
          note(messageOf(error), true);
          return undefined;
        }
      }
      lost("The connection broke: trying again");
      first = (signal) => request("GET", `/runs/${state.run}/events`, undefined, signal);
      await pause(Math.min(4000, 250 * 2 ** attempt));
      if (signal.aborted) return undefined;
    }
    note("The connection broke; the turn may have been stopped", true);
    untilThere();
    return undefined;
  } finally {
    if (state.controller === controller) finish(forgotten);
  }
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
  if (!isAsking()) lost("");
  if (forgotten && state.session !== null) {
    open(state.session).then(() => note("The turn ended while the connection was broken", false));
  } else list();
}

/**
 * Says something to the agent, and shows the turn.
 *
 * @param {string} message
 */
export async function ask(message) {
  if (state.busy || message.trim() === "") return;
  write("");
  const said = addUser(message);
  toEnd();
  state.last = "0";
  state.run = null;
  const error = await follow(async (signal) => {
    state.session ??= await newSession(signal);
    kept.set(state.session);
    return await request("POST", "/chat", { message, session: state.session }, signal);
  });
  if (error === undefined) return;
  // Nothing that was typed is lost.
  said.remove();
  note(`${messageOf(error)}. Your message is back in the box`, true);
  write(input.value === "" ? message : input.value);
  if (statusOf(error) === undefined) untilThere();
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

/** Leaves what is shown. A turn that runs goes on for a while without a reader. */
function leave() {
  step++;
  state.controller?.abort();
  Object.assign(state, { controller: null, session: null, run: null, last: "0" });
  Object.assign(state, { read: 0, written: 0 });
  clearAsks();
  clearCards();
  tryNow();
  clearConversation();
  showUsage();
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
  leave();
  state.session = id;
  kept.set(id);
  showTitle(view.title || "Chat");
  state.read = view.usage.prompt_tokens;
  state.written = view.usage.completion_tokens;
  showUsage();
  if (view.earlier > 0) note(`${count(view.earlier, "earlier item")} not shown`, false);
  addAll(() => {
    for (const item of view.items) show(item);
    closeBubble();
    closeCards();
  });
  if (view.items.length === 0 && view.run === null) showEmpty();
  if (view.run !== null) {
    // A turn that runs comes whole, from its first event; its tokens are not in the sum yet.
    const run = view.run.id;
    addUser(view.run.message);
    state.run = run;
    follow((signal) => request("GET", `/runs/${run}/events`, undefined, signal));
  }
  if (view.writer !== null) {
    note(`This chat is ${openIn(view.writer)}: here it can only be read until that ends`, false);
  }
  toEnd();
  list();
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
