// @ts-check

// Questions of the agent: cards with a button for each answer.
import { codeBlock } from "./blocks.js";
import { request } from "./connection.js";
import { add, change, closeBubble, note } from "./conversation.js";
import { announce, make } from "../../page/dom.js";
import { state } from "./state.js";
import { setWaiting } from "./status.js";
import { messageOf, visible } from "../../page/words.js";

/**
 * A question of the agent.
 *
 * @typedef {object} Ask
 * @property {"ask"} type
 * @property {string} id
 * @property {"command" | "write" | "read"} kind
 * @property {string} what The command or the file.
 * @property {string} [why] Why it is asked.
 * @property {string} session What is allowed for the session, in words.
 */

/**
 * The end of a question, with or without an answer.
 *
 * @typedef {{ type: "answered", id: string, answer: "once" | "session" | "no" | null }} Answered
 */

const WANTS = {
  command: "The agent wants to run this command",
  write: "The agent wants to change this file",
  read: "The agent wants to read this file",
};

const ANSWERS = /** @type {const} */ ({
  once: { label: "Allow once", done: "Allowed once" },
  session: { label: "Allow for this session", done: "Allowed for this session" },
  no: { label: "Refuse", done: "Refused" },
});

/**
 * Cards without an answer, by the ids of their questions.
 *
 * @type {Map<string, { card: HTMLElement, buttons: HTMLElement }>}
 */
const open = new Map();

/**
 * Shows a question.
 *
 * @param {Ask} ask
 */
export function addAsk({ id, kind, what, why, session }) {
  closeBubble();
  const title = WANTS[kind];
  const buttons = make("div", { class: "row" });
  for (const answer of /** @type {const} */ (["once", "session", "no"])) {
    const { label: text } = ANSWERS[answer];
    const onclick = () => send(id, answer);
    buttons.append(make("button", { type: "button", class: answer, text, onclick }));
  }
  const card = make(
    "section",
    { class: "ask", "aria-label": title },
    make("h2", { text: title }),
    codeBlock(visible(what), kind === "command" ? "bash" : kind),
  );
  if (why !== undefined) card.append(make("p", { text: `It is asked because ${visible(why)}.` }));
  card.append(make("p", { text: `For this session means: ${visible(session)}.` }), buttons);
  open.set(id, { card, buttons });
  add(card);
  setWaiting(true);
  announce(`${title}: ${visible(what)}`);
}

/**
 * @param {string} id
 * @param {"once" | "session" | "no"} answer
 */
async function send(id, answer) {
  const buttons = open.get(id)?.buttons.querySelectorAll("button") ?? [];
  for (const button of buttons) button.disabled = true;
  try {
    await request("POST", `/runs/${state.run}/asks/${id}`, { answer });
  } catch (error) {
    for (const button of buttons) button.disabled = false;
    note(messageOf(error), true);
  }
}

/**
 * Shows how a question ended.
 *
 * @param {Answered} answered
 */
export function finishAsk({ id, answer }) {
  const it = open.get(id);
  if (it === undefined) return;
  open.delete(id);
  const text = answer === null ? "Not answered" : ANSWERS[answer].done;
  change(() => it.buttons.replaceWith(make("p", { class: "answer", text })));
  if (state.busy) announce(text);
  setWaiting(open.size > 0);
}

/** Says on the cards without an answer that none is needed any more. */
export function closeAsks() {
  for (const id of [...open.keys()]) finishAsk({ type: "answered", id, answer: null });
}

/** Forgets the cards. */
export function clearAsks() {
  open.clear();
  setWaiting(false);
}
