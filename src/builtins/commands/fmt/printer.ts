import type { FmtWords } from "./breaks.ts";
import { LineOutput } from "../../text/mod.ts";

const TAB = 8;
const LF = 10;

/** Indentation of a paragraph's lines, in columns. */
export interface FmtIndents {
  /** Columns before the prefix. */
  readonly prefix: number;
  /** Columns before the text of the paragraph's first line, and of all others. */
  readonly first: number;
  readonly other: number;
}

/** Prints lines with their indentation, which may be as long as the input. */
export class FmtPrinter {
  readonly out = new LineOutput();
  /** True if the output has tabs. */
  tabs = false;
  /** Length of the line that was printed last. */
  lastLength = 0;
  readonly #prefix: Uint8Array;
  #column = 0;

  /** Creates a printer of lines that begin with `prefix`. */
  constructor(prefix: Uint8Array) {
    this.#prefix = prefix;
  }

  /** Prints the line that begins with the word; returns the first word of the next one. */
  line(words: FmtWords, word: number, indents: FmtIndents): number {
    this.#column = 0;
    this.#spaces(indents.prefix);
    this.#putPrefix();
    this.#spaces((word === 0 ? indents.first : indents.other) - this.#column);
    return this.#text(words, word);
  }

  /**
   * Prints the beginning of a line that is not formatted: `indent` columns, and as much of the
   * prefix as fits before `column`, where the text begins.
   */
  start(indent: number, column: number, withSpace: boolean): void {
    this.#column = 0;
    this.#spaces(indent);
    for (let i = 0; this.#column !== column && i < this.#prefix.length; i++) {
      this.out.putByte(this.#prefix[i] as number);
      this.#column++;
    }
    if (withSpace) this.#spaces(column - this.#column);
  }

  #putPrefix(): void {
    this.out.put(this.#prefix);
    this.#column += this.#prefix.length;
  }

  #text(words: FmtWords, first: number): number {
    const { out } = this;
    const next = words.nextBreak[first] as number;
    for (let word = first; word < next; word++) {
      const from = words.start[word] as number;
      const size = words.size[word] as number;
      out.put(words.text, from, from + size);
      this.#column += size;
      // These are few: words that are far apart are not on one line.
      if (word + 1 < next) this.#spaces(words.space[word] as number);
    }
    this.lastLength = this.#column;
    out.putByte(LF);
    return next;
  }

  #spaces(columns: number): void {
    const target = this.#column + columns;
    const tabbed = target - target % TAB;
    if (this.tabs && this.#column + 1 < tabbed) {
      this.out.repeat(9, Math.ceil((tabbed - this.#column) / TAB));
      this.#column = tabbed;
    }
    if (target > this.#column) {
      this.out.repeat(32, target - this.#column);
      this.#column = target;
    }
  }
}
