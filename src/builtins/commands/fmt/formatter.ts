import { breakLines, FmtWords } from "./breaks.ts";
import { FmtLineStart } from "./line_start.ts";
import { FmtPrinter } from "./printer.ts";
import type { LineOutput } from "../../text/mod.ts";

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
  /** The prefix of formatted lines; spaces around it are significant. */
  readonly prefix: Uint8Array;
}

/** A piece of a line, in `bytes[start..end)`. */
export interface FmtPiece {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** Whether the line ends with the piece, and whether with a newline. */
  readonly ends: boolean;
  readonly terminated: boolean;
}

/** The second indentation of a tagged paragraph, if it is not known. */
const TAGGED_INDENT = 3;
/** Stand for the end of a line and of the file. */
const LF = 10;
const EOF = -1;

/** 1 for each byte that ends a word. */
const SPACES = Uint8Array.from(
  { length: 256 },
  (_, byte) => byte === 32 || (byte >= 9 && byte <= 13) ? 1 : 0,
);

/** What is left to do of a piece. */
type More = Generator<void, void, void> | undefined;

/** How the current line is processed. */
type Part = "start" | "words" | "copy";

/** Formats the paragraphs of one file, in pieces of lines: no line is held in memory. */
export class FmtFormatter {
  readonly out: LineOutput;
  readonly #settings: FmtSettings;
  readonly #lineStart: FmtLineStart;
  readonly #printer: FmtPrinter;
  readonly #words = new FmtWords();
  #open = false;
  #firstLine = false;
  #prefixIndent = 0;
  #firstIndent = 0;
  #otherIndent = 0;
  /** The current piece, where its unread part begins, and the byte after it. */
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #end = 0;
  #ends = true;
  #lineEnd = LF;
  #part: Part = "start";
  /** Whether a word has been begun, and whether it has any bytes. */
  #inWord = false;
  #hasText = false;
  /** The column where the space after the word began; -1 outside of it. */
  #space = -1;
  /** Whether a word has been read for which there was no room. */
  #wordRead = false;

  /** Formats as the settings say. */
  constructor(settings: FmtSettings) {
    this.#settings = settings;
    this.#lineStart = new FmtLineStart(settings.prefix);
    this.#printer = new FmtPrinter(this.#lineStart.prefix);
    this.out = this.#printer.out;
  }

  /**
   * Processes a piece of a line. A generator that it returns yields for the caller to empty `out`,
   * and must end before the next piece.
   */
  add({ bytes, start, end, ends, terminated }: FmtPiece): More {
    if (this.#ends) {
      this.#part = "start";
      this.#lineStart.reset();
    }
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
    this.#ends = ends;
    this.#lineEnd = terminated ? LF : EOF;
    if (this.#part === "words") return this.#read();
    if (this.#part === "copy") {
      this.#copyRest();
      return undefined;
    }
    this.#at = this.#lineStart.read(bytes, start, end, ends);
    return this.#at < 0 ? undefined : this.#decide();
  }

  /** Ends the file. */
  end(): void {
    if (!this.#open) return;
    this.#lineStart.reset();
    this.#goesOn(false);
    this.#finish();
  }

  /** Whether the line continues the paragraph or ends it. */
  #decide(): More {
    const next = this.#at < this.#end ? this.#bytes[this.#at] as number : this.#lineEnd;
    const { indent, column, fullLength } = this.#lineStart;
    const same = next !== LF && next !== EOF && indent === this.#prefixIndent &&
      column >= indent + fullLength;
    if (!this.#open) return this.#begin(next);
    if (this.#goesOn(same)) return this.#read();
    this.#finish();
    return this.#begin(next);
  }

  /** A line that is copied, or begins a paragraph. */
  #begin(next: number): More {
    const { indent, column, lead, fullLength } = this.#lineStart;
    if (next === LF || next === EOF || indent < lead || column < indent + fullLength) {
      this.#copy(next);
      return undefined;
    }
    this.#open = this.#firstLine = true;
    this.#printer.lastLength = 0;
    this.#prefixIndent = indent;
    this.#firstIndent = column;
    this.#words.clear();
    return this.#read();
  }

  /** Whether the line belongs to the open paragraph, once the second indentation is known. */
  #goesOn(same: boolean): boolean {
    const { split, crown, tagged } = this.#settings;
    const { column } = this.#lineStart;
    const first = this.#firstLine;
    if (first) this.#setOtherIndent(same);
    this.#firstLine = false;
    if (split || !same) return false;
    if (first && crown) return true;
    if (first && tagged) return column !== this.#firstIndent;
    return column === this.#otherIndent;
  }

  #setOtherIndent(same: boolean): void {
    const { split, crown, tagged } = this.#settings;
    const { column } = this.#lineStart;
    if (!split && crown) this.#otherIndent = same ? column : this.#firstIndent;
    else if (!split && tagged) {
      if (same && column !== this.#firstIndent) this.#otherIndent = column;
      else if (this.#otherIndent === this.#firstIndent) {
        this.#otherIndent = this.#firstIndent === 0 ? TAGGED_INDENT : 0;
      }
    } else this.#otherIndent = this.#firstIndent;
  }

  /** Reads the words of the rest of the piece. */
  #read(): More {
    this.#part = "words";
    return this.#readWords() ? undefined : this.#flushAndRead();
  }

  *#flushAndRead(): Generator<void, void, void> {
    do {
      this.#flush();
      yield;
    } while (!this.#readWords());
  }

  /** Reads words while there is room; false if there is no more, and it must be called again. */
  #readWords(): boolean {
    const words = this.#words;
    const line = this.#lineStart;
    const end = this.#end;
    if (this.#wordRead) {
      this.#wordRead = false;
      words.push();
    }
    for (;;) {
      if (this.#space < 0) {
        if (!this.#inWord) {
          if (this.#at === end) return true;
          words.begin();
          this.#inWord = true;
          this.#hasText = false;
        }
        if (!this.#readText()) return false;
        if (this.#at === end && !this.#ends) return true;
        this.#inWord = false;
        line.column += words.finishText();
        this.#space = line.column;
      }
      this.#at = line.skipSpace(this.#bytes, this.#at, end);
      if (this.#at === end && !this.#ends) return true;
      const next = this.#at < end ? this.#bytes[this.#at] as number : this.#lineEnd;
      words.finishSpace(
        line.column - this.#space,
        next === LF,
        next === EOF,
        this.#settings.uniform,
      );
      this.#space = -1;
      if (words.full) {
        this.#wordRead = true;
        return false;
      }
      words.push();
    }
  }

  /** Reads the text of a word, of at least one byte; false if there is no more room. */
  #readText(): boolean {
    const bytes = this.#bytes;
    const start = this.#at;
    const { room } = this.#words;
    const stop = Math.min(this.#end, start + room);
    let at = start;
    if (!this.#hasText && at < stop) at++;
    while (at < stop && SPACES[bytes[at] as number] === 0) at++;
    if (at > start) this.#hasText = true;
    this.#words.put(bytes, start, at);
    this.#at = at;
    return at === this.#end || (this.#hasText && SPACES[bytes[at] as number] === 1);
  }

  /** A line that is not formatted. */
  #copy(next: number): void {
    this.#part = "copy";
    const { indent, column, prefix, tabs } = this.#lineStart;
    const blank = next === LF || next === EOF;
    if (column > 0 && !(blank && column <= indent)) {
      this.#printer.tabs = tabs;
      this.#printer.start(indent, column, !blank);
      if (next === EOF && column >= indent + prefix.length) this.out.putByte(LF);
    }
    this.#copyRest();
  }

  #copyRest(): void {
    this.out.put(this.#bytes, this.#at, this.#end);
    if (this.#ends && this.#lineEnd === LF) this.out.putByte(LF);
  }

  /** The paragraph has no more words. */
  #finish(): void {
    this.#words.endParagraph();
    this.#break();
    this.#open = false;
    this.#print(this.#words.count);
  }

  #break(): void {
    const { width, goal } = this.#settings;
    this.#printer.tabs = this.#lineStart.tabs;
    breakLines(this.#words, {
      width,
      goal,
      firstIndent: this.#firstIndent,
      otherIndent: this.#otherIndent,
      lastLength: this.#printer.lastLength,
    });
  }

  /** The paragraph is longer than what is held: prints the part whose lines are decided. */
  #flush(): void {
    const words = this.#words;
    this.#setOtherIndent(true);
    if (words.count === 0) {
      this.out.put(words.takeText());
      return;
    }
    this.#break();
    const split = words.splitPoint();
    this.#print(split);
    words.drop(split);
  }

  /** Prints the lines of the words before `end`. */
  #print(end: number): void {
    const indents = {
      prefix: this.#prefixIndent,
      first: this.#firstIndent,
      other: this.#otherIndent,
    };
    for (let word = 0; word < end;) word = this.#printer.line(this.#words, word, indents);
  }
}
