import { nextSymbol, type Regex } from "../../../regex/mod.ts";
import type { Chunk } from "../../../streams/mod.ts";
import type { GrepSettings } from "./settings.ts";
import { Space, utf8 } from "../../text/mod.ts";
import { isUtf8 } from "./utf8.ts";

const COLON = 58;
const DASH = 45;
/** Width of numbers with `-T` if the file's size is not known: the digits of the largest size. */
const WIDEST = 19;

/** The defaults of GREP_COLORS. */
const START = {
  match: utf8("\x1b[01;31m\x1b[K"),
  name: utf8("\x1b[35m\x1b[K"),
  number: utf8("\x1b[32m\x1b[K"),
  separator: utf8("\x1b[36m\x1b[K"),
} as const;
const STOP = utf8("\x1b[m\x1b[K");

/** Formats grep's output into a buffer. */
export class GrepPrinter {
  /** Output that has not been passed on yet. */
  readonly buffer = new Space(4096);
  /** True if a line was not printed because it is not valid UTF-8. */
  encodingError = false;
  /** True if lines need no check. */
  trusted = false;
  /** True if lines are printed unchanged. */
  readonly plain: boolean;
  readonly #settings: GrepSettings;
  readonly #regex: Regex;
  readonly #checks: boolean;
  readonly #groupSeparator: Chunk | undefined;
  #name: Chunk = new Uint8Array(0);
  #width = WIDEST;
  /**
   * Position at which the search for matches in a line was interrupted (-1: none), and the end of
   * the printed part of the line.
   */
  #next = -1;
  #done = 0;

  /** Creates a printer; `regex` finds the matching parts of lines. */
  constructor(settings: GrepSettings, regex: Regex) {
    this.#settings = settings;
    this.#regex = regex;
    this.#checks = settings.binaryFiles !== "text";
    this.plain = !settings.showName && !settings.showNumber && !settings.showOffset &&
      !settings.tab && !settings.onlyMatching && !settings.color;
    if (settings.groupSeparator !== undefined) this.#groupSeparator = utf8(settings.groupSeparator);
  }

  /** Begins a file; `size` is given for a regular file. */
  begin(name: string, size: number | undefined): void {
    this.#name = utf8(name);
    // GNU grep reserves room for one line more than there are bytes.
    const most = size === undefined ? undefined : size + (this.#settings.showNumber ? 1 : 0);
    this.#width = most === undefined ? WIDEST : String(most).length;
    this.encodingError = false;
  }

  /** Checks a whole block, for blocks whose lines are mostly printed. */
  trust(block: Uint8Array): void {
    if (this.#checks && !this.trusted) this.trusted = isUtf8(block, 0, block.length);
  }

  /** True if lines may be printed: they are UTF-8 or need no check. */
  printable(bytes: Uint8Array, start: number, end: number): boolean {
    return this.trusted || !this.#checks || isUtf8(bytes, start, end);
  }

  /** Prints the separator between two groups of lines, if there is one. */
  groupSeparator(): void {
    if (this.#groupSeparator === undefined) return;
    this.#colored("separator", this.#groupSeparator);
    this.buffer.appendByte(10);
  }

  /** Prints the name of the file on a line of its own (`-l`, `-L`). */
  nameLine(): void {
    this.#colored("name", this.#name);
    this.buffer.appendByte(this.#settings.nullAfterName ? 0 : 10);
  }

  /** Prints the number of selected lines (`-c`). */
  countLine(count: number): void {
    if (this.#settings.showName) this.#nameWith(COLON);
    this.buffer.append(utf8(`${count}\n`));
  }

  /**
   * Prints a line, `bytes[start..end)` including its separator, if any. `number` is its number from
   * 1, `offset` the file offset of its first byte. Returns false if it is not UTF-8 and was not
   * printed.
   *
   * @throws {RegexPause} When it takes long; the same call then continues.
   */
  line(
    bytes: Chunk,
    start: number,
    end: number,
    number: number,
    offset: number,
    selected: boolean,
  ): boolean {
    const { separator, invert, onlyMatching, color } = this.#settings;
    const stop = end > start && bytes[end - 1] === separator ? end - 1 : end;
    const mark = selected ? COLON : DASH;
    if (onlyMatching) {
      // Only matching lines have matching parts: with -v those are the context.
      if (selected !== invert) this.#parts(bytes, start, stop, number, offset, mark);
      return true;
    }
    if (this.#next < 0) {
      if (!this.printable(bytes, start, stop)) return this.#refuse();
      this.#head(number, offset, mark, stop - start);
      this.#done = start;
    }
    if (color && selected !== invert) this.#marked(bytes, start, stop);
    else this.buffer.append(bytes, start, stop);
    this.buffer.appendByte(separator);
    return true;
  }

  #refuse(): boolean {
    this.encodingError = true;
    return false;
  }

  #parts(
    bytes: Chunk,
    start: number,
    stop: number,
    number: number,
    offset: number,
    mark: number,
  ): void {
    this.#eachMatch(bytes, start, stop, (from, to) => {
      if (!this.printable(bytes, from, to)) return void this.#refuse();
      this.#head(number, offset + from - start, mark, to - from);
      this.#colored("match", bytes.subarray(from, to));
      this.buffer.appendByte(this.#settings.separator);
    });
  }

  #marked(bytes: Chunk, start: number, stop: number): void {
    this.#eachMatch(bytes, start, stop, (from, to) => {
      this.buffer.append(bytes, this.#done, from);
      this.#colored("match", bytes.subarray(from, to));
      this.#done = to;
    });
    this.buffer.append(bytes, this.#done, stop);
  }

  /** Finds the matches that are not empty. */
  #eachMatch(
    bytes: Chunk,
    start: number,
    stop: number,
    found: (from: number, to: number) => void,
  ): void {
    let at = this.#next < 0 ? start : this.#next;
    for (;;) {
      this.#next = at;
      const match = this.#regex.find(bytes, start, stop, at);
      if (match === null) break;
      const from = match[0] as number;
      const to = match[1] as number;
      if (to > from) found(from, to);
      if (to >= stop) break;
      at = to > from ? to : nextSymbol(bytes, to, stop);
    }
    this.#next = -1;
  }

  #head(number: number, offset: number, mark: number, length: number): void {
    const { showName, showNumber, showOffset, tab } = this.#settings;
    if (showName) this.#nameWith(mark);
    if (showNumber) this.#number(number, mark);
    if (showOffset) this.#number(offset, mark);
    if (tab && length > 0 && (showName || showNumber || showOffset)) this.buffer.appendByte(9);
  }

  #nameWith(mark: number): void {
    this.#colored("name", this.#name);
    if (this.#settings.nullAfterName) this.buffer.appendByte(0);
    else this.#mark(mark);
  }

  #number(number: number, mark: number): void {
    const { buffer } = this;
    if (this.#settings.color) buffer.append(START.number);
    buffer.appendNumber(number, this.#settings.tab ? this.#width : 0);
    if (this.#settings.color) buffer.append(STOP);
    this.#mark(mark);
  }

  #mark(mark: number): void {
    if (this.#settings.color) this.buffer.append(START.separator);
    this.buffer.appendByte(mark);
    if (this.#settings.color) this.buffer.append(STOP);
  }

  #colored(what: keyof typeof START, bytes: Uint8Array): void {
    if (this.#settings.color) this.buffer.append(START[what]);
    this.buffer.append(bytes);
    if (this.#settings.color) this.buffer.append(STOP);
  }
}
