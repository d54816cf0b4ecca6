const OPEN = "<think>";
const CLOSE = "</think>";

/** A piece of text: what the model says, or what it thinks before. */
export interface ThoughtPiece {
  type: "text" | "thought";
  content: string;
}

/**
 * Separates the `<think>` blocks at the start of an answer from the text after them, while it
 * arrives in pieces. All pieces together are the text as it came. White space around the block
 * belongs to it. A block that is never closed extends to the end.
 */
export class ThoughtSplitter {
  #state: "start" | "thought" | "after" | "text" = "start";
  #held = "";

  /** Takes the next piece of text, and gives what is decided. */
  add(content: string): ThoughtPiece[] {
    if (this.#state === "text") return content === "" ? [] : [{ type: "text", content }];
    this.#held += content;
    const pieces: ThoughtPiece[] = [];
    if (this.#state === "start") {
      const text = this.#held.trimStart();
      // The beginning of what may become the tag.
      if (text.length < OPEN.length && OPEN.startsWith(text)) return pieces;
      this.#state = text.startsWith(OPEN) ? "thought" : "text";
    }
    while (this.#state === "thought" || this.#state === "after") {
      if (this.#state === "thought") this.#think(pieces);
      if (this.#state !== "after") break;
      const text = this.#held.trimStart();
      this.#take(pieces, "thought", this.#held.length - text.length);
      // Another block may follow.
      if (OPEN.startsWith(text) && text.length < OPEN.length) break;
      this.#state = text.startsWith(OPEN) ? "thought" : "text";
    }
    if (this.#state === "text") this.#take(pieces, "text", this.#held.length);
    return pieces;
  }

  #think(pieces: ThoughtPiece[]): void {
    const at = this.#held.indexOf(CLOSE);
    if (at >= 0) {
      this.#state = "after";
      this.#take(pieces, "thought", at + CLOSE.length);
    } else {
      // Half a tag may be at the end.
      this.#take(pieces, "thought", this.#held.length - CLOSE.length + 1);
    }
  }

  #take(pieces: ThoughtPiece[], type: ThoughtPiece["type"], length: number): void {
    if (length <= 0) return;
    pieces.push({ type, content: this.#held.slice(0, length) });
    this.#held = this.#held.slice(length);
  }

  /** Returns the rest at the end of the text. */
  end(): ThoughtPiece[] {
    const pieces: ThoughtPiece[] = [];
    const thought = this.#state === "thought";
    this.#take(pieces, thought ? "thought" : "text", this.#held.length);
    return pieces;
  }
}

/** The end of a block: alone on its line, or behind a sentence and before a blank line. */
const LONE_CLOSE = new RegExp(
  [
    String.raw`(?:(?<=^|\n)[ \t]*</think>[ \t]*(?:\r?\n|$)`,
    String.raw`|</think>(?<=(?:[^\s\x60'"]|[.!?][ \t]+)</think>)[ \t]*\r?\n[ \t]*\r?\n)\s*`,
  ].join(""),
);
/**
 * The beginning of a block, with attributes or without: it shows that the end belongs to the text.
 */
const ANY_OPEN = /<think[\s>]/;
const FENCE = /^[ \t]*(?:```|~~~)/gm;

/**
 * Removes the thought of a model whose chat template opens the block, so that its text has only the
 * end of it, as with DeepSeek R1 and QwQ on a server without their reasoning parser. This can't be
 * known before that end is there. An end with its beginning, or in a code fence, is part of the
 * text.
 */
export function withoutOpenThought(text: string): string {
  const close = LONE_CLOSE.exec(text);
  if (close === null) return text;
  const before = text.slice(0, close.index);
  const isInFence = (before.match(FENCE)?.length ?? 0) % 2 === 1;
  return isInFence || ANY_OPEN.test(before) ? text : text.slice(close.index + close[0].length);
}

/**
 * The text of a model's message without the `<think>` block at its start, or without all before the
 * end of such a block.
 *
 * @example
 * ```ts
 * import { withoutThought } from "@llmcmd/llmcmd/llm";
 *
 * const text = withoutThought("<think>\nTwo and two...\n</think>\n\nFour");
 * if (text !== "Four") throw new Error(text);
 * ```
 */
export function withoutThought(text: string): string {
  const splitter = new ThoughtSplitter();
  const pieces = [...splitter.add(text), ...splitter.end()];
  const said = pieces.filter(({ type }) => type === "text").map(({ content }) => content).join("");
  return said.length === text.length ? withoutOpenThought(said) : said;
}
