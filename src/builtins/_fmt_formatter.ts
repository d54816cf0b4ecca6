import { breakLines, FmtWords } from "./_fmt_breaks.ts";
import { LineOutput } from "./_line_output.ts";

/** What `fmt` does. */
export interface FmtSettings {
  /** Whether the first two lines keep their indentation (`-c`). */
  readonly crown: boolean;
  /** The same, but a first line that is indented alike is a paragraph (`-t`). */
  readonly tagged: boolean;
  /** Whether short lines are left as they are (`-s`). */
  readonly split: boolean;
  /** Whether spaces between words are made uniform (`-u`). */
  readonly uniform: boolean;
  /** The widest line, and the width that is aimed at, in columns. */
  readonly width: number;
  readonly goal: number;
  /** What formatted lines begin with; spaces around it count. */
  readonly prefix: Uint8Array;
}

const TAB = 8;
/** The second indentation of a tagged paragraph where none is known. */
const TAGGED_INDENT = 3;
/** Stand for the end of a line and of the file. */
const LF = 10;
const EOF = -1;

function isSpace(byte: number): boolean {
  return byte === 32 || (byte >= 9 && byte <= 13);
}

/**
 * Formats the paragraphs of one file, line by line.
 *
 * Methods that write yield whenever `out` is full, for their caller to take it: an indentation as
 * long as the input makes the output grow with the square of it.
 */
export class FmtFormatter {
  readonly out = new LineOutput();
  readonly #settings: FmtSettings;
  /** The prefix without spaces around it, their number before it, its length with those after. */
  readonly #prefix: Uint8Array;
  readonly #lead: number;
  readonly #fullLength: number;
  readonly #words = new FmtWords();
  /** Whether a tab was seen: then the output has tabs too. */
  #tabs = false;
  #open = false;
  #firstLine = false;
  #prefixIndent = 0;
  #firstIndent = 0;
  #otherIndent = 0;
  /** Of the current line: where its text begins, the columns before it and before the prefix. */
  #at = 0;
  #column = 0;
  #indent = 0;
  #outColumn = 0;
  #lastLength = 0;

  constructor(settings: FmtSettings) {
    this.#settings = settings;
    const { prefix } = settings;
    let start = 0;
    while (prefix[start] === 32) start++;
    let end = prefix.length;
    while (end > start && prefix[end - 1] === 32) end--;
    this.#prefix = prefix.subarray(start, end);
    this.#lead = start;
    this.#fullLength = prefix.length - start;
  }

  /** Takes a line; `terminated` says whether a newline ends it. */
  *add(
    bytes: Uint8Array,
    start: number,
    end: number,
    terminated: boolean,
  ): Generator<void, void, void> {
    this.#readPrefix(bytes, start, end);
    const atEnd = terminated ? LF : EOF;
    const next = this.#at < end ? bytes[this.#at] as number : atEnd;
    const same = next !== LF && next !== EOF && this.#indent === this.#prefixIndent &&
      this.#column >= this.#indent + this.#fullLength;
    if (this.#open) {
      if (this.#goesOn(same)) {
        yield* this.#readWords(bytes, end, atEnd);
        return;
      }
      yield* this.#finish();
    }
    if (
      next === LF || next === EOF || this.#indent < this.#lead ||
      this.#column < this.#indent + this.#fullLength
    ) {
      this.#copy(bytes, end, next);
      if (terminated) this.out.putByte(LF);
      return;
    }
    this.#open = this.#firstLine = true;
    this.#lastLength = 0;
    this.#prefixIndent = this.#indent;
    this.#firstIndent = this.#column;
    this.#words.clear();
    yield* this.#readWords(bytes, end, atEnd);
  }

  /** Ends the file. */
  *end(): Generator<void, void, void> {
    if (!this.#open) return;
    this.#column = 0;
    this.#goesOn(false);
    yield* this.#finish();
  }

  /** Whether the line belongs to the open paragraph, once the second indentation is known. */
  #goesOn(same: boolean): boolean {
    const { split, crown, tagged } = this.#settings;
    const first = this.#firstLine;
    if (first) this.#setOtherIndent(same);
    this.#firstLine = false;
    if (split || !same) return false;
    if (first && crown) return true;
    if (first && tagged) return this.#column !== this.#firstIndent;
    return this.#column === this.#otherIndent;
  }

  #setOtherIndent(same: boolean): void {
    const { split, crown, tagged } = this.#settings;
    if (!split && crown) this.#otherIndent = same ? this.#column : this.#firstIndent;
    else if (!split && tagged) {
      if (same && this.#column !== this.#firstIndent) this.#otherIndent = this.#column;
      else if (this.#otherIndent === this.#firstIndent) {
        this.#otherIndent = this.#firstIndent === 0 ? TAGGED_INDENT : 0;
      }
    } else this.#otherIndent = this.#firstIndent;
  }

  #skipSpace(bytes: Uint8Array, end: number): void {
    for (; this.#at < end; this.#at++) {
      const byte = bytes[this.#at];
      if (byte === 32) this.#column++;
      else if (byte === 9) {
        this.#tabs = true;
        this.#column += TAB - this.#column % TAB;
      } else return;
    }
  }

  #readPrefix(bytes: Uint8Array, start: number, end: number): void {
    this.#at = start;
    this.#column = 0;
    this.#skipSpace(bytes, end);
    if (this.#prefix.length === 0) {
      this.#indent = Math.min(this.#lead, this.#column);
      return;
    }
    this.#indent = this.#column;
    for (const byte of this.#prefix) {
      if (this.#at >= end || bytes[this.#at] !== byte) return;
      this.#column++;
      this.#at++;
    }
    this.#skipSpace(bytes, end);
  }

  *#readWords(bytes: Uint8Array, end: number, atEnd: number): Generator<void, void, void> {
    const words = this.#words;
    while (this.#at < end) {
      let size = 0;
      words.begin();
      do {
        if (words.charsFull) yield* this.#flush();
        words.putByte(bytes[this.#at++] as number);
        size++;
      } while (this.#at < end && !isSpace(bytes[this.#at] as number));
      size = words.finishText();
      this.#column += size;
      const before = this.#column;
      this.#skipSpace(bytes, end);
      const next = this.#at < end ? bytes[this.#at] as number : atEnd;
      words.finishSpace(this.#column - before, next === LF, next === EOF, this.#settings.uniform);
      if (words.full) yield* this.#flush();
      words.push();
    }
  }

  /** A line that is not formatted. */
  #copy(bytes: Uint8Array, end: number, next: number): void {
    const { out } = this;
    this.#outColumn = 0;
    if (this.#column > this.#indent || (next !== LF && next !== EOF)) {
      this.#putSpace(this.#indent);
      for (let i = 0; this.#outColumn !== this.#column && i < this.#prefix.length; i++) {
        out.putByte(this.#prefix[i] as number);
        this.#outColumn++;
      }
      if (next !== EOF && next !== LF) this.#putSpace(this.#column - this.#outColumn);
      if (next === EOF && this.#column >= this.#indent + this.#prefix.length) out.putByte(LF);
    }
    out.put(bytes, this.#at, end);
  }

  *#finish(): Generator<void, void, void> {
    this.#words.endParagraph();
    this.#break();
    yield* this.#putLines(this.#words.count);
    this.#open = false;
  }

  #break(): void {
    const { width, goal } = this.#settings;
    breakLines(this.#words, {
      width,
      goal,
      firstIndent: this.#firstIndent,
      otherIndent: this.#otherIndent,
      lastLength: this.#lastLength,
    });
  }

  /** The paragraph is longer than what is held: puts out what can be. */
  *#flush(): Generator<void, void, void> {
    const words = this.#words;
    this.#setOtherIndent(true);
    if (words.count === 0) {
      this.out.put(words.takeText());
      if (this.out.full) yield;
      return;
    }
    this.#break();
    const split = words.splitPoint();
    yield* this.#putLines(split);
    words.drop(split);
  }

  *#putLines(end: number): Generator<void, void, void> {
    const words = this.#words;
    let indent = this.#firstIndent;
    for (let word = 0; word < end; word = words.nextBreak[word] as number) {
      this.#outColumn = 0;
      this.#putSpace(this.#prefixIndent);
      this.out.put(this.#prefix);
      this.#outColumn += this.#prefix.length;
      this.#putSpace(indent - this.#outColumn);
      const last = (words.nextBreak[word] as number) - 1;
      for (let i = word; i <= last; i++) {
        const from = words.start[i] as number;
        const size = words.size[i] as number;
        this.out.put(words.text, from, from + size);
        this.#outColumn += size;
        if (i < last) this.#putSpace(words.space[i] as number);
      }
      this.#lastLength = this.#outColumn;
      this.out.putByte(LF);
      if (this.out.full) yield;
      indent = this.#otherIndent;
    }
  }

  #putSpace(space: number): void {
    const target = this.#outColumn + space;
    if (this.#tabs) {
      const tabbed = target - target % TAB;
      if (this.#outColumn + 1 < tabbed) {
        while (this.#outColumn < tabbed) {
          this.out.putByte(9);
          this.#outColumn += TAB - this.#outColumn % TAB;
        }
      }
    }
    if (target > this.#outColumn) {
      this.out.fill(32, target - this.#outColumn);
      this.#outColumn = target;
    }
  }
}
