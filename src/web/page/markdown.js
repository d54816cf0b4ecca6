// @ts-check

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

/** How deep blocks, and parts of a line, may be in each other; what is deeper is text. */
const MOST_DEPTH = 12;

const BLANK = /^\s*$/;
const FENCE = /^\s*(```+|~~~+)\s*([\w+#.-]*)/;
const HEADING = /^(#{1,6})\s+([^]*?)\s*#*$/;
const RULE = /^\s*([-*_])(\s*\1){2,}\s*$/;
const QUOTE = /^\s*>/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+([^]*)$/;
const ROW = /^\s*\|/;
const ROW_OF_DASHES = /^\s*\|[\s:|-]+\|?\s*$/;
/** What ends a paragraph. */
const BLOCK = /^\s*(```|~~~|#{1,6}\s|>|[-*+]\s|\d{1,9}[.)]\s|\|)/;

/** The lines of a text, read one after the other. */
class Lines {
  /** @type {readonly string[]} */
  #lines;
  #at = 0;

  /** @param {string} text */
  constructor(text) {
    this.#lines = text.replace(/\r\n?/g, "\n").split("\n");
  }

  /** The line that is next; `undefined` at the end. */
  get next() {
    return this.#lines[this.#at];
  }

  /** The line after that. */
  get second() {
    return this.#lines[this.#at + 1];
  }

  /** Goes on, and gives the line that was next. */
  take() {
    return this.#lines[this.#at++] ?? "";
  }
}

/**
 * Text in Markdown as a tree of elements. Whatever it does not know is text, HTML too.
 *
 * @param {string} text
 * @param {number} [depth] How deep it stands in other blocks.
 * @returns {MarkdownElement[]}
 */
export function markdown(text, depth = 0) {
  if (depth > MOST_DEPTH) return [["p", {}, text]];
  const lines = new Lines(text);
  const blocks = [];
  while (lines.next !== undefined) {
    if (BLANK.test(lines.next)) lines.take();
    else blocks.push(block(lines, lines.next, depth));
  }
  return blocks;
}

/**
 * @param {Lines} lines
 * @param {string} line The first of them.
 * @param {number} depth
 * @returns {MarkdownElement}
 */
function block(lines, line, depth) {
  const [, fence, language = ""] = FENCE.exec(line) ?? [];
  if (fence !== undefined) return codeBlock(lines, fence, language);
  const [, marks, title = ""] = HEADING.exec(line) ?? [];
  if (marks !== undefined) {
    lines.take();
    return [`h${Math.min(4, marks.length + 1)}`, {}, ...inline(title)];
  }
  if (RULE.test(line)) {
    lines.take();
    return ["hr", {}];
  }
  if (QUOTE.test(line)) return quote(lines, depth);
  const [, indent, mark = ""] = ITEM.exec(line) ?? [];
  if (indent !== undefined) return list(lines, indent.length, mark, depth);
  if (ROW.test(line) && ROW_OF_DASHES.test(lines.second ?? "")) return table(lines);
  return paragraph(lines);
}

/**
 * @param {Lines} lines
 * @param {string} fence What it begins with, and ends with too.
 * @param {string} language
 * @returns {MarkdownElement}
 */
function codeBlock(lines, fence, language) {
  lines.take();
  const code = [];
  while (lines.next !== undefined && !lines.next.trim().startsWith(fence)) code.push(lines.take());
  lines.take();
  return ["code-block", { language }, code.join("\n")];
}

/**
 * @param {Lines} lines
 * @param {number} depth
 * @returns {MarkdownElement}
 */
function quote(lines, depth) {
  const inner = [];
  while (lines.next !== undefined && QUOTE.test(lines.next)) {
    inner.push(lines.take().replace(/^\s*> ?/, ""));
  }
  return ["blockquote", {}, ...markdown(inner.join("\n"), depth + 1)];
}

/**
 * @param {Lines} lines
 * @param {number} indent Spaces before the first item; those with more are parts of one.
 * @param {string} mark What the first item begins with.
 * @param {number} depth
 * @returns {MarkdownElement}
 */
function list(lines, indent, mark, depth) {
  const ordered = /\d/.test(mark);
  /** @type {string[][]} */
  const items = [];
  while (lines.next !== undefined) {
    const [, before = "", itsMark = "", rest = ""] = ITEM.exec(lines.next) ?? [];
    if (itsMark !== "" && before.length <= indent && /\d/.test(itsMark) === ordered) {
      items.push([rest]);
      lines.take();
    } else if (!BLANK.test(lines.next) && /^\s+/.test(lines.next)) {
      items.at(-1)?.push(lines.take().replace(/^ {1,4}|^\t/, ""));
    } else if (BLANK.test(lines.next) && /^\s*([-*+]|\d{1,9}[.)])\s/.test(lines.second ?? "")) {
      lines.take();
    } else break;
  }
  const start = ordered ? { start: String(parseInt(mark, 10)) } : {};
  return [ordered ? "ol" : "ul", start, ...items.map((item) => listItem(item, depth))];
}

/**
 * @param {readonly string[]} lines
 * @param {number} depth
 * @returns {MarkdownElement}
 */
function listItem(lines, depth) {
  const [first, ...others] = markdown(lines.join("\n"), depth + 1);
  if (first === undefined) return ["li", {}];
  const [tag, , ...children] = first;
  return tag === "p" ? ["li", {}, ...children, ...others] : ["li", {}, first, ...others];
}

/**
 * @param {Lines} lines
 * @returns {MarkdownElement}
 */
function table(lines) {
  const rows = [row(lines.take(), "th")];
  lines.take();
  while (lines.next !== undefined && ROW.test(lines.next)) rows.push(row(lines.take(), "td"));
  return ["table", {}, ["tbody", {}, ...rows]];
}

/**
 * @param {string} line
 * @param {string} tag That of its cells.
 * @returns {MarkdownElement}
 */
function row(line, tag) {
  const cells = line.trim().replace(/^\||\|$/g, "").split("|");
  return ["tr", {}, ...cells.map((cell) => element(tag, inline(cell.trim())))];
}

/**
 * @param {Lines} lines
 * @returns {MarkdownElement}
 */
function paragraph(lines) {
  const words = [lines.take()];
  while (lines.next !== undefined && !BLANK.test(lines.next) && !BLOCK.test(lines.next)) {
    words.push(lines.take());
  }
  return ["p", {}, ...inline(words.join("\n"))];
}

/**
 * Code, bold, strike-through, italics with stars and lines, links, and addresses, in this order.
 */
const INLINE =
  /(`+)([^]*?[^`])\1(?!`)|\*\*(?=\S)([^]*?\S)\*\*|~~(?=\S)([^]*?\S)~~|(?<![\w*])\*(?=[^\s*])([^*]*?[^\s*])\*(?!\*)|(?<!\w)_(?=[^\s_])([^_]*?[^\s_])_(?!\w)|\[([^\]\n]+)\]\(([^()\s]+)\)|(https?:\/\/[^\s<>"')\]]+[^\s<>"')\].,;:!?])/g;

/**
 * The parts of a line, or of several.
 *
 * @param {string} text
 * @param {number} [depth] How deep it stands in other parts.
 * @returns {MarkdownNode[]}
 */
function inline(text, depth = 0) {
  if (depth > MOST_DEPTH) return [text];
  /** @type {MarkdownNode[]} */
  const nodes = [];
  let last = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > last) nodes.push(text.slice(last, match.index));
    const [whole, , code, bold, strike, star, under, label, target, url] = match;
    const italics = star ?? under;
    if (code !== undefined) nodes.push(["code", {}, code.replace(/^ (.*\S.*) $/, "$1")]);
    else if (bold !== undefined) nodes.push(element("strong", inline(bold, depth + 1)));
    else if (strike !== undefined) nodes.push(element("del", inline(strike, depth + 1)));
    else if (italics !== undefined) nodes.push(element("em", inline(italics, depth + 1)));
    else nodes.push(link(target ?? url ?? "", label ?? url ?? "") ?? whole);
    last = match.index + whole.length;
  }
  if (last < text.length) nodes.push(text.slice(last));
  return nodes;
}

/**
 * A link, if it is one to a page: what begins with `javascript:` or `data:` stays text.
 *
 * @param {string} href
 * @param {string} label
 * @returns {MarkdownElement | undefined}
 */
function link(href, label) {
  return /^(https?:\/\/|mailto:)/i.test(href) ? ["a", { href }, label] : undefined;
}

/**
 * @param {string} tag
 * @param {readonly MarkdownNode[]} children
 * @returns {MarkdownElement}
 */
function element(tag, children) {
  return [tag, {}, ...children];
}
