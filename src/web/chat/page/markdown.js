// @ts-check
import { MarkdownIt } from "./markdown_it.js";

/** @import { Token } from "./markdown_it.js" */

/**
 * A part of a text: text, or an element with what is in it.
 *
 * @typedef {string | MarkdownElement} MarkdownNode
 */
/**
 * An element: one of HTML, or a `code-block` with the attribute `language`.
 *
 * @typedef {[tag: string, attributes: Record<string, string>, ...children: MarkdownNode[]]} MarkdownElement
 */
/**
 * A block that stands in no other one.
 *
 * @typedef {object} MarkdownBlock
 * @property {number} line Number of its first line, from 0.
 * @property {MarkdownElement} element
 */

// CommonMark with tables, strike-through and bare addresses. HTML stays text.
const parser = new MarkdownIt("default", { html: false, linkify: true });
// Only what begins with `https://` and the like is an address: `README.md` is a file.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

/**
 * Text in Markdown as blocks. What is no Markdown is text, HTML too (but for `<br>`).
 *
 * A text that grows changes its last block only, but for definitions of links (`[name]: address`),
 * which may be used before they come.
 *
 * @param {string} text
 * @returns {MarkdownBlock[]}
 */
export function markdown(text) {
  /** @type {MarkdownBlock[]} */
  const blocks = [];
  // The elements that are open, outermost first, each with its children.
  /** @type {MarkdownElement[]} */
  const open = [];
  let line = 0;
  for (const token of parser.parse(text, {})) {
    if (open.length === 0 && token.map !== null) line = token.map[0];
    if (token.hidden) continue;
    if (token.nesting === 1) {
      open.push([token.tag, attributesOf(token)]);
      continue;
    }
    const made = token.nesting === 0 ? leaf(token) : closed(open.pop());
    const parent = open.at(-1);
    if (parent !== undefined) parent.push(...made);
    else blocks.push(...elementsIn(made).map((element) => ({ line, element })));
  }
  return blocks;
}

/**
 * @param {readonly MarkdownNode[]} nodes
 * @returns {MarkdownElement[]}
 */
function elementsIn(nodes) {
  return nodes.filter((node) => typeof node !== "string");
}

/**
 * The nodes for an element whose last token was read.
 *
 * @param {MarkdownElement | undefined} element
 * @returns {MarkdownNode[]}
 */
function closed(element) {
  if (element === undefined) return [];
  return element[0] === "li" ? [taskItem(element)] : [element];
}

/**
 * The nodes for a token that needs no closing one.
 *
 * @param {Token} token
 * @returns {MarkdownNode[]}
 */
function leaf({ type, tag, content, info, children }) {
  switch (type) {
    case "inline":
      return spans(children ?? []);
    case "fence":
    case "code_block": {
      const language = /^\S*/.exec(parser.utils.unescapeAll(info).trim())?.[0] ?? "";
      return [["code-block", { language }, content.replace(/\n$/, "")]];
    }
    default:
      return [[tag, {}, ...(content === "" ? [] : [content])]];
  }
}

/**
 * The spans of a text.
 *
 * @param {readonly Token[]} tokens
 * @returns {MarkdownNode[]}
 */
function spans(tokens) {
  /** @type {MarkdownElement[]} */
  const open = [["", {}]];
  for (const token of tokens) {
    if (token.nesting === 1) {
      open.push([token.tag, attributesOf(token)]);
      continue;
    }
    const ended = token.nesting === -1 ? open.pop() : undefined;
    const parent = open.at(-1);
    if (parent === undefined) break;
    append(parent, ended === undefined ? span(token) : [ended]);
  }
  const [, , ...nodes] = open[0] ?? ["", {}];
  return nodes;
}

/**
 * @param {Token} token
 * @returns {MarkdownNode[]}
 */
function span(token) {
  switch (token.type) {
    case "text":
    case "text_special":
      return withBreaks(token.content);
    case "softbreak":
      return ["\n"];
    case "hardbreak":
      return [["br", {}]];
    case "image": {
      // The page loads nothing from elsewhere: a picture is a link to it.
      const { src: href = "" } = attributesOf(token);
      return [["a", { href }, token.content || href]];
    }
    default:
      return [[token.tag, {}, token.content]];
  }
}

/**
 * Text with `<br>`, the only way to break a line in a cell of a table.
 *
 * @param {string} text
 * @returns {MarkdownNode[]}
 */
function withBreaks(text) {
  return text.split(/<br\s*\/?>/i).flatMap((
    part,
    i,
  ) => /** @type {MarkdownNode[]} */ (i === 0 ? [part] : [["br", {}], part]));
}

/**
 * Adds nodes to an element; text that follows text becomes one with it.
 *
 * @param {MarkdownElement} parent
 * @param {readonly MarkdownNode[]} nodes
 */
function append(parent, nodes) {
  for (const node of nodes) {
    const last = parent.length > 2 ? parent[parent.length - 1] : undefined;
    if (node === "") continue;
    if (typeof node === "string" && typeof last === "string") {
      parent[parent.length - 1] = last + node;
    } else parent.push(node);
  }
}

/**
 * @param {Token} token
 * @returns {Record<string, string>}
 */
function attributesOf({ attrs }) {
  return Object.fromEntries((attrs ?? []).map(([name, value]) =>
    // The page's policy allows no styles in elements.
    name === "style"
      ? ["class", String(value).replace("text-align:", "align-")]
      : [name, String(value)]
  ));
}

/**
 * An item of a list, with a box in place of `[ ]` and `[x]`.
 *
 * @param {MarkdownElement} item
 * @returns {MarkdownElement}
 */
function taskItem([tag, attributes, first, ...others]) {
  if (first === undefined) return [tag, attributes];
  if (Array.isArray(first) && first[0] === "p") {
    const [, , text, ...more] = first;
    const task = taskOf(text);
    return task === undefined
      ? [tag, attributes, first, ...others]
      : [tag, { class: "task" }, ["p", {}, ...task, ...more], ...others];
  }
  const task = taskOf(first);
  return task === undefined
    ? [tag, attributes, first, ...others]
    : [tag, { class: "task" }, ...task, ...others];
}

/**
 * @param {MarkdownNode | undefined} text What an item begins with.
 * @returns {MarkdownNode[] | undefined} The box and the rest, if it is a task.
 */
function taskOf(text) {
  if (typeof text !== "string") return undefined;
  const [begin, mark] = /^\[([ xX])\] /.exec(text) ?? [];
  if (begin === undefined) return undefined;
  const checked = mark === " " ? {} : { checked: "" };
  return [
    ["input", { type: "checkbox", disabled: "", ...checked }],
    ` ${text.slice(begin.length)}`,
  ];
}
