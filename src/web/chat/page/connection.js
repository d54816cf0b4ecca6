// @ts-check
import { byId } from "../../page/dom.js";
import { addressOf } from "./place.js";
import { key, state } from "./state.js";

const offline = byId("offline", HTMLElement);
const offlineText = byId("offline-text", HTMLElement);

/** A request failed: the server refused it, or could not be reached. */
export class RequestError extends Error {
  /**
   * @param {string} message
   * @param {number} [status] Absent where the server could not be reached.
   */
  constructor(message, status) {
    super(message);
    /** The HTTP status; `undefined` where the server could not be reached. */
    this.status = status;
  }
}

/**
 * The HTTP status with which the server refused something; `undefined` for any other error.
 *
 * @param {unknown} error
 * @returns {number | undefined}
 */
export function statusOf(error) {
  return error instanceof RequestError ? error.status : undefined;
}

/**
 * Asks the server.
 *
 * @param {"GET" | "POST" | "PATCH" | "DELETE"} method
 * @param {string} path
 * @param {object} [body] Sent as JSON.
 * @param {AbortSignal} [signal] Ends the reading of a turn's events, which begins after the latest.
 * @returns {Promise<Response>} Has a status that says it went well.
 * @throws {RequestError}
 */
export async function request(method, path, body, signal) {
  let response;
  try {
    response = await fetch(addressOf(path), {
      method,
      headers: {
        ...key !== null ? { authorization: `Bearer ${key}` } : {},
        ...body !== undefined ? { "content-type": "application/json" } : {},
        ...signal !== undefined && method === "GET" ? { "last-event-id": state.last } : {},
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new RequestError("The server can't be reached");
  }
  if (response.ok) return response;
  let message = `The server answered ${response.status}`;
  try {
    message = (await response.json()).error.message;
  } catch { /* Not ours. */ }
  const wait = Number(response.headers.get("retry-after"));
  if (wait > 0) message += `; try again in ${wait} s`;
  throw new RequestError(message, response.status);
}

/** Ends the pause that is made, if there is one. */
let wake = () => {};

/** Tries again now what waits for the server. */
export function tryNow() {
  wake();
}

/**
 * Waits, or until the user wants it now.
 *
 * @param {number} milliseconds
 * @returns {Promise<void>}
 */
export function pause(milliseconds) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

/**
 * Shows that there is no connection.
 *
 * @param {string} text Empty when there is one again.
 */
export function lost(text) {
  offline.hidden = text === "";
  if (offlineText.textContent !== text) offlineText.textContent = text;
}

let asking = false;

/** True while the page waits for the server to come back. */
export function isAsking() {
  return asking;
}

/**
 * Is told that the server is there again, and the session that was shown all the time.
 *
 * @type {(session: string | null) => void}
 */
let back = () => {};

/**
 * Sets what is done when the server is there again.
 *
 * @param {(session: string | null) => void} action Gets the session that was shown all the time.
 */
export function whenBack(action) {
  back = action;
}

/** Waits until the server is there again, then shows its state. */
export async function untilThere() {
  if (asking) return;
  asking = true;
  const session = state.session;
  for (;;) {
    lost("The server can't be reached");
    await pause(3000);
    try {
      await request("GET", "/health");
      break;
    } catch { /* Not yet. */ }
  }
  asking = false;
  lost("");
  back(session === state.session ? session : null);
}

byId("retry", HTMLButtonElement).addEventListener("click", tryNow);
addEventListener("online", tryNow);
