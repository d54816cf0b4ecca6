// @ts-check
import { announce, copyText, make } from "../../page/dom.js";
import { colour } from "./colours.js";

/** @import { MarkdownElement, MarkdownNode } from "./markdown.js" */

/**
 * A block of Markdown as it is shown.
 *
 * @param {MarkdownElement} element
 * @param {boolean} complete Whether it will not change any more.
 * @returns {HTMLElement}
 */
export function markdownBlock([tag, attributes, ...children], complete) {
  if (tag === "code-block") {
    const block = codeBlock(children.join(""), attributes["language"]);
    if (complete) colour(block, attributes["language"] ?? "");
    return block;
  }
  const element = document.createElement(shownTag(tag));
  for (const [name, value] of Object.entries(attributes)) {
    if (tag !== "a") element.setAttribute(name, value);
  }
  if (element instanceof HTMLAnchorElement) address(element, attributes);
  element.append(...children.map((child) => shown(child, complete)));
  return element;
}

/**
 * @param {MarkdownNode} node
 * @param {boolean} complete
 * @returns {Node}
 */
function shown(node, complete) {
  return typeof node === "string" ? document.createTextNode(node) : markdownBlock(node, complete);
}

/**
 * The title of the chat is the only heading of the first level.
 *
 * @param {string} tag
 * @returns {string}
 */
function shownTag(tag) {
  const [, level] = /^h([1-6])$/.exec(tag) ?? [];
  return level === undefined ? tag : `h${Math.min(4, Number(level) + 1)}`;
}

/**
 * Makes an element a link, if its address is one of a page or of mail. A link to a file of the
 * folder leads nowhere from here: what it names is shown when it is pointed at.
 *
 * @param {HTMLAnchorElement} element
 * @param {Record<string, string>} attributes
 */
function address(element, { href = "", title = href }) {
  element.title = title;
  if (!/^(https?:\/\/|mailto:)/i.test(href)) return;
  element.href = href;
  element.rel = "noreferrer noopener";
  element.target = "_blank";
}

/**
 * Code in a frame.
 *
 * @param {string} text
 * @param {string} [label] What it is.
 * @returns {HTMLElement}
 */
export function codeBlock(text, label = "") {
  const code = make("code", { text });
  return framed(label, () => code.textContent ?? "", make("pre", {}, code));
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
  return framed("changes", () => text, pre);
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
 * @param {() => string} text Gives what is copied.
 * @param {HTMLElement} pre The text as it is shown.
 * @returns {HTMLElement}
 */
function framed(label, text, pre) {
  const copy = copyButton(label || "the code", text);
  pre.setAttribute("tabindex", "0");
  pre.setAttribute("role", "region");
  pre.setAttribute("aria-label", label || "Code");
  const bar = make("div", { class: "bar" }, make("span", { text: label }), copy);
  return make("div", { class: "code" }, bar, pre);
}

/**
 * A button that copies a text.
 *
 * @param {string} what What it copies, as it is told to who does not see the page.
 * @param {() => string} text
 * @returns {HTMLButtonElement}
 */
export function copyButton(what, text) {
  const copy = make("button", {
    type: "button",
    class: "copy",
    "aria-label": `Copy ${what}`,
    text: "Copy",
  });
  copy.addEventListener("click", async () => {
    const said = await copyText(text()) ? "Copied" : "Can't copy";
    copy.textContent = said;
    announce(said);
    setTimeout(() => copy.textContent = "Copy", 1500);
  });
  return copy;
}
