import { type Regex, RegexPause } from "../regex/mod.ts";
import { type Chunk, LimitError } from "../streams/mod.ts";
import { lineEnd, LineNumbers, linesIn, lineStart, noMatch, NulZapper } from "./grep_lines.ts";
import type { GrepSettings } from "./grep_settings.ts";
import type { GrepPrinter } from "./grep_printer.ts";
import { Space } from "./_space.ts";

/** The buffer is passed on when it holds so many bytes. */
const FULL = 64 * 1024;
/** Bytes of a block for each number of its spans: with fewer, whole blocks are looked at. */
const SHARE = 64;
/** Runs of plain lines of at least this size are passed on without a copy. */
const PASS_THROUGH = 16 * 1024;
/** What is kept of the lines before a block, for `-B`, in bytes. */
const MOST_CONTEXT = 16 * 1024 * 1024;

/** Yielded in place of output where something else may be done before the search goes on. */
export const PAUSE: Chunk = new Uint8Array(0);

/** State that goes on from file to file. */
export interface GrepProgress {
  /** Whether a group of lines has been printed, so that the next one needs a separator. */
  used: boolean;
}

/** The search of one file. */
export class FileSearch {
  /** Lines selected so far; without `-c` and `-m` merely whether there are any. */
  selected = 0;
  /** Whether nothing that follows can change the outcome. */
  done = false;
  /** Whether lines were selected where the file had become binary. */
  binaryMatch = false;
  /** Where the last selected line ends, as an offset in the file; kept with `-m` only. */
  selectedTo = 0;
  readonly #settings: GrepSettings;
  readonly #regex: Regex | undefined;
  readonly #printer: GrepPrinter;
  readonly #progress: GrepProgress;
  readonly #stopsAtFirst: boolean;
  readonly #simple: boolean;
  #left: number;
  #binary = false;
  /** Offset in the file of the current block. */
  #base = 0;
  /** Where printing has come to, as an offset in the file; -1 before anything was printed. */
  #printedTo = -1;
  /** Context lines to print yet. */
  #pending = 0;
  /** Where a run of selected lines goes on whose printing has paused; -1 before its first line. */
  #groupAt = -1;
  /** Whether what separates it from the one before is printed. */
  #separated = false;
  /** The last lines before the block that were not printed, for `-B`. */
  readonly #history = new Space();
  /** How many those are. */
  #historyLines = 0;
  readonly #numbers: LineNumbers;
  readonly #separator: number;
  readonly #zapper = new NulZapper();

  /** Makes a search; without `regex` nothing matches. */
  constructor(
    settings: GrepSettings,
    regex: Regex | undefined,
    printer: GrepPrinter,
    progress: GrepProgress,
  ) {
    this.#settings = settings;
    this.#regex = regex;
    this.#printer = printer;
    this.#progress = progress;
    this.#separator = settings.separator;
    this.#numbers = new LineNumbers(settings.separator);
    this.#left = settings.maxCount;
    this.#stopsAtFirst = settings.output !== "lines" && settings.output !== "count";
    this.#simple = printer.plain && settings.before < 0 && settings.after < 0 &&
      settings.maxCount === Infinity;
  }

  /** Whether as many lines were selected as `-m` allows. */
  get exhausted(): boolean {
    return this.#left <= 0;
  }

  /** From here on NULs end lines, and a match is only told, not shown. */
  turnBinary(): void {
    this.#binary = true;
  }

  /**
   * Searches a block of whole lines; yields output when there is much of it, and {@linkcode PAUSE}
   * where that takes long. `ascii` says that the block is known to be ASCII.
   */
  *block(original: Chunk, ascii: boolean): Generator<Chunk, void, void> {
    const { separator } = this.#settings;
    const tail = original.lastIndexOf(separator) + 1;
    if (tail === 0 || tail === original.length) return yield* this.#search(original, ascii);
    // GNU grep looks at a last line without separator by itself.
    yield* this.#search(original.subarray(0, tail), ascii);
    if (!this.done) yield* this.#search(original.subarray(tail), ascii);
  }

  *#search(original: Chunk, ascii: boolean): Generator<Chunk, void, void> {
    let block = this.#binary ? this.#zapper.zap(original) : original;
    for (;;) {
      this.#printer.trusted = ascii;
      const size = yield* this.#part(block);
      this.#base += size;
      if (size === block.length || this.done) return;
      block = block.subarray(size);
      yield PAUSE;
    }
  }

  /** Searches a block as far as that takes no long time; tells how many bytes that was. */
  *#part(block: Chunk): Generator<Chunk, number, void> {
    const { separator, invert, output } = this.#settings;
    if (this.#left <= 0) {
      yield* this.#onlyContext(block);
      return block.length;
    }
    const { spans, length, end } = this.#regex === undefined
      ? noMatch(block.length, invert)
      : this.#regex.matchingLines(block, 0, block.length, separator, invert);
    const part = end === block.length ? block : block.subarray(0, end);
    // One look at the whole block takes less time than one at each of many lines.
    if (output === "lines" && length * SHARE > end) this.#printer.trust(part);
    if (output !== "lines" || this.#binary && length > 0) this.#count(part, spans, length);
    else if (this.#binary) yield* this.#onlyContext(part);
    else if (this.#simple) yield* this.#copy(part, spans, length);
    else yield* this.#print(part, spans, length);
    return end;
  }

  *flush(): Generator<Chunk, void, void> {
    const { buffer } = this.#printer;
    if (buffer.length === 0) return;
    yield buffer.bytes.subarray(buffer.start, buffer.end);
    buffer.clear();
  }

  /** Counts selected lines, without output. */
  #count(block: Chunk, spans: Int32Array, length: number): void {
    const { output, invert, maxCount } = this.#settings;
    const matters = output === "count" || maxCount < Infinity;
    if (length === 0) return;
    let selected = matters ? 0 : 1;
    // Where the first line decides, no more are counted, and so none are taken from what -m allows.
    const onlyFirst = this.#stopsAtFirst || this.#binary && output === "lines";
    if (onlyFirst) {
      selected = 1;
    } else if (matters) {
      if (invert) {
        for (let i = 0; i < length; i += 2) {
          selected += linesIn(block, spans[i] as number, spans[i + 1] as number, this.#separator);
        }
      } else {
        selected = length / 2;
      }
    }
    if (selected >= this.#left) this.selectedTo = this.#endOf(block, spans, this.#left);
    selected = Math.min(selected, this.#left);
    this.selected += selected;
    this.#left -= selected;
    if (this.#binary && output === "lines") {
      this.binaryMatch = this.done = this.#progress.used = true;
    }
    if (this.#stopsAtFirst || this.#left <= 0) this.done = true;
  }

  /** Where the selected line `count`, from 1, of the block ends. */
  #endOf(block: Chunk, spans: Int32Array, count: number): number {
    let i = 0;
    for (; !this.#settings.invert; i += 2) {
      if (--count === 0) return this.#base + (spans[i + 1] as number);
    }
    for (let at = spans[0] as number;; at = spans[i += 2] as number) {
      for (; at < (spans[i + 1] as number); count--) {
        at = lineEnd(block, at, block.length, this.#separator);
        if (count === 1) return this.#base + at;
      }
    }
  }

  /** Puts out selected lines as they are. */
  *#copy(block: Chunk, spans: Int32Array, length: number): Generator<Chunk, void, void> {
    const printer = this.#printer;
    const { buffer } = printer;
    const { separator } = this.#settings;
    if (length > 0) this.selected++;
    for (let i = 0; i < length; i += 2) {
      const start = spans[i] as number;
      // Neighbours go out as one where none of them can be refused.
      while (printer.trusted && i + 2 < length && spans[i + 1] === spans[i + 2]) i += 2;
      const end = spans[i + 1] as number;
      if (!printer.printable(block, start, end)) {
        this.#eachLine(block, start, end, (from, to) => {
          printer.line(block, from, to, 0, 0, true);
        });
      } else if (end - start >= PASS_THROUGH) {
        yield* this.flush();
        yield block.subarray(start, end);
        if (block[end - 1] !== separator) buffer.appendByte(separator);
      } else {
        buffer.append(block, start, end);
        if (block[end - 1] !== separator) buffer.appendByte(separator);
      }
      if (buffer.length >= FULL) yield* this.flush();
    }
  }

  #eachLine(
    block: Chunk,
    start: number,
    end: number,
    found: (from: number, to: number) => void,
  ): void {
    for (let at = start; at < end;) {
      const next = lineEnd(block, at, end, this.#separator);
      found(at, next);
      at = next;
    }
  }

  /** Puts out selected lines with their heads and their context. */
  *#print(block: Chunk, spans: Int32Array, length: number): Generator<Chunk, void, void> {
    for (let i = 0; i < length && this.#left > 0; i += 2) {
      while (!this.#group(block, spans[i] as number, spans[i + 1] as number)) {
        yield* this.flush();
        yield PAUSE;
      }
      if (this.#printer.buffer.length >= FULL) yield* this.flush();
    }
    if (this.#left <= 0 && this.#pending <= 0) this.done = true;
    yield* this.#finishContext(block);
    this.#remember(block);
  }

  /**
   * Prints one run of selected lines; the whole run with `-v`, else one line. False where that
   * takes long: the same call then goes on.
   */
  #group(block: Chunk, start: number, end: number): boolean {
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
    for (let at = this.#groupAt; at < end && this.#left > 0;) {
      const next = lineEnd(block, at, end, this.#separator);
      this.#groupAt = at;
      this.#line(block, at, next, true);
      this.selected++;
      this.#left--;
      this.selectedTo = this.#base + next;
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
      // A line that cannot be printed uses up what is pending, as in GNU grep.
      this.#line(block, at, lineEnd(block, at, block.length, this.#separator), false);
    }
  }

  /** Prints what is left of the context of a line before this block, which has no such line. */
  *#onlyContext(block: Chunk): Generator<Chunk, void, void> {
    yield* this.#finishContext(block);
    if (this.#settings.showNumber) this.#numbers.leave(block);
  }

  *#finishContext(block: Chunk): Generator<Chunk, void, void> {
    for (;;) {
      try {
        this.#trailing(block, block.length);
        break;
      } catch (error) {
        if (!(error instanceof RegexPause)) throw error;
      }
      yield* this.flush();
      yield PAUSE;
    }
    if (this.#left <= 0 && this.#pending <= 0) this.done = true;
    if (this.#printer.buffer.length >= FULL) yield* this.flush();
  }

  /** Prints up to `count` lines before the one at `start`, and the separator of groups. */
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
    // What is known of this block says nothing of those before.
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

  #line(block: Chunk, start: number, end: number, selected: boolean): void {
    const offset = this.#base + start;
    const counts = this.#settings.showNumber;
    const number = counts ? this.#numbers.at(block, start) : 0;
    if (!this.#printer.line(block, start, end, number, offset, selected)) return;
    this.#printedTo = this.#base + end;
    if (counts) this.#numbers.passed(number, end);
  }

  /** Keeps the lines that `-B` may ask for when the block is gone, and counts those in it. */
  #remember(block: Chunk): void {
    const { before, separator, showNumber, output } = this.#settings;
    if (showNumber) this.#numbers.leave(block);
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
    `The lines that grep -B may have to print are longer than ${MOST_CONTEXT} bytes; ` +
      "ask for fewer to go on",
  );
}
