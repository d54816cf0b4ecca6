/** Finds where a JSON object or list that arrives in pieces ends. */
export class JsonEnd {
  #depth = 0;
  #inString = false;
  #escaped = false;

  /** Takes the next piece; true when the end is in it. */
  push(piece: string): boolean {
    for (const character of piece) {
      if (this.#escaped) this.#escaped = false;
      else if (this.#inString) {
        if (character === "\\") this.#escaped = true;
        else if (character === '"') this.#inString = false;
      } else if (character === '"') this.#inString = true;
      else if (character === "{" || character === "[") this.#depth++;
      else if ((character === "}" || character === "]") && --this.#depth === 0) return true;
    }
    return false;
  }
}
