// @ts-check
import { announce, byId, make } from "../../page/dom.js";
import { messageOf, visible } from "../../page/words.js";
import { patch } from "./api.js";
import { facts, patchLines } from "./run_words.js";

/** @import { Run } from "./api.js" */

/** Lines of a patch that are shown; more of them would make the browser slow. */
const MOST_LINES = 5000;

const details = byId("details", HTMLElement);
const title = byId("details-title", HTMLElement);
const list = byId("facts", HTMLElement);
const box = byId("patch", HTMLElement);
const note = byId("patch-note", HTMLElement);
const save = byId("save", HTMLButtonElement);

/** The run that is shown, what is shown of it, and its patch. */
let shown = "";
let told = "";
/** @type {Blob | undefined} */
let saved;

/**
 * Shows a run and what it changed.
 *
 * @param {Run} run
 */
export async function showRun(run) {
  shown = run.id;
  told = "";
  clear();
  updateRun(run);
  details.hidden = false;
  details.focus();
  details.scrollIntoView();
  if (run.patch) await loadPatch(run.id);
}

/**
 * Shows what is new of the run that is shown.
 *
 * @param {Run | undefined} run Absent where the gateway does not know it any more: what was shown
 *   stays.
 */
export function updateRun(run) {
  if (run === undefined || run.id !== shown) return;
  const text = JSON.stringify(run);
  if (text === told) return;
  const isFirst = told === "";
  told = text;
  title.textContent = `${visible(run.model)}: ${run.state}`;
  list.replaceChildren(
    ...facts(run).flatMap(([name, value]) => [
      make("dt", { text: name }),
      make("dd", { text: visible(value) }),
    ]),
  );
  if (run.patch) {
    if (!isFirst && saved === undefined) void loadPatch(run.id);
  } else if (run.ended !== undefined) {
    note.textContent = run.stat === undefined ? "" : "It changed nothing";
  }
}

/** The id of the run that is shown; empty if none is. */
export function shownRun() {
  return details.hidden ? "" : shown;
}

function clear() {
  saved = undefined;
  save.hidden = true;
  box.hidden = true;
  box.replaceChildren();
  note.textContent = "";
}

/** @param {string} id */
async function loadPatch(id) {
  note.textContent = "Loading the changes";
  let bytes;
  let text;
  try {
    bytes = await patch(id);
    text = await bytes.text();
  } catch (error) {
    if (id === shown) note.textContent = `The changes can't be shown: ${messageOf(error)}`;
    return;
  }
  if (id !== shown) return;
  saved = bytes;
  const { lines, more } = patchLines(text, MOST_LINES);
  box.replaceChildren(
    ...lines.map(({ kind, text }) => make("span", { class: kind, text: `${visible(text)}\n` })),
  );
  box.hidden = false;
  save.hidden = false;
  note.textContent = more ? `The first ${MOST_LINES} lines. The saved patch has all` : "";
  // Now that it is longer, there is room to scroll it up, unless the user has gone on.
  if (document.activeElement === details) details.scrollIntoView();
  announce("The changes are shown");
}

save.addEventListener("click", () => {
  if (saved === undefined) return;
  const address = URL.createObjectURL(saved);
  make("a", { href: address, download: `${shown}.patch` }).click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
});

/** Hides the run. */
export function hideRun() {
  const id = shown;
  shown = "";
  details.hidden = true;
  clear();
  const row = document.querySelector(`[data-id="${CSS.escape(id)}"] button`);
  if (row instanceof HTMLElement) row.focus();
}

byId("close", HTMLButtonElement).addEventListener("click", hideRun);
details.addEventListener("keydown", ({ key }) => {
  if (key === "Escape") hideRun();
});
