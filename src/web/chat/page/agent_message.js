// @ts-check
import { copyButton, markdownBlock } from "./blocks.js";
import { make } from "../../page/dom.js";
import { markdown } from "./markdown.js";

/** @import { MarkdownBlock, MarkdownElement } from "./markdown.js" */

/** The end of a line of Markdown. */
const LINE_END = /\r\n?|\n/g;
/** A definition of a link, which may come after its uses. */
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:/m;

/**
 * A message of the agent, whose text comes in pieces. Blocks that are complete are built once and
 * stay as they are, so that what the reader has selected in them stays selected; only the last one
 * is built again.
 */
export class AgentMessage {
  /** The whole message. */
  element = make("article", { class: "agent", "aria-label": "Agent" });
  #text = "";
  /** The beginning of the last block, which may still change. */
  #settled = 0;
  /**
   * The last block as it is shown, and as it was read.
   *
   * @type {{ element: HTMLElement, block: MarkdownBlock } | undefined}
   */
  #last;
  /**
   * The complete blocks.
   *
   * @type {{ element: HTMLElement, read: MarkdownElement }[]}
   */
  #complete = [];

  /**
   * Adds text, without showing it yet.
   *
   * @param {string} text Markdown, or any piece of it.
   */
  add(text) {
    this.#text += text;
  }

  /** Shows the text so far. */
  draw() {
    this.#show(false);
  }

  /** Shows the whole text: nothing is added any more. */
  close() {
    this.#show(true);
    if (DEFINITION.test(this.#text)) this.#resolve();
  }

  /** The text as it is shown, for who does not see the page. */
  get shownText() {
    return [...this.element.children].map((block) => block.textContent).join("\n\n");
  }

  /** Adds the button that copies the text as it was written. */
  addTools() {
    if (this.#text.trim() === "") return;
    const copy = copyButton("the message", () => this.#text);
    this.element.append(make("div", { class: "tools" }, copy));
  }

  /** @param {boolean} complete Whether the last block is complete, too. */
  #show(complete) {
    const text = this.#text.slice(this.#settled);
    const blocks = markdown(text);
    const last = complete ? undefined : blocks.pop();
    const [first] = blocks;
    if (first === undefined && last !== undefined && this.#grow(last)) return;
    this.#last?.element.remove();
    this.#last = undefined;
    for (const { element: read } of blocks) {
      const element = markdownBlock(read, true);
      this.element.append(element);
      this.#complete.push({ element, read });
    }
    if (last === undefined) return;
    const element = markdownBlock(last.element, false);
    this.element.append(element);
    this.#last = { element, block: last };
    if (first !== undefined) {
      this.#settled += offsetOf(text, last.line);
      this.#last.block = { ...last, line: 0 };
    }
  }

  /** Builds those blocks again that are read otherwise now that all definitions are there. */
  #resolve() {
    for (const [i, { element: read }] of markdown(this.#text).entries()) {
      const built = this.#complete[i];
      if (built === undefined || JSON.stringify(built.read) === JSON.stringify(read)) continue;
      built.element.replaceWith(markdownBlock(read, true));
    }
  }

  /**
   * Adds to code what is new of it, if that is all that has changed.
   *
   * @param {MarkdownBlock} block The last block as it is now.
   * @returns {boolean} Whether it is shown.
   */
  #grow(block) {
    const [tag, { language }, code] = block.element;
    /** @type {MarkdownElement} */
    const none = ["", {}];
    const [lastTag, lastAttributes, lastCode] = this.#last?.block.element ?? none;
    const node = this.#last?.element.querySelector("code")?.firstChild;
    if (
      tag !== "code-block" || lastTag !== tag || language !== lastAttributes["language"] ||
      typeof code !== "string" || typeof lastCode !== "string" || !code.startsWith(lastCode) ||
      !(node instanceof Text) || this.#last === undefined
    ) return false;
    node.appendData(code.slice(lastCode.length));
    this.#last.block = block;
    return true;
  }
}

/**
 * The beginning of a line.
 *
 * @param {string} text
 * @param {number} line Its number, from 0.
 * @returns {number}
 */
function offsetOf(text, line) {
  let at = 0;
  LINE_END.lastIndex = 0;
  for (let i = 0; i < line && LINE_END.exec(text) !== null; i++) at = LINE_END.lastIndex;
  return at;
}
