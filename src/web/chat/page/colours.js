// @ts-check
import { lowlight } from "./highlighter.js";
import { make } from "../../page/dom.js";

/** @import { HighlightNode } from "./highlighter.js" */

/** Characters of the longest code that gets colours: to find those of more would be felt. */
const MOST_CODE = 50_000;

/**
 * The languages of blocks that have no colours yet, as they were never on the screen.
 *
 * @type {WeakMap<Element, string>}
 */
const waiting = new WeakMap();

const appearing = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    appearing.unobserve(target);
    paint(target, waiting.get(target) ?? "");
  }
}, { rootMargin: "400px" });

/**
 * Gives code its colours as soon as it comes near the screen: a long chat is shown without waiting
 * for the colours of all of it.
 *
 * @param {HTMLElement} block A block with one `code` element, whose text does not change any more.
 * @param {string} language As it is called after the fence.
 */
export function colour(block, language) {
  if (!lowlight.registered(language.toLowerCase())) return;
  waiting.set(block, language.toLowerCase());
  appearing.observe(block);
}

/**
 * @param {Element} block
 * @param {string} language
 */
function paint(block, language) {
  const code = block.querySelector("code");
  const text = code?.textContent ?? "";
  if (code === null || text.length > MOST_CODE) return;
  code.replaceChildren(...lowlight.highlight(language, text).children.map(nodeOf));
}

/**
 * @param {HighlightNode} node
 * @returns {Node}
 */
function nodeOf(node) {
  if (node.type === "text") return document.createTextNode(node.value);
  const names = node.properties.className?.join(" ") ?? "";
  return make("span", { class: names }, ...node.children.map(nodeOf));
}
