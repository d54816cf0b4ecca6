// @ts-check
import { announce, make } from "./dom.js";
import { markdown } from "./markdown.js";

/** @import { MarkdownNode } from "./markdown.js" */

/**
 * Text as Markdown.
 *
 * @param {string} text
 * @returns {Node[]}
 */
export function markdownBlocks(text) {
  return markdown(text).map(build);
}

/**
 * @param {MarkdownNode} node
 * @returns {Node}
 */
function build(node) {
  if (typeof node === "string") return document.createTextNode(node);
  const [tag, attributes, ...children] = node;
  if (tag === "code-block") return codeBlock(children.join(""), attributes["language"]);
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (tag === "a") {
    element.setAttribute("rel", "noreferrer noopener");
    element.setAttribute("target", "_blank");
  }
  element.append(...children.map(build));
  return element;
}

/**
 * Code in a frame.
 *
 * @param {string} text
 * @param {string} [label] What it is.
 * @returns {HTMLElement}
 */
export function codeBlock(text, label = "") {
  return framed(label, text, make("pre", {}, make("code", { text })));
}

/**
 * A unified diff in a frame, its lines in colours.
 *
 * @param {string} text
 * @returns {HTMLElement}
 */
export function diffBlock(text) {
  const pre = make("pre");
  for (const line of text.replace(/\n$/, "").split("\n")) {
    pre.append(make("span", { class: kindOf(line), text: line || " " }));
  }
  return framed("changes", text, pre);
}

/**
 * The class of a diff's line.
 *
 * @param {string} line
 * @returns {string}
 */
function kindOf(line) {
  if (/^\+(?!\+\+ )/.test(line)) return "add";
  if (/^-(?!-- )/.test(line)) return "del";
  return line.startsWith("@@") ? "at" : "same";
}

/**
 * Text in a frame with a label and a button that copies it.
 *
 * @param {string} label
 * @param {string} text What is copied.
 * @param {HTMLElement} pre The text as it is shown.
 * @returns {HTMLElement}
 */
function framed(label, text, pre) {
  const copy = make("button", {
    type: "button",
    class: "copy",
    "aria-label": `Copy ${label || "the code"}`,
    text: "Copy",
  });
  copy.addEventListener("click", async () => {
    let said = "Copied";
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      said = "Can't copy";
    }
    copy.textContent = said;
    announce(said);
    setTimeout(() => copy.textContent = "Copy", 1500);
  });
  pre.setAttribute("tabindex", "0");
  pre.setAttribute("role", "region");
  pre.setAttribute("aria-label", label || "Code");
  const bar = make("div", { class: "bar" }, make("span", { text: label }), copy);
  return make("div", { class: "code" }, bar, pre);
}
