// @ts-check
import { codeBlock, diffBlock } from "./blocks.js";
import { add, change, closeBubble } from "./conversation.js";
import { announce, make } from "../../page/dom.js";
import { state } from "./state.js";
import { count, cut, visible } from "../../page/words.js";

/** @import { ChatItem } from "../../../chat/mod.ts" */

/** Characters of what a call was given that its card's title shows. */
const MOST_TITLE = 160;
/** Lines of a running command's output. */
const MOST_LINES = 8;

/**
 * The card of a tool that runs.
 *
 * @typedef {object} Card
 * @property {HTMLElement} card
 * @property {HTMLElement} status What has become of the call.
 * @property {HTMLElement} body
 * @property {HTMLElement} output What it has written so far; empty unless it runs.
 * @property {readonly HTMLElement[]} doubled What a diff shows as well.
 */

/**
 * Cards without a result yet. Results come in the order of the calls.
 *
 * @type {Card[]}
 */
let waiting = [];

/**
 * Adds a card for a call.
 *
 * @param {Extract<ChatItem, { type: "tool" }>} call
 */
export function addCard({ name, input }) {
  closeBubble();
  const status = make("span", { class: "state", text: "\u2026" });
  const body = make("div", { class: "body" });
  const doubled = [];
  if (typeof input === "object" && input !== null) {
    for (const [key, value] of Object.entries(input)) {
      const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
      const block = codeBlock(visible(text), key);
      body.append(block);
      if (/^(path|content|old_string|new_string)$/.test(key)) doubled.push(block);
    }
  } else body.append(codeBlock(visible(String(input)), "input"));
  const title = visible(`${name}(${aboutOf(input)})`);
  const output = make("span", { class: "live", "aria-hidden": "true" });
  const summary = make("summary", {}, status, " ", make("span", { text: title }), output);
  const card = add(make("details", { class: "tool" }, summary, body));
  waiting.push({ card, status, body, output, doubled });
  if (state.busy) announce(`Tool ${title.slice(0, 200)}`);
}

/**
 * The subject of a call: its command or path, in any position, else its first value.
 *
 * @param {unknown} input
 * @returns {string}
 */
function aboutOf(input) {
  if (typeof input !== "object" || input === null) return JSON.stringify(input) || "";
  /** @type {Record<string, unknown>} */
  const values = { ...input };
  const [first, second] = Object.values(values);
  const about = values.command ?? values.path ?? first;
  if (about === undefined) return "";
  return cut(JSON.stringify(about), MOST_TITLE) + (second === undefined ? "" : ", \u2026");
}

/**
 * Shows the end of what the command that runs has written, also on a card that is closed.
 *
 * @param {string} text
 */
export function showOutput(text) {
  // Calls run one after the other, and a call without a result is the one that runs.
  const [running] = waiting;
  if (running === undefined) return;
  const lines = visible(text).replace(/\n$/, "").split("\n").slice(-MOST_LINES);
  change(() => running.output.textContent = lines.join("\n"));
}

/**
 * Shows how a call ended on its card.
 *
 * @param {Extract<ChatItem, { type: "tool_result" }>} result
 */
export function finishCard({ name, content, error, details }) {
  const it = waiting.shift();
  if (it === undefined) return;
  change(() => it.output.remove());
  const bad = error === true || /^\[Exit code [1-9]/m.test(content) && name === "bash";
  it.status.textContent = bad ? "\u2717 failed" : "\u2713";
  it.status.className = bad ? "state bad" : "state good";
  if (!bad) it.status.append(make("span", { class: "sr", text: "done" }));
  it.card.classList.toggle("failed", bad);
  const diff = diffOf(content, details);
  change(() => {
    if (diff !== "") {
      for (const element of it.doubled) element.remove();
      it.body.append(diffBlock(diff));
    }
    if (diff === "" || content.split("\n")[0] !== "OK") {
      const lines = content.replace(/\n$/, "").split("\n").length;
      it.body.append(codeBlock(visible(content), `output, ${count(lines, "line")}`));
    }
  });
  if (state.busy) announce(bad ? "failed" : "done");
}

/**
 * The diff that a result has, or that its text is; empty if there is none.
 *
 * @param {string} content
 * @param {unknown} details
 * @returns {string}
 */
function diffOf(content, details) {
  const diff = typeof details === "object" && details !== null
    ? Reflect.get(details, "diff")
    : undefined;
  if (typeof diff === "string") return diff;
  return /^OK\n--- /.test(content) ? content.slice(3) : "";
}

/** Says on the cards without a result that there will be none. */
export function closeCards() {
  for (const { status, output } of waiting.splice(0)) {
    status.textContent = "(no result)";
    output.remove();
  }
}

/** Forgets the cards. */
export function clearCards() {
  waiting = [];
}
