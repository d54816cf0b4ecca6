const TAB = 8;

/** Finds the start of a line's text: after spaces, the prefix and more spaces. */
export class FmtLineStart {
  /** The column reached. */
  column = 0;
  /** Columns before the prefix. */
  indent = 0;
  /** True if a tab was seen in any line; then the output has tabs, too. */
  tabs = false;
  /** The prefix without spaces around it. */
  readonly prefix: Uint8Array;
  /** Number of spaces before it. */
  readonly lead: number;
  /** Length of the prefix with the spaces after it. */
  readonly fullLength: number;
  /** Number of bytes of the prefix found; -1 while there may be spaces before it. */
  #matched = -1;

  /** Takes the prefix as given on the command line. */
  constructor(prefix: Uint8Array) {
    let start = 0;
    while (prefix[start] === 32) start++;
    let end = prefix.length;
    while (end > start && prefix[end - 1] === 32) end--;
    this.prefix = prefix.subarray(start, end);
    this.lead = start;
    this.fullLength = prefix.length - start;
  }

  /** Begins a line. */
  reset(): void {
    this.column = this.indent = 0;
    this.#matched = -1;
  }

  /**
   * Reads a piece of a line, the last one if it `ends`. Returns the offset where the text begins,
   * or -1 if more of the line is needed.
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

  /** Skips spaces and tabs; returns the offset after them. */
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
