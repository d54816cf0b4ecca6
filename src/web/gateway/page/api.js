// @ts-check

/**
 * A model, with the numbers of its calls that run and wait.
 *
 * @typedef {object} Model
 * @property {string} id
 * @property {string} owned_by The CLI.
 * @property {number} running
 * @property {number} queued
 */

/**
 * A run. Times are milliseconds since the epoch.
 *
 * @typedef {object} Run
 * @property {string} id
 * @property {string} model
 * @property {"queued" | "running" | "done" | "failed" | "cancelled"} state
 * @property {number} queued
 * @property {number} [started]
 * @property {number} [ended]
 * @property {string} [conversation]
 * @property {number} [exitCode]
 * @property {{ inputTokens: number, outputTokens: number }} [usage]
 * @property {{ kind: string, message: string, detail?: string }} [error]
 * @property {{ files: number, insertions: number, deletions: number }} [stat]
 * @property {string} [branch]
 * @property {string[]} [refused]
 * @property {boolean} [patch]
 * @property {string} [note]
 */

/** The address of the gateway, with a slash at its end: this module is in its folder `gateway/page/`. */
const home = new URL("../../", import.meta.url);

/** The name of the key in the tab's storage, which all gateways of one origin share. */
const KEPT = `llmcmd-gateway-key${home.pathname === "/" ? "" : home.pathname}`;

/** The gateway does not take the key. */
export class KeyError extends Error {}

/** The key that requests carry, where the browser keeps anything until the tab is closed. */
export const key = {
  value: "",
  /** Takes the key from the address, which then loses it, or from what is kept. */
  load() {
    const { hash, search, pathname } = location;
    // Behind # it is never sent to a server; links with ? are understood too.
    const given = new URLSearchParams(hash.slice(1)).get("token") ??
      new URLSearchParams(search).get("token");
    if (given !== null) {
      history.replaceState(null, "", pathname);
      this.set(given);
      return;
    }
    try {
      this.value = sessionStorage.getItem(KEPT) ?? "";
    } catch {
      this.value = "";
    }
  },
  /** @param {string} value Empty to forget it. */
  set(value) {
    this.value = value;
    try {
      if (value === "") sessionStorage.removeItem(KEPT);
      else sessionStorage.setItem(KEPT, value);
    } catch {
      // Then it has to be typed again after a reload.
    }
  },
};

/**
 * Asks the gateway.
 *
 * @param {string} path Below `v1/`.
 * @param {"GET" | "POST"} [method]
 * @returns {Promise<Response>} Has a status that says it went well.
 * @throws {KeyError} The key is wrong, or is not the gateway's own.
 * @throws {Error} The gateway can't be reached, or refuses.
 */
export async function ask(path, method = "GET") {
  let response;
  try {
    response = await fetch(new URL(`v1/${path}`, home), {
      method,
      headers: { authorization: `Bearer ${key.value}` },
      signal: AbortSignal.timeout(30_000),
    });
  } catch {
    throw new Error("The gateway can't be reached");
  }
  if (response.ok) return response;
  let message = `The gateway answered ${response.status}`;
  try {
    message = (await response.json()).error.message;
  } catch {
    // The status has to do.
  }
  if (response.status === 401 || response.status === 403) throw new KeyError(message);
  throw new Error(message);
}

/**
 * @template Item
 * @param {string} path
 * @returns {Promise<Item[]>}
 */
async function list(path) {
  return (await (await ask(path)).json()).data;
}

/** @returns {Promise<Model[]>} */
export async function models() {
  return await list("models");
}

/** @returns {Promise<Run[]>} The latest first. */
export async function runs() {
  return await list("runs");
}

/**
 * @param {string} id
 * @returns {Promise<Blob>}
 */
export async function patch(id) {
  return await (await ask(`runs/${encodeURIComponent(id)}/patch`)).blob();
}

/** @param {string} id */
export async function cancel(id) {
  await ask(`runs/${encodeURIComponent(id)}/cancel`, "POST");
}
