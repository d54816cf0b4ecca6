import { RegexPause } from "../../../regex/mod.ts";
import { type Chunk, LimitError } from "../../../streams/mod.ts";
import { lineEnd, LineNumbers, linesIn, lineStart } from "./lines.ts";
import type { GrepSettings } from "./settings.ts";
import type { GrepPrinter } from "./printer.ts";
import { Space } from "../../text/mod.ts";

/** Maximum number of bytes kept for `-B` of the lines before a block. */
const MOST_CONTEXT = 16 * 1024 * 1024;

/** State that continues across files. */
export interface GrepProgress {
  /** True if a group of lines has been printed, so that the next one needs a separator. */
  used: boolean;
}

/** The number of selected lines of a file. */
export interface Selection {
  /** Without `-c` and `-m` only 0 or not 0 matters. */
  count: number;
  /** Number of lines that `-m` still allows. */
  left: number;
  /** End of the last one, as an offset in the file; only with `-m`. */
  end: number;
}

/** Prints the selected lines of one file with their prefixes and their context. */
export class ContextPrinter {
  readonly #settings: GrepSettings;
  readonly #printer: GrepPrinter;
  readonly #progress: GrepProgress;
  readonly #selection: Selection;
  /** Offset in the file of the current block. */
  #base = 0;
  /** End of the printed part of the file, as an offset; -1 before anything was printed. */
  #printedTo = -1;
  /** Context lines still to print. */
  #pending = 0;
  /** Position to continue an interrupted run of selected lines; -1 before its first line. */
  #groupAt = -1;
  /** True if the separator before the group has been printed. */
  #separated = false;
  /** The last unprinted lines before the block, for `-B`. */
  readonly #history = new Space();
  /** Number of these lines. */
  #historyLines = 0;
  readonly #numbers: LineNumbers;
  readonly #separator: number;

  /** Creates a printer that counts the selected lines in `selection`. */
  constructor(
    settings: GrepSettings,
    printer: GrepPrinter,
    progress: GrepProgress,
    selection: Selection,
  ) {
    this.#settings = settings;
    this.#printer = printer;
    this.#progress = progress;
    this.#selection = selection;
    this.#separator = settings.separator;
    this.#numbers = new LineNumbers(settings.separator);
  }

  /** True if context is still to be printed. */
  get pending(): boolean {
    return this.#pending > 0;
  }

  /** Begins a block at offset `base` in the file. */
  begin(base: number): void {
    this.#base = base;
  }

  /**
   * Prints one run of selected lines: the whole run with `-v`, otherwise one line. Returns false if
   * it was interrupted because it takes long; the same call then continues.
   */
  group(block: Chunk, start: number, end: number): boolean {
    try {
      this.#lines(block, start, end);
    } catch (error) {
      if (error instanceof RegexPause) return false;
      throw error;
    }
    this.#groupAt = -1;
    this.#separated = false;
    return true;
  }

  #lines(block: Chunk, start: number, end: number): void {
    const { before, after } = this.#settings;
    if (this.#groupAt < 0) {
      this.#trailing(block, start);
      const hasContext = before >= 0 || after >= 0;
      if (hasContext) this.#leading(block, start, Math.max(0, before));
      this.#groupAt = start;
    }
    for (let at = this.#groupAt; at < end && this.#selection.left > 0;) {
      const next = lineEnd(block, at, end, this.#separator);
      this.#groupAt = at;
      this.#line(block, at, next, true);
      this.#selection.count++;
      this.#selection.left--;
      this.#selection.end = this.#base + next;
      at = next;
    }
    this.#pending = Math.max(0, after);
    this.#progress.used = true;
  }

  /** Prints context after the last selected line, up to `limit`. */
  #trailing(block: Chunk, limit: number): void {
    if (this.#pending > 0 && this.#printedTo < 0) this.#printedTo = this.#base;
    for (; this.#pending > 0; this.#pending--) {
      const at = Math.max(0, this.#printedTo - this.#base);
      if (at >= limit) return;
      const next = lineEnd(block, at, block.length, this.#separator);
      // As in GNU grep, no further context is printed after a line that cannot be printed.
      if (!this.#line(block, at, next, false)) {
        this.#pending = 0;
        return;
      }
    }
  }

  /** Prints context up to the end of the block. Returns false as {@linkcode group} does. */
  rest(block: Chunk): boolean {
    try {
      this.#trailing(block, block.length);
      return true;
    } catch (error) {
      if (error instanceof RegexPause) return false;
      throw error;
    }
  }

  /** Ends a block without (further) selected lines. */
  pass(block: Chunk): void {
    if (this.#settings.showNumber) this.#numbers.leave(block);
  }

  /** Prints the separator of groups, and up to `count` lines before the one at `start`. */
  #leading(block: Chunk, start: number, count: number): void {
    const { separator } = this.#settings;
    const floor = Math.max(0, this.#printedTo - this.#base);
    let at = start;
    let lines = 0;
    for (; lines < count && at > floor; lines++) {
      at = Math.max(floor, lineStart(block, at, separator));
    }
    const history = this.#history;
    let from = history.end;
    if (at === 0 && lines < count && this.#printedTo <= this.#base - history.length) {
      for (; lines < count && from > history.start; lines++) {
        from = Math.max(history.start, lineStart(history.bytes, from, separator));
      }
    }
    const first = from < history.end ? this.#base - (history.end - from) : this.#base + at;
    const separates = this.#progress.used && first !== this.#printedTo && !this.#separated;
    if (separates) this.#printer.groupSeparator();
    this.#separated = true;
    if (from < history.end) this.#printHistory(from);
    while (at < start) {
      const next = lineEnd(block, at, start, this.#separator);
      this.#line(block, at, next, false);
      at = next;
    }
  }

  #printHistory(from: number): void {
    const history = this.#history;
    // `trusted` refers to the current block only.
    const { trusted } = this.#printer;
    this.#printer.trusted = false;
    let left = linesIn(history.bytes, from, history.end, this.#separator);
    for (let at = from; at < history.end; left--) {
      const next = lineEnd(history.bytes, at, history.end, this.#separator);
      const offset = this.#base - (history.end - at);
      const number = this.#numbers.before - left + 1;
      if (this.#printer.line(history.bytes, at, next, number, offset, false)) {
        this.#printedTo = offset + next - at;
      }
      at = next;
    }
    this.#forget();
    this.#printer.trusted = trusted;
  }

  /** Prints a line; false if it cannot be printed. */
  #line(block: Chunk, start: number, end: number, selected: boolean): boolean {
    const offset = this.#base + start;
    const counts = this.#settings.showNumber;
    const number = counts ? this.#numbers.at(block, start) : 0;
    if (!this.#printer.line(block, start, end, number, offset, selected)) return false;
    this.#printedTo = this.#base + end;
    if (counts) this.#numbers.passed(number, end);
    return true;
  }

  /** Copies the lines that `-B` may need after the block, and counts the lines of the block. */
  leave(block: Chunk): void {
    const { before, separator, output } = this.#settings;
    this.pass(block);
    if (before <= 0 || output !== "lines") return;
    const history = this.#history;
    const floor = Math.max(0, this.#printedTo - this.#base);
    if (floor > 0) this.#forget();
    if (floor >= block.length) return;
    let at = block.length;
    let lines = 0;
    for (; lines < before && at > floor; lines++) {
      at = Math.max(floor, lineStart(block, at, separator));
    }
    if (at > 0) this.#forget();
    if (history.length + block.length - at > MOST_CONTEXT) throw contextTooLong();
    history.append(block, at, block.length);
    this.#historyLines += lines;
    for (; this.#historyLines > before; this.#historyLines--) {
      history.start = lineEnd(history.bytes, history.start, history.end, this.#separator);
    }
  }

  #forget(): void {
    this.#history.clear();
    this.#historyLines = 0;
  }
}

function contextTooLong(): LimitError {
  return new LimitError(
    { name: "grep -B bytes", max: MOST_CONTEXT },
    `The context lines for grep -B are longer than ${MOST_CONTEXT} bytes; ` +
      "use a smaller number",
  );
}
