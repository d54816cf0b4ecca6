// @ts-check

// Hears of the browser's chats as they change. One tab asks the server and tells the others:
// browsers have few connections to a server at once, and each turn that is shown takes one.
import { isAsking, pause, request, statusOf, untilThere } from "./connection.js";
import { ownName } from "./place.js";
import { eventsOf } from "./sse_parser.js";

/** @import { ListedSession } from "../../../chat/mod.ts" */

/**
 * What is heard: all chats, one that has changed, one that is gone, or that the server can't be
 * reached.
 *
 * @typedef {{ type: "sessions", sessions: ListedSession[] }
 *   | { type: "session", session: ListedSession }
 *   | { type: "removed", id: string }
 *   | { type: "lost" }} ListEvent
 */

/** Milliseconds between two attempts, at first and at most. */
const PAUSE = 1000;
const LONGEST_PAUSE = 30_000;

const channel = new BroadcastChannel(ownName("chats"));

/**
 * Hears of changes from now on.
 *
 * @param {(event: ListEvent) => void} hear
 */
export function watchList(hear) {
  /** @param {ListEvent} event */
  const take = (event) => event.type === "lost" ? void untilThere() : hear(event);
  channel.addEventListener("message", ({ data }) => take(data));
  /** @param {ListEvent} event */
  const tell = (event) => {
    take(event);
    channel.postMessage(event);
  };
  // Over plain http from another machine there are no locks: then each tab asks while it is shown.
  if (navigator.locks === undefined) whileShown((signal) => ask(take, signal));
  else {
    // The lock is held until the tab is closed; then another tab gets it.
    navigator.locks.request(ownName("chats"), () => ask(tell, new AbortController().signal));
  }
}

/**
 * Reads what happens, again and again.
 *
 * @param {(event: ListEvent) => void} tell
 * @param {AbortSignal} signal
 */
async function ask(tell, signal) {
  let wait = PAUSE;
  while (!signal.aborted) {
    try {
      const response = await request("GET", "/events", undefined, signal);
      if (await read(response, tell)) wait = PAUSE;
    } catch (error) {
      if (signal.aborted) return;
      if (statusOf(error) === undefined && !isAsking()) tell({ type: "lost" });
    }
    await pause(wait);
    wait = Math.min(LONGEST_PAUSE, 2 * wait);
  }
}

/**
 * @param {Response} response
 * @param {(event: ListEvent) => void} tell
 * @returns {Promise<boolean>} Whether anything came before it ended.
 */
async function read(response, tell) {
  let any = false;
  for await (const events of eventsOf(response)) {
    for (const { event, data } of events) {
      any = true;
      const told = JSON.parse(data);
      if (event === "sessions") tell({ type: event, sessions: told.sessions });
      else if (event === "session") tell({ type: event, session: told });
      else if (event === "removed") tell({ type: event, id: told.id });
    }
  }
  return any;
}

/**
 * Does something while the tab is shown, from the beginning each time.
 *
 * @param {(signal: AbortSignal) => void} action
 */
function whileShown(action) {
  let shown = new AbortController();
  const look = () => {
    shown.abort();
    shown = new AbortController();
    if (!document.hidden) action(shown.signal);
  };
  document.addEventListener("visibilitychange", look);
  look();
}
