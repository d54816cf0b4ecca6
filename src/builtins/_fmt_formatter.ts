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

/** Indentations up to this many columns in all make a paragraph's text grow little. */
const WIDE = 256;
/** 1 for each byte that ends a word. */
const SPACES = Uint8Array.from(
  { length: 256 },
  (_, byte) => byte === 32 || (byte >= 9 && byte <= 13) ? 1 : 0,
);

/**
 * Formats the paragraphs of one file, line by line.
 *
 * Generators yield whenever `out` is full, for their caller to take it: an indentation as long as
 * the input makes the output grow with the square of it. Most lines need none.
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
  /** The current line, its end, and what stands there. */
  #bytes: Uint8Array = new Uint8Array(0);
  #end = 0;
  #lineEnd = LF;
  /** Whether a word was begun, whether one was read for which there was no room. */
  #inWord = false;
  #wordRead = false;
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

  /**
   * Takes a line; `terminated` says whether a newline ends it. What it gives, if anything, has to
   * be run to its end before the next line.
   */
  add(
    bytes: Uint8Array,
    start: number,
    end: number,
    terminated: boolean,
  ): Generator<void, void, void> | undefined {
    this.#readPrefix(bytes, start, end);
    this.#bytes = bytes;
    this.#end = end;
    this.#lineEnd = terminated ? LF : EOF;
    const next = this.#at < end ? bytes[this.#at] as number : this.#lineEnd;
    const same = next !== LF && next !== EOF && this.#indent === this.#prefixIndent &&
      this.#column >= this.#indent + this.#fullLength;
    if (!this.#open) return this.#begin(next);
    if (this.#goesOn(same)) return this.#read();
    const indents = this.#prefixIndent + this.#firstIndent + this.#otherIndent;
    if (indents > WIDE) return this.#finishAndBegin(next);
    this.#complete();
    for (let word = 0; word < this.#words.count;) word = this.#putLine(word);
    return this.#begin(next);
  }

  /** Ends the file. */
  *end(): Generator<void, void, void> {
    if (!this.#open) return;
    this.#column = 0;
    this.#goesOn(false);
    yield* this.#finish();
  }

  /** A line that is copied, or begins a paragraph. */
  #begin(next: number): Generator<void, void, void> | undefined {
    if (
      next === LF || next === EOF || this.#indent < this.#lead ||
      this.#column < this.#indent + this.#fullLength
    ) {
      this.#copy(next);
      if (this.#lineEnd === LF) this.out.putByte(LF);
      return undefined;
    }
    this.#open = this.#firstLine = true;
    this.#lastLength = 0;
    this.#prefixIndent = this.#indent;
    this.#firstIndent = this.#column;
    this.#words.clear();
    return this.#read();
  }

  *#finishAndBegin(next: number): Generator<void, void, void> {
    yield* this.#finish();
    const rest = this.#begin(next);
    if (rest !== undefined) yield* rest;
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
    let at = this.#at;
    let column = this.#column;
    for (; at < end; at++) {
      const byte = bytes[at];
      if (byte === 32) column++;
      else if (byte === 9) {
        this.#tabs = true;
        column += TAB - column % TAB;
      } else break;
    }
    this.#at = at;
    this.#column = column;
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

  /** Reads the words of the rest of the line. */
  #read(): Generator<void, void, void> | undefined {
    return this.#readWords() ? undefined : this.#flushAndRead();
  }

  *#flushAndRead(): Generator<void, void, void> {
    do yield* this.#flush(); while (!this.#readWords());
  }

  /** Reads words as long as there is room; false if there is none, to be called again then. */
  #readWords(): boolean {
    const words = this.#words;
    const bytes = this.#bytes;
    const end = this.#end;
    while (this.#wordRead || this.#at < end) {
      if (!this.#wordRead) {
        if (!this.#inWord) words.begin();
        this.#inWord = true;
        if (!this.#readText()) return false;
        this.#inWord = false;
        this.#column += words.finishText();
        const before = this.#column;
        this.#skipSpace(bytes, end);
        const next = this.#at < end ? bytes[this.#at] as number : this.#lineEnd;
        words.finishSpace(
          this.#column - before,
          next === LF,
          next === EOF,
          this.#settings.uniform,
        );
        this.#wordRead = words.full;
        if (this.#wordRead) return false;
      }
      this.#wordRead = false;
      words.push();
    }
    return true;
  }

  /** Reads the text of a word, of at least one byte; false if there is no more room. */
  #readText(): boolean {
    const bytes = this.#bytes;
    const start = this.#at;
    const { room } = this.#words;
    const stop = Math.min(this.#end, start + room);
    let at = start;
    if (at < stop) at++;
    while (at < stop && SPACES[bytes[at] as number] === 0) at++;
    this.#words.put(bytes, start, at);
    this.#at = at;
    return at < stop || at === this.#end || (at > start && SPACES[bytes[at] as number] === 1);
  }

  /** A line that is not formatted. */
  #copy(next: number): void {
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
    out.put(this.#bytes, this.#at, this.#end);
  }

  *#finish(): Generator<void, void, void> {
    this.#complete();
    yield* this.#putAll(this.#words.count);
  }

  /** The paragraph has no more words. */
  #complete(): void {
    this.#words.endParagraph();
    this.#break();
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
    yield* this.#putAll(split);
    words.drop(split);
  }

  *#putAll(end: number): Generator<void, void, void> {
    for (let word = 0; word < end;) {
      word = this.#putLine(word);
      if (this.out.full) yield;
    }
  }

  /** Puts out the line that begins with the word; gives the first word of the next one. */
  #putLine(word: number): number {
    const words = this.#words;
    const { out } = this;
    const next = words.nextBreak[word] as number;
    this.#outColumn = 0;
    this.#putSpace(this.#prefixIndent);
    out.put(this.#prefix);
    this.#outColumn += this.#prefix.length;
    this.#putSpace((word === 0 ? this.#firstIndent : this.#otherIndent) - this.#outColumn);
    for (let i = word; i < next; i++) {
      const from = words.start[i] as number;
      const size = words.size[i] as number;
      out.put(words.text, from, from + size);
      this.#outColumn += size;
      if (i + 1 < next) this.#putSpace(words.space[i] as number);
    }
    this.#lastLength = this.#outColumn;
    out.putByte(LF);
    return next;
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
