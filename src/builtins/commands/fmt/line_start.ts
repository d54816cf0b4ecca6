const TAB = 8;

/** Finds where the text of a line begins: after spaces, the prefix and more spaces. */
export class FmtLineStart {
  /** The column that has been reached. */
  column = 0;
  /** The columns before the prefix. */
  indent = 0;
  /** Whether a tab was seen in any line: then the output has tabs too. */
  tabs = false;
  /** The prefix without spaces around it. */
  readonly prefix: Uint8Array;
  /** The spaces before it. */
  readonly lead: number;
  /** The length of the prefix with the spaces after it. */
  readonly fullLength: number;
  /** How much of the prefix has been found; -1 while there may be spaces before it. */
  #matched = -1;

  /** Searches for a prefix, as it was given on the command line. */
  constructor(prefix: Uint8Array) {
    let start = 0;
    while (prefix[start] === 32) start++;
    let end = prefix.length;
    while (end > start && prefix[end - 1] === 32) end--;
    this.prefix = prefix.subarray(start, end);
    this.lead = start;
    this.fullLength = prefix.length - start;
  }

  /** A line begins. */
  reset(): void {
    this.column = this.indent = 0;
    this.#matched = -1;
  }

  /**
   * Reads a piece of a line, the last one if it `ends`; returns where the text begins, or -1 if
   * more of the line is needed.
   */
  read(bytes: Uint8Array, start: number, end: number, ends: boolean): number {
    const { prefix } = this;
    let at = start;
    if (this.#matched < 0) {
      at = this.skipSpace(bytes, at, end);
      if (at === end && !ends) return -1;
      this.indent = prefix.length === 0 ? Math.min(this.lead, this.column) : this.column;
      if (prefix.length === 0) return at;
      this.#matched = 0;
    }
    for (; this.#matched < prefix.length; this.#matched++) {
      if (at === end) return ends ? at : -1;
      if (bytes[at] !== prefix[this.#matched]) return at;
      this.column++;
      at++;
    }
    at = this.skipSpace(bytes, at, end);
    return at === end && !ends ? -1 : at;
  }

  /** Skips spaces and tabs; returns where they end. */
  skipSpace(bytes: Uint8Array, start: number, end: number): number {
    let at = start;
    let { column } = this;
    for (; at < end; at++) {
      const byte = bytes[at];
      if (byte === 32) column++;
      else if (byte === 9) {
        this.tabs = true;
        column += TAB - column % TAB;
      } else break;
    }
    this.column = column;
    return at;
  }
}
