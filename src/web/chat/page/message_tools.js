// @ts-check

// Editing what the user said, and sending it again.
import { resend } from "./chat.js";
import { splitFiles, withFiles } from "./attached_text.js";
import { log, textOfUser } from "./conversation.js";
import { make, targetOf } from "../../page/dom.js";
import { input } from "./message_box.js";
import { state } from "./state.js";

/** The warning shown before a message is sent again. */
const HINT = "What comes after this message leaves the conversation; changes to files stay";

/**
 * Puts a box in the place of a message.
 *
 * @param {HTMLElement} article
 */
function edit(article) {
  if (article.querySelector("textarea") !== null) return;
  const { text, files } = splitFiles(textOfUser(article));
  const box = make("textarea", { "aria-label": "Your message, to be sent again" });
  box.value = text;
  const stop = () => {
    form.remove();
    article.classList.remove("editing");
    input.focus();
  };
  const again = () => {
    const message = withFiles(box.value, files);
    if (message.trim() === "" || state.busy) return;
    stop();
    resend(article, message);
  };
  const form = make(
    "div",
    { class: "edit" },
    box,
    make("p", { text: HINT }),
    make("button", { type: "button", text: "Cancel", onclick: stop }),
    make("button", { type: "button", class: "again", text: "Send again", onclick: again }),
  );
  box.addEventListener("keydown", (event) => {
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Escape") stop();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) again();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  article.classList.add("editing");
  article.append(form);
  box.style.height = `${Math.min(400, box.scrollHeight + 2)}px`;
  box.focus();
}

log.addEventListener("click", (event) => {
  const button = targetOf(event)?.closest("button");
  const article = button?.closest(".user");
  if (!(article instanceof HTMLElement) || state.busy) return;
  if (button?.classList.contains("change")) edit(article);
  else if (button?.classList.contains("retry")) resend(article, textOfUser(article));
});
