import { breakLines, FmtWords } from "./breaks.ts";
import { FmtLineStart } from "./line_start.ts";
import { FmtPrinter } from "./printer.ts";
import type { LineOutput } from "../../text/mod.ts";

/** Settings of `fmt`. */
export interface FmtSettings {
  /** True to keep the indentation of the first two lines (`-c`). */
  readonly crown: boolean;
  /** Like `crown`, but a first line that is indented like the second is a paragraph (`-t`). */
  readonly tagged: boolean;
  /** True to leave short lines as they are (`-s`). */
  readonly split: boolean;
  /** True to make the spaces between words uniform (`-u`). */
  readonly uniform: boolean;
  /** Greatest and preferred length of a line, in columns. */
  readonly width: number;
  readonly goal: number;
  /** Prefix of lines to format; spaces around it are significant. */
  readonly prefix: Uint8Array;
}

/** A piece of a line, in `bytes[start..end)`. */
export interface FmtPiece {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** True if the line ends with the piece; `terminated` if it ends with a newline. */
  readonly ends: boolean;
  readonly terminated: boolean;
}

/** Indentation of a tagged paragraph's further lines, if it is not known. */
const TAGGED_INDENT = 3;
/** Stand for the byte after a line: a newline, or the end of the file. */
const LF = 10;
const EOF = -1;

/** 1 for each byte that ends a word. */
const SPACES = Uint8Array.from(
  { length: 256 },
  (_, byte) => byte === 32 || (byte >= 9 && byte <= 13) ? 1 : 0,
);

/** The rest of the work on a piece. */
type More = Generator<void, void, void> | undefined;

/** State of the current line. */
type Part = "start" | "words" | "copy";

/** Formats the paragraphs of one file, from pieces of lines; holds no line in memory. */
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
  /**
   * The current piece, the start of its unread part, whether it ends the line, and the byte after
   * that.
   */
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #end = 0;
  #ends = true;
  #lineEnd = LF;
  #part: Part = "start";
  /** True inside a word, and once that has any bytes. */
  #inWord = false;
  #hasText = false;
  /** The column where the space after the word began; -1 outside of it. */
  #space = -1;
  /** True if a complete word waits until there is room for it. */
  #wordRead = false;

  /** Creates a formatter. */
  constructor(settings: FmtSettings) {
    this.#settings = settings;
    this.#lineStart = new FmtLineStart(settings.prefix);
    this.#printer = new FmtPrinter(this.#lineStart.prefix);
    this.out = this.#printer.out;
  }

  /**
   * Processes a piece of a line. If a generator is returned, the caller must empty `out` each time
   * it yields, and run it to its end before the next piece.
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

  /** Decides whether the line continues the paragraph or ends it. */
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

  /** Copies the line, or begins a paragraph with it. */
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

  /**
   * True if the line belongs to the open paragraph. After the first line, also sets the other
   * indentation.
   */
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

  /**
   * Reads words while there is room. Returns false if there is no more; then it must be called
   * again.
   */
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

  /** Reads the text of a word, at least one byte; returns false if there is no more room. */
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

  /** Copies a line that is not formatted. */
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

  /** Ends the paragraph. */
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

  /** Prints the part of a long paragraph whose lines are decided, to make room. */
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
