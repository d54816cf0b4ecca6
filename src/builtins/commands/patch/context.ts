import { type Hunk, hunkOfSides, type SideLine } from "./hunk.ts";
import { emptySide, type LineRange as Range, type ReadSide as Side } from "./side.ts";
import type { PatchLines, Wrapping } from "./lines.ts";
import { checkRange, NumberScan } from "./number_scan.ts";
import { PatchError } from "./talk.ts";
import { shownLine, untilNul } from "./text.ts";

/**
 * Reads the hunks of a context diff. A side that changes nothing may be left out, and what an
 * editor or a mail made of blank lines is put right, as GNU's does it.
 */
export class ContextHunks {
  /** The style, which may turn out to be the new one. */
  style: "context" | "new-context";
  /** How many lines of context the hunk before began with. */
  before: number | undefined;
  /** How many lines GNU's has room for, with which it looks for the end of a side. */
  room = 125;
  /** The lines of the patch. */
  readonly lines: PatchLines;
  /** Whether white space counts loosely. */
  readonly ignoreSpace: boolean;
  readonly #wrapping: Wrapping;

  /** Reads from where `lines` stands. */
  constructor(
    lines: PatchLines,
    style: "context" | "new-context",
    wrapping: Wrapping,
    ignoreSpace: boolean,
  ) {
    this.lines = lines;
    this.style = style;
    this.#wrapping = wrapping;
    this.ignoreSpace = ignoreSpace;
  }

  /**
   * Reads the next hunk; `undefined` if what follows is none.
   *
   * @throws {PatchError} If it is malformed.
   */
  async next(): Promise<Hunk | undefined> {
    const { lines } = this;
    const { at } = lines;
    const stars = await this.take();
    if (stars === undefined || !/^\*{8}[^]/.test(stars)) {
      lines.seek(at, stars === undefined ? lines.number : lines.number - 1);
      return undefined;
    }
    const [, heading = ""] = /^\*+( [^\n]*)/.exec(stars) ?? [];
    return await new ContextHunk(this, lines.number + 1, untilNul(heading)).read();
  }

  /** The next line of the patch; `undefined` at its end. */
  async take(): Promise<string | undefined> {
    return await this.lines.next(this.#wrapping);
  }
}

/** One hunk while it is read. */
class ContextHunk {
  readonly #reader: ContextHunks;
  readonly #begin: number;
  readonly #heading: string;
  readonly #old: Side = emptySide();
  #new: Side = emptySide();
  #oldRange: Range = { first: 0, size: 0 };
  #begun = false;
  #newRange: Range | undefined;
  #gap = false;
  /** Whether the old side was left out. */
  #oldMissing = false;
  /** Whether the new side may have been left out, so far. */
  #newMayBeMissing = true;
  /** Where the new side begins: index and number of the line. */
  #newPlace: readonly [number, number] = [0, 0];
  /** Lines of context at the old side's end. */
  #oldAfter = 0;
  /** Whether a blank line stood for one of context on the new side. */
  #spacesEaten = false;

  constructor(reader: ContextHunks, begin: number, heading: string) {
    this.#reader = reader;
    this.#begin = begin;
    this.#heading = heading;
  }

  async read(): Promise<Hunk> {
    const whole = await this.#readSides();
    if (this.#newRange === undefined) throw this.#fatal("no '---' found in patch at line");
    return this.#finish(this.#newRange, !whole);
  }

  /** Reads both sides; false if the new one is missing. */
  async #readSides(): Promise<boolean> {
    const { lines } = this.#reader;
    for (let count = 0;; count++) {
      const range = this.#newRange;
      if (range !== undefined && this.#new.lines.all.length === range.size) return true;
      let line = await this.#reader.take();
      if (line === undefined) {
        if (this.#mayStop) return false;
        // Blank lines at the end may have been lost on the way.
        const left = range === undefined
          ? this.#reader.room - count + 1
          : range.size - this.#new.lines.all.length;
        if (left >= 4) throw new PatchError("unexpected end of file in patch");
        line = "  \n";
      }
      if (range === undefined && count === this.#reader.room) {
        const where = `starting at line ${this.#begin}; giving up at line ${lines.number}`;
        throw new PatchError(`unterminated hunk ${where}: ${shownLine(line)}`);
      }
      const first = line[0] ?? "";
      if (first === "*") {
        if (this.#mayStop) return false;
        if (line.startsWith("********")) {
          throw new PatchError(`unexpected end of hunk at line ${lines.number}`);
        }
        if (count > 0) {
          throw new PatchError(`unexpected '***' at line ${lines.number}: ${shownLine(line)}`);
        }
        this.#oldRange = this.#range(line);
        this.#makeRoom(this.#oldRange.size + 6);
        this.#begun = true;
      } else if (first === "-" && line[1] === "-") {
        if (!this.#separator(line)) return false;
      } else if (!await this.#line(line, first)) {
        return false;
      }
    }
  }

  /** Whether what cannot be a part of the new side means that it was left out. */
  get #mayStop(): boolean {
    return this.#newRange !== undefined && this.#newMayBeMissing;
  }

  #makeRoom(lines: number): void {
    while (lines + 1 >= this.#reader.room) this.#reader.room *= 2;
  }

  /** Reads the heading of a side. */
  #range(line: string): Range {
    const { lines } = this.#reader;
    const malformed = (): PatchError =>
      new PatchError(`malformed patch at line ${lines.number}: ${shownLine(line)}`);
    // Some have written an empty range so.
    const scan = new NumberScan(line.replace(/^(\D*)0,0/, "$10"), 0, lines.number);
    scan.skipToNumber();
    const first = scan.number();
    if (!scan.takes(",")) {
      const range = first === 0 ? { first: 1, size: 0 } : { first, size: 1 };
      checkRange(range.first, range.size, malformed);
      return range;
    }
    scan.skipToNumber();
    if (line.startsWith("-") && /^\0?$/.test(scan.rest.slice(0, 1))) throw malformed();
    const size = scan.number() + 1 - first;
    if (size < 0) throw malformed();
    checkRange(first, size, malformed);
    return { first, size };
  }

  /** Takes the line between the sides; false if it shows that the new side is missing. */
  #separator(line: string): boolean {
    const old = this.#old;
    old.before ??= old.context;
    // A second heading takes what it follows for the old side's end.
    this.#oldAfter = this.#newRange === undefined ? old.context : this.#new.context;
    const { number, at } = this.#reader.lines;
    const { size } = this.#oldRange;
    const count = old.lines.all.length;
    if (this.#newRange !== undefined || count !== size || !this.#begun) {
      if (this.#newRange === undefined && count === 0 && !this.#gap && this.#begun) {
        this.#oldMissing = true;
        old.before = undefined;
      } else if (this.#newRange === undefined) {
        const when = count < size || !this.#begun ? "Premature" : "Overdue";
        throw new PatchError(
          `${when} '---' at line ${number}; check line numbers at line ${this.#begin}`,
        );
      } else if (this.#newMayBeMissing) {
        return false;
      } else {
        const where = this.#begin + size + (this.#gap ? 2 : 1);
        throw new PatchError(
          `duplicate '---' at line ${number}; check line numbers at line ${where}`,
        );
      }
    }
    this.#newPlace = [at, number];
    const range = this.#newRange = this.#range(line);
    this.#makeRoom(range.size + size + 1);
    const bare = (this.#reader.before ?? 0) === 0 && old.context === 0 &&
      range.size === 1;
    if (range.size !== old.same && !bare) this.#newMayBeMissing = false;
    return true;
  }

  /** Takes a line of a side; false if it shows that the new side is missing. */
  async #line(line: string, first: string): Promise<boolean> {
    const { lines, ignoreSpace, style } = this.#reader;
    const side = this.#newRange === undefined ? this.#old : this.#new;
    const blank = first === "\n" || first === "\t";
    if (blank) {
      if (this.#mayStop && (!this.#spacesEaten || style === "new-context")) return false;
      if (this.#newRange === undefined && this.#old.lines.all.length === this.#oldRange.size) {
        // It stands between the sides; a second one is too much.
        if (this.#gap) side.lines.add({ mark: " ", text: line });
        this.#gap = true;
        return true;
      }
      this.#spacesEaten ||= this.#newRange !== undefined;
      // As for GNU's, a line that begins with a tab loses its end.
      this.#same(side, await this.#complete(first === "\t" ? line.slice(0, -1) : line, side));
      return true;
    }
    if (!"+-! ".includes(first)) {
      if (this.#mayStop) return false;
      throw new PatchError(`malformed patch at line ${lines.number}: ${shownLine(line)}`);
    }
    if (first === "+" || first === "!") this.#newMayBeMissing = false;
    let text = line.slice(1);
    if (text === "\n" && ignoreSpace) text = first === " " ? "\n" : " \n";
    if (/^[ \t]/.test(text)) text = text.slice(1);
    else if (this.#mayStop) return false;
    text = await this.#complete(text, side);
    if (first === " ") {
      this.#same(side, text);
    } else {
      side.before ??= side.context;
      side.context = 0;
      side.lines.add({ mark: first as "+" | "-" | "!", text });
    }
    return true;
  }

  #same(side: Side, text: string): void {
    side.context++;
    side.same++;
    side.lines.add({ mark: " ", text });
  }

  /** A line less its newline, if it is the last of its side and is said to lack it. */
  async #complete(text: string, side: Side): Promise<string> {
    const range = side === this.#old ? this.#oldRange : this.#newRange;
    const isLast = text.length > 1 && side.lines.all.length + 1 === range?.size;
    return isLast && await this.#reader.lines.takesNote() ? text.slice(0, -1) : text;
  }

  /** Makes the hunk: fills in what was left out. */
  #finish(newRange: Range, newMissing: boolean): Hunk {
    const old = this.#old;
    let { first, size } = this.#oldRange;
    let missing = this.#oldMissing && size > 0;
    if (newMissing) {
      this.#reader.lines.seek(...this.#newPlace);
      this.#new = { ...emptySide(), context: old.context };
      missing = newRange.size > 0;
    } else if (!this.#oldMissing && old.same !== this.#new.same) {
      throw this.#fatal("context mangled in hunk at line");
    } else if (this.#oldMissing && size === 1 && this.#new.same === 0) {
      // One line was expected, but there is none: it is an insertion behind it.
      first++;
      size = 0;
      missing = false;
    }
    const fresh = this.#new;
    const mangled = "replacement text or line numbers mangled in hunk at line";
    const ends = [old.before, fresh.before].filter((each) => each !== undefined);
    const before = ends.length === 0 ? undefined : Math.min(...ends);
    const after = this.#oldMissing ? fresh.context : Math.min(this.#oldAfter, fresh.context);
    if (before === undefined) throw this.#fatal(mangled);
    const isNew = missing || (first > 1 && before + after < old.same);
    if (isNew && this.#reader.style === "context") {
      this.#reader.style = "new-context";
      this.#reader.lines.noteNewStyle();
    }
    this.#reader.before = before;
    let sides: [readonly SideLine[], readonly SideLine[]] = [old.lines.all, fresh.lines.all];
    if (missing) {
      const from = newMissing ? old : fresh;
      const filled = from.lines.all.filter(({ mark }) => mark === " ");
      if (filled.length !== (newMissing ? newRange.size : size)) throw this.#fatal(mangled);
      sides = newMissing ? [sides[0], filled] : [filled, sides[1]];
    }
    return hunkOfSides({
      first,
      newFirst: newRange.first,
      heading: this.#heading,
      context: [before, after],
      begin: this.#begin,
    }, { old: sides[0], new: sides[1], gap: this.#gap });
  }

  #fatal(message: string): PatchError {
    return new PatchError(`${message} ${this.#begin}`);
  }
}
