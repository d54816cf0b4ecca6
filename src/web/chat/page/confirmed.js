// @ts-check

// The question before something is lost for good.
import { byId } from "../../page/dom.js";

const dialog = byId("confirm", HTMLDialogElement);
const heading = byId("confirm-title", HTMLElement);
const details = byId("confirm-text", HTMLElement);
const yes = byId("confirm-yes", HTMLButtonElement);

/**
 * Takes the answer to the question that is open.
 *
 * @type {(yes: boolean) => void}
 */
let answer = () => {};

/**
 * Asks before something is lost. The dialog takes the focus and gives it back.
 *
 * @param {string} title The question.
 * @param {string} text What will be lost.
 * @param {string} label What the button for yes says.
 * @returns {Promise<boolean>}
 */
export function confirmed(title, text, label) {
  answer(false);
  heading.textContent = title;
  details.textContent = text;
  yes.textContent = label;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => answer = resolve);
}

dialog.addEventListener("close", () => {
  // It comes late: the next question may be open already.
  if (dialog.open) return;
  // Where what had the focus before was drawn anew meanwhile, a button in here still has it.
  const focused = document.activeElement;
  if (focused instanceof HTMLElement && dialog.contains(focused)) focused.blur();
  answer(dialog.returnValue === "yes");
});
byId("confirm-no", HTMLButtonElement).addEventListener("click", () => dialog.close("no"));
yes.addEventListener("click", () => dialog.close("yes"));
