// @ts-check
import { byId, make } from "../../page/dom.js";
import { visible } from "../../page/words.js";
import { changes, ran, tokens, waited } from "./run_words.js";

/** @import { Model, Run } from "./api.js" */

const modelRows = byId("models", HTMLElement);
const runRows = byId("runs", HTMLElement);
const noModels = byId("no-models", HTMLElement);
const noRuns = byId("no-runs", HTMLElement);

/**
 * Sets a text, and only where it is another one: what is selected stays so.
 *
 * @param {Element | undefined | null} element
 * @param {string} text
 */
function setText(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

/**
 * Makes a table's rows those of the items: rows that stay are kept, with their focus.
 *
 * @template Item
 * @param {HTMLElement} body
 * @param {readonly Item[]} items
 * @param {(item: Item) => string} idOf
 * @param {(item: Item) => HTMLElement} makeRow
 * @param {(row: Element, item: Item) => void} update
 */
function fill(body, items, idOf, makeRow, update) {
  const old = new Map([...body.children].map((row) => [row.getAttribute("data-id"), row]));
  /** @type {Element | null} */
  let next = body.firstElementChild;
  for (const item of items) {
    const id = idOf(item);
    let row = old.get(id);
    old.delete(id);
    if (row === undefined) {
      row = makeRow(item);
      row.setAttribute("data-id", id);
    }
    update(row, item);
    if (row === next) next = next.nextElementSibling;
    else body.insertBefore(row, next);
  }
  for (const row of old.values()) row.remove();
}

/** @param {readonly Model[]} models */
export function showModels(models) {
  noModels.hidden = models.length > 0;
  fill(
    modelRows,
    models,
    ({ id }) => id,
    () =>
      make(
        "tr",
        {},
        make("th", { scope: "row" }),
        make("td"),
        make("td", { class: "number" }),
        make("td", { class: "number" }),
      ),
    (row, { id, owned_by, running, queued }) => {
      const texts = [visible(id), owned_by, String(running), String(queued)];
      texts.forEach((text, at) => setText(row.children[at], text));
      row.classList.toggle("busy", running + queued > 0);
    },
  );
}

/**
 * @param {readonly Run[]} runs The latest first.
 * @param {object} actions
 * @param {(id: string) => void} actions.show
 * @param {(id: string) => void} actions.cancel
 */
export function showRuns(runs, { show, cancel }) {
  noRuns.hidden = runs.length > 0;
  const now = Date.now();
  fill(
    runRows,
    runs,
    ({ id }) => id,
    ({ id, model, queued }) =>
      make(
        "tr",
        {},
        make("td", { text: new Date(queued).toLocaleString() }),
        make("th", { scope: "row", text: visible(model) }),
        make("td"),
        make("td", { class: "number" }),
        make("td", { class: "number" }),
        make("td", { class: "number" }),
        make("td"),
        make(
          "td",
          { class: "actions" },
          make("button", {
            type: "button",
            text: "Details",
            "aria-label": `Details of the run of ${visible(model)}`,
            onclick: () => show(id),
          }),
          make("button", {
            type: "button",
            text: "Cancel",
            "aria-label": `Cancel the run of ${visible(model)}`,
            onclick: () => cancel(id),
          }),
        ),
      ),
    (row, run) => {
      const { state, error } = run;
      row.setAttribute("data-state", state);
      const told = error === undefined || state === "cancelled"
        ? state
        : `${state}: ${error.message}`;
      const texts = [visible(told), waited(run, now), ran(run, now), tokens(run), changes(run)];
      texts.forEach((text, at) => setText(row.children[at + 2], text));
      const stop = row.querySelector("button:last-child");
      if (stop instanceof HTMLElement) stop.hidden = state !== "queued" && state !== "running";
    },
  );
}
