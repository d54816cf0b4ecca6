import { unicodeWidth } from "@std/cli/unicode-width";

/** Indented lines, and those of a table. */
const VERBATIM = /^( {4}|\t|\|)/;
/** The fence of a block of code. */
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** The indentation and the mark at the beginning of a list item or quotation. */
const MARK = /^ *([-*+>] +|\d{1,3}[.)] +)?/;
/** Characters of a line that suffice to tell its kind. */
const HEAD = 8;

/**
 * Breaks text that comes in chunks into lines that fit a terminal, between words and beside wide
 * characters. Code, tables and indented lines stay unbroken, so that they can be copied; so do
 * words longer than a line.
 *
 * A word is returned once it is complete.
 */
export class WordWrap {
  readonly #columns: () => number;
  #mode: "head" | "words" | "verbatim" = "head";
  /** The beginning of a line whose kind is not yet known, or a verbatim line. */
  #head = "";
  /** The fence that opened a block of code. */
  #fence: string | undefined;
  #word = "";
  #spaces = "";
  #column = 0;
  /** Columns before the second and later rows of a line. */
  #indent = 0;

  /** `columns` is called at each break. */
  constructor(columns: () => number) {
    this.#columns = columns;
  }

  /** Begins a text at the given column. */
  begin(column = 0): void {
    this.#reset();
    this.#fence = undefined;
    this.#column = column;
  }

  /** Adds a chunk of text; returns the text to print. */
  add(text: string): string {
    let out = "";
    let rest = text;
    for (let at = rest.indexOf("\n"); at >= 0; at = rest.indexOf("\n")) {
      out += this.#part(rest.slice(0, at)) + this.#endOfLine() + "\n";
      this.#column = 0;
      rest = rest.slice(at + 1);
    }
    return out + this.#part(rest);
  }

  /** Ends the text; returns the part that was held back. */
  end(): string {
    return this.#endOfLine();
  }

  #part(text: string): string {
    if (this.#mode === "words") return this.#words(text);
    this.#head += text;
    if (this.#mode === "verbatim" || this.#head.length < HEAD) return "";
    return this.#decide();
  }

  #endOfLine(): string {
    const out = (this.#mode === "head" ? this.#decide() : "") +
      (this.#mode === "verbatim" ? this.#head : this.#place());
    this.#reset();
    return out;
  }

  #reset(): void {
    this.#mode = "head";
    this.#head = this.#word = this.#spaces = "";
    this.#indent = 0;
  }

  /** Decides the kind of a line by its beginning. */
  #decide(): string {
    const head = this.#head;
    const fence = FENCE.exec(head)?.[1];
    const within = this.#fence;
    if (fence !== undefined && within === undefined) this.#fence = fence;
    else if (within !== undefined && fence?.startsWith(within)) this.#fence = undefined;
    if (fence !== undefined || within !== undefined || VERBATIM.test(head)) {
      this.#mode = "verbatim";
      return "";
    }
    this.#mode = "words";
    this.#head = "";
    this.#indent = MARK.exec(head)?.[0].length ?? 0;
    return this.#words(head);
  }

  #words(text: string): string {
    let out = "";
    for (const character of text) {
      const space = character === " " || character === "\t";
      const wide = unicodeWidth(character) === 2;
      if (space || wide) out += this.#place();
      if (space) this.#spaces += character === "\t" ? "    " : character;
      else this.#word += character;
      if (wide) out += this.#place();
    }
    return out;
  }

  /** Appends the word to the row, or begins the next row with it. */
  #place(): string {
    const word = this.#word;
    if (word === "") return "";
    const spaces = this.#spaces;
    const width = unicodeWidth(word);
    this.#word = this.#spaces = "";
    const fits = this.#column + spaces.length + width <= this.#columns() - 1;
    if (fits || this.#column <= this.#indent) {
      this.#column += spaces.length + width;
      return spaces + word;
    }
    this.#column = this.#indent + width;
    return `\n${" ".repeat(this.#indent)}${word}`;
  }
}
