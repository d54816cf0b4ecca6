// deno-lint-ignore-file no-control-regex -- this file reads control characters
import { LineCells } from "./line_cells.ts";

/** Whole lines without control characters, which most output is. */
const LINES = /(?:[^\x00-\x08\x0a-\x1f\x7f-\x9f]*\r*\n)+/y;
/** Characters that are not control characters, except for the tab. */
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
/** Most cells of a line to keep; a longer line is given in parts. */
const MOST_CELLS = 32 * 1024;
/** Longest control sequence, in UTF-16 units; a longer one counts as text. */
const MOST_SEQUENCE = 64 * 1024;

/** Options of {@linkcode PlainText}. */
export interface PlainTextOptions {
  /** The width of the terminal. */
  readonly columns: number;
  /** Receives text that no longer changes; carriage returns occur only before line feeds. */
  readonly emit: (text: string) => void;
  /** Receives answers to queries of the program. */
  readonly reply: (text: string) => void;
}

/**
 * Turns the output of a program at a terminal into text: escape sequences are left out, and
 * overwritten or erased parts of the last line are gone, as a person would see it. A program that
 * does more, such as one that moves the cursor to other lines, needs a screen.
 */
export class PlainText {
  readonly #line: LineCells;
  readonly #emit: (text: string) => void;
  readonly #reply: (text: string) => void;
  /** The incomplete control sequence at the end of the output so far. */
  #rest = "";
  /** The part of the line that was already given, as it was then. */
  #given = "";
  /** True if parts of the line were overwritten. */
  #edited = false;
  /** True if the program has turned on the application codes of the cursor keys. */
  applicationCursor = false;

  constructor({ columns, emit, reply }: PlainTextOptions) {
    this.#line = new LineCells(columns);
    this.#emit = emit;
    this.#reply = reply;
  }

  /**
   * The part of the last line that was not given yet; the whole line if the given part has changed.
   */
  get partial(): string {
    const { text } = this.#line;
    return text.startsWith(this.#given) ? text.slice(this.#given.length) : text;
  }

  /** True within a control sequence that is incomplete. */
  get isWithinSequence(): boolean {
    return this.#rest !== "";
  }

  /** Sets the width of the terminal. */
  resize(columns: number): void {
    this.#line.resize(columns);
  }

  /** Notes that `units` of `partial` were given. */
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
   * Takes output. Returns the rest of it from where a screen is needed; `undefined` if none is
   * needed.
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

  /** Ends the output: gives the rest of the last line. */
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
    // Blanks at its end replaced erased text.
    this.#emit(`${this.#edited ? partial.trimEnd() : partial}\n`);
    this.#line.clear();
    this.#given = "";
    this.#edited = false;
  }

  /** Applies a control sequence; false if that needs a screen. */
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
        // Only a screen knows the cursor's position.
        return first !== 6;
      default:
        return !"EFHLMSTdfr".includes(final);
    }
  }
}

/** True if text is the beginning of a control sequence that later output may complete. */
function mayGoOn(text: string): boolean {
  return /^\x1b(?:$|\[[0-?]*[ -/]*$|[\]PX^_]|[ -/]+$)/.test(text);
}
