// @ts-check
import { ownName } from "./place.js";

/** @import { ChatItem } from "../../../chat/mod.ts" */

/**
 * The state of the chat that is shown.
 *
 * @typedef {object} ChatState
 * @property {string | null} session The session's id; `null` before its first message.
 * @property {string | null} run The id of the turn that runs.
 * @property {string} last The id of the latest event of that turn.
 * @property {AbortController | null} controller Ends the reading of that turn.
 * @property {boolean} busy Whether a turn runs.
 * @property {number} read Tokens that the model read.
 * @property {number} written Tokens that the model wrote.
 * @property {number} turns How many turns the chat has, as far as they were shown.
 * @property {number} version What the server calls the conversation as it is shown; 0 if unknown.
 * @property {readonly ChatItem[] | null} items All that is shown, where it came from the server at once.
 * @property {number} earlier How many items there are before these.
 * @property {boolean} gaps Whether something of the turn that runs could not be shown.
 */

/** @type {ChatState} */
export const state = {
  session: null,
  run: null,
  last: "0",
  controller: null,
  busy: false,
  read: 0,
  written: 0,
  turns: 0,
  version: 0,
  items: null,
  earlier: 0,
  gaps: false,
};

/** The session that the browser keeps for the next visit, where it keeps anything. */
export const kept = {
  /** @returns {string | null} */
  get() {
    try {
      return localStorage.getItem(ownName("session"));
    } catch {
      return null;
    }
  },
  /** @param {string | null} id */
  set(id) {
    try {
      if (id === null) localStorage.removeItem(ownName("session"));
      else localStorage.setItem(ownName("session"), id);
    } catch { /* Then the next visit begins a new chat. */ }
  },
};

/**
 * The bearer token of the page's requests, if the server requires one. It comes with the page once. A
 * cookie would not do: browsers send it to all ports of a host, but keep this for one port.
 */
export const key = keptKey();

/** @returns {string | null} */
function keptKey() {
  const given = document.querySelector('meta[name="key"]')?.getAttribute("content") ?? null;
  try {
    if (given !== null) localStorage.setItem(ownName("key"), given);
    return localStorage.getItem(ownName("key"));
  } catch {
    return given; // Then a reload needs the address with the token again.
  }
}

/** The message that was not sent yet, kept for the time after a reload. */
export const draft = {
  /** @returns {string} */
  get() {
    try {
      return sessionStorage.getItem(ownName("draft")) ?? "";
    } catch {
      return "";
    }
  },
  /** @param {string} text */
  set(text) {
    try {
      if (text === "") sessionStorage.removeItem(ownName("draft"));
      else sessionStorage.setItem(ownName("draft"), text);
    } catch { /* Then a reload forgets it. */ }
  },
};
