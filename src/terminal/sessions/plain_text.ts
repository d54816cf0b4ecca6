// deno-lint-ignore-file no-control-regex -- they are what this reads
import { LineCells } from "./line_cells.ts";

/** Whole lines without anything special, which is what most output is. */
const LINES = /(?:[^\x00-\x08\x0a-\x1f\x7f-\x9f]*\r*\n)+/y;
/** Characters that are no control characters, but for the tab. */
const CHARACTERS = /[^\x00-\x08\x0a-\x1f\x7f-\x9f]+/y;
/** A whole control sequence: CSI, a string (OSC, DCS, SOS, PM, APC), or a short one. */
const SEQUENCE = new RegExp(
  [
    "\\x1b\\[([<-?]*)([0-9:;]*)[<-?0-9:;]*([ -/]*)([@-~])",
    "\\x1b([\\]PX^_])[^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)",
    "\\x1b[ -/]+[0-~]",
    "\\x1b([0-OQ-WYZ`-~=>78cDEHM\\\\])",
  ].join("|"),
  "y",
);
/** Cells of a line that are kept; what is longer is given in parts. */
const MOST_CELLS = 32 * 1024;
/** Units of a control sequence; a longer one is none. */
const MOST_SEQUENCE = 64 * 1024;

/** What {@linkcode PlainText} tells of what it reads. */
export interface PlainTextOptions {
  /** The width of the terminal. */
  readonly columns: number;
  /** Is given text that does not change any more; carriage returns stand only before line feeds. */
  readonly emit: (text: string) => void;
  /** Is given answers to questions of the program. */
  readonly reply: (text: string) => void;
}

/**
 * Makes text of what a program writes to a terminal: escape sequences are left out, and what was
 * overwritten or erased in the last line is gone, as from the sight of a person. A program that does
 * more than that, such as one that moves the cursor to other lines, needs a screen.
 */
export class PlainText {
  readonly #line: LineCells;
  readonly #emit: (text: string) => void;
  readonly #reply: (text: string) => void;
  /** The beginning of a control sequence whose end has not come yet. */
  #rest = "";
  /** How much of the line was given already; what was given has not changed since. */
  #given = "";
  /** Whether parts of the line were overwritten. */
  #edited = false;
  /** Whether the program has turned on the application codes of the cursor keys. */
  applicationCursor = false;

  constructor({ columns, emit, reply }: PlainTextOptions) {
    this.#line = new LineCells(columns);
    this.#emit = emit;
    this.#reply = reply;
  }

  /** What there is of the last line that was not given yet; all of it where it has changed. */
  get partial(): string {
    const { text } = this.#line;
    return text.startsWith(this.#given) ? text.slice(this.#given.length) : text;
  }

  /** Whether a control sequence has begun whose end has not come yet. */
  get isWithinSequence(): boolean {
    return this.#rest !== "";
  }

  /** The terminal has another width now. */
  resize(columns: number): void {
    this.#line.resize(columns);
  }

  /** Notes that this much of `partial` was given. */
  give(units: number): void {
    const { text } = this.#line;
    const before = text.startsWith(this.#given) ? this.#given.length : 0;
    this.#given = text.slice(0, before + units);
  }

  /** Begins with a line that was given already. */
  begin(line: string): void {
    this.#line.clear();
    this.#line.put(line);
    this.#given = line;
    this.#edited = true;
  }

  /**
   * Takes output. Gives what is left of it from where a screen is needed, or `undefined` where it
   * needs none.
   */
  write(chunk: string): string | undefined {
    const text = this.#rest + chunk;
    this.#rest = "";
    for (let at = 0; at < text.length;) {
      if (this.#line.length === 0) {
        LINES.lastIndex = at;
        const lines = LINES.exec(text)?.[0];
        if (lines !== undefined) {
          this.#emit(lines);
          this.#given = "";
          at += lines.length;
          continue;
        }
      }
      CHARACTERS.lastIndex = at;
      const characters = CHARACTERS.exec(text)?.[0];
      if (characters !== undefined) {
        this.#put(characters);
        at += characters.length;
        continue;
      }
      if (text[at] !== "\x1b") {
        this.#control(text.charAt(at++));
        continue;
      }
      SEQUENCE.lastIndex = at;
      const sequence = SEQUENCE.exec(text);
      if (sequence !== null) {
        if (!this.#sequence(sequence)) return text.slice(at);
        at += sequence[0].length;
      } else if (text.length - at < MOST_SEQUENCE && mayGoOn(text.slice(at, at + 64))) {
        this.#rest = text.slice(at);
        return undefined;
      } else at++;
    }
    return undefined;
  }

  /** Ends the output: gives what is left of the last line. */
  end(): void {
    this.#emit(this.partial);
    this.#line.clear();
    this.#given = "";
  }

  #put(text: string): void {
    if (this.#line.at < this.#line.length) this.#edited = true;
    for (let at = 0; at < text.length; at += MOST_CELLS) {
      this.#line.put(text.slice(at, at + MOST_CELLS));
      if (this.#line.length >= MOST_CELLS) this.end();
    }
  }

  #control(character: string): void {
    if (character === "\n" || character === "\x0b" || character === "\x0c") this.#endLine();
    else if (character === "\r") this.#line.toRowStart();
    else if (character === "\b") this.#line.move(-1);
  }

  #endLine(): void {
    const { partial } = this;
    // Blanks at its end are what was there before.
    this.#emit(`${this.#edited ? partial.trimEnd() : partial}\n`);
    this.#line.clear();
    this.#given = "";
    this.#edited = false;
  }

  /** Obeys a control sequence; false where that takes a screen. */
  #sequence([, prefix, parameters, middle, final, , short]: RegExpExecArray): boolean {
    if (short !== undefined) return !"DEMc".includes(short);
    if (final === undefined || middle !== "") return true;
    const numbers = (parameters ?? "").split(/[;:]/).map(Number);
    const [first = 0] = numbers;
    if (prefix === "?" && (final === "h" || final === "l")) {
      if (numbers.includes(1)) this.applicationCursor = final === "h";
      return final === "l" ||
        !numbers.some((mode) => mode === 1049 || mode === 1047 || mode === 47);
    }
    if (prefix === ">" && final === "c") this.#reply("\x1b[>0;276;0c");
    if (prefix !== "") return true;
    return this.#edit(final, first);
  }

  #edit(final: string, first: number): boolean {
    const count = Math.max(1, first);
    const line = this.#line;
    switch (final) {
      case "A":
        return line.moveRows(-count);
      case "B":
        return line.moveRows(count);
      case "C":
        return line.move(count), true;
      case "D":
        return line.move(-count), true;
      case "G":
      case "`":
        return line.toColumn(count - 1), true;
      case "J":
        if (first !== 0) return first === 3;
        return this.#edited = true, line.eraseAfter(), true;
      case "K":
        return this.#edited = true, line.eraseRow(first), true;
      case "P":
        return this.#edited = true, line.remove(count), true;
      case "X":
        return this.#edited = true, line.eraseNext(count), true;
      case "@":
        return this.#edited = true, line.insert(count), true;
      case "c":
        return this.#reply("\x1b[?1;2c"), true;
      case "n":
        if (first === 5) this.#reply("\x1b[0n");
        // Where the cursor is, only a screen knows.
        return first !== 6;
      default:
        return !"EFHLMSTdfr".includes(final);
    }
  }
}

/** Whether a control sequence may end with what still comes. */
function mayGoOn(text: string): boolean {
  return /^\x1b(?:$|\[[0-?]*[ -/]*$|[\]PX^_]|[ -/]+$)/.test(text);
}
