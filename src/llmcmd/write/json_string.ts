/** The next part of a string: plain characters, or one escape. */
const PART = /[ !#-[\]-\uffff]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
/** An unfinished escape. */
const UNFINISHED = /^\\(?:u[0-9a-fA-F]{0,3})?$/;

/**
 * Decodes a JSON string that arrives in pieces, as `JSON.parse` does. Text that was
 * returned stays valid: an escape, and a character of two UTF-16 halves, is held until it is whole.
 */
export class JsonStringReader {
  /** Half a character, and what may become an escape. */
  #half = "";
  #escape = "";
  #ended = false;

  /** True once the string is closed, or is not JSON. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Takes what follows in the JSON, from after the opening quote; gives what is decoded now. */
  push(piece: string): string {
    if (this.#ended) return "";
    const json = this.#escape + piece;
    let text = this.#half;
    let at = 0;
    for (PART.lastIndex = 0;; at = PART.lastIndex) {
      const part = PART.exec(json)?.[0];
      if (part === undefined) break;
      text += part.startsWith("\\") ? decoded(part) : part;
    }
    this.#escape = json.slice(at);
    this.#ended = this.#escape !== "" && !UNFINISHED.test(this.#escape);
    this.#half = !this.#ended && /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : "";
    return text.slice(0, text.length - this.#half.length);
  }
}

function decoded(escape: string): string {
  return String(JSON.parse(`"${escape}"`));
}
