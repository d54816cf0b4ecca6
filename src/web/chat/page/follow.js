// @ts-check

// Reads the events of a turn to its end, across broken connections.
import { show } from "./chat_events.js";
import { lost, pause, request, statusOf } from "./connection.js";
import { eventsOf } from "./sse_parser.js";
import { state } from "./state.js";

/** @import { Shown } from "./chat_events.js" */

/**
 * How the reading of a turn ended: with its last event; because the page shows something else; the
 * server has it no more; it refused; the connection broke for too long; or the turn did not begin.
 *
 * @typedef {{ ending: "done" | "left" | "forgotten" | "broken" }
 *   | { ending: "refused" | "none", error: unknown }} Ending
 */

/** Milliseconds after which a tab that is not shown stops reading. */
const HIDDEN = 10_000;

/**
 * Shows a turn's events, to `done`.
 *
 * @param {Response} response
 * @returns {Promise<boolean>} Whether it came that far.
 */
async function readEvents(response) {
  for await (const events of eventsOf(response)) {
    for (const { event, data, id } of events) {
      if (id !== "") state.last = id;
      if (event === "done") return true;
      /** @type {Shown} */
      const shown = { ...JSON.parse(data), type: event };
      show(shown);
    }
  }
  return false;
}

/**
 * Follows a turn to its end.
 *
 * @param {(signal: AbortSignal) => Promise<Response>} first The first request.
 * @param {AbortSignal} signal Fires when the page shows something else.
 * @returns {Promise<Ending>}
 */
export async function follow(first, signal) {
  for (let attempt = 0; attempt < 8; attempt++) {
    const reading = new AbortController();
    const either = AbortSignal.any([signal, reading.signal]);
    let shown = () => {};
    try {
      const response = await first(either);
      lost("");
      state.run = response.headers.get("x-run-id") || state.run;
      shown = whenHidden(() => reading.abort());
      const before = state.last;
      if (await readEvents(response)) return { ending: "done" };
      if (state.last !== before) attempt = 0;
    } catch (error) {
      if (signal.aborted) return { ending: "left" };
      if (state.run === null) return { ending: "none", error };
      // The server was started again, or has forgotten the turn: it has what was kept.
      if (statusOf(error) === 404) return { ending: "forgotten" };
      if (statusOf(error) !== undefined) return { ending: "refused", error };
    } finally {
      shown();
    }
    first = (signal) => request("GET", `/runs/${state.run}/events`, undefined, signal);
    if (reading.signal.aborted) {
      await untilNeeded(signal);
      attempt = -1;
    } else {
      lost("The connection broke: trying again");
      await pause(Math.min(4000, 250 * 2 ** attempt));
    }
    if (signal.aborted) return { ending: "left" };
  }
  return { ending: "broken" };
}

/**
 * Does something when the tab has not been shown for some time: a browser has few connections to a
 * server at once, which the tabs that are shown need.
 *
 * @param {() => void} action
 * @returns {() => void} Ends the watch.
 */
function whenHidden(action) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const look = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(action, HIDDEN);
  };
  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", look);
  };
}

/** Ends the wait of a tab that is not shown. */
let wake = () => {};

/** Reads what is left of a turn that has ended, also in a tab that is not shown. */
export function readOn() {
  wake();
}

/**
 * Waits until the tab is shown, the turn has ended, or the page shows something else.
 *
 * @param {AbortSignal} signal
 */
async function untilNeeded(signal) {
  await new Promise((resolve) => {
    wake = () => resolve(undefined);
    signal.addEventListener("abort", resolve, { once: true });
    document.addEventListener("visibilitychange", resolve, { once: true });
  });
}
