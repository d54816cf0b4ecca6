// @ts-check
import { log } from "./conversation.js";
import { make } from "../../page/dom.js";
import { input, write } from "./message_box.js";
import { showTitle } from "./status.js";

const IDEAS = [
  "Explain what the code in this folder does",
  "Find the tests that fail, and mend them",
  "Write a script that counts lines by language",
];

/** Shows a chat in which nothing was said yet. */
export function showEmpty() {
  const ideas = IDEAS.map((idea) => {
    const onclick = () => {
      write(idea);
      input.focus();
    };
    return make("li", {}, make("button", { type: "button", text: idea, onclick }));
  });
  log.replaceChildren(make(
    "section",
    { class: "empty", "aria-label": "A new chat" },
    make("h2", { text: "What is to be done?" }),
    make("div", {
      text: "The agent reads, writes and runs what it needs in the folder of the server.",
    }),
    make("ul", { "aria-label": "Ideas" }, ...ideas),
  ));
  showTitle("New chat");
}
