import type { Regex } from "../../../regex/mod.ts";
import type { Chunk } from "../../../streams/mod.ts";
import { ContextPrinter, type GrepProgress, type Selection } from "./context.ts";
import { lineEnd, linesIn, noMatch, NulZapper } from "./lines.ts";
import type { GrepSettings } from "./settings.ts";
import type { GrepPrinter } from "./printer.ts";

/** The output buffer is passed on at this many bytes. */
const FULL = 64 * 1024;
/** With fewer bytes than this for each number in the list of spans, the whole block is checked. */
const SHARE = 64;
/** Runs of plain lines of at least this size are passed on without a copy. */
const PASS_THROUGH = 16 * 1024;

/** Yielded instead of output to let the event loop turn before the search continues. */
export const PAUSE: Chunk = new Uint8Array(0);

/** The search of one file. */
export class FileSearch {
  /** True if the rest of the input cannot change the result. */
  done = false;
  /** True if lines were selected after the file had proved to be binary. */
  binaryMatch = false;
  /** The lines selected so far. */
  readonly selection: Selection;
  readonly #settings: GrepSettings;
  readonly #regex: Regex | undefined;
  readonly #printer: GrepPrinter;
  readonly #progress: GrepProgress;
  readonly #stopsAtFirst: boolean;
  readonly #simple: boolean;
  #binary = false;
  /** Offset in the file of the current block. */
  #base = 0;
  readonly #context: ContextPrinter;
  readonly #separator: number;
  readonly #zapper = new NulZapper();

  /** Creates a search. Without `regex` nothing matches. */
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
    this.selection = { count: 0, left: settings.maxCount, end: 0 };
    this.#context = new ContextPrinter(settings, printer, progress, this.selection);
    this.#stopsAtFirst = settings.output !== "lines" && settings.output !== "count";
    this.#simple = printer.plain && settings.before < 0 && settings.after < 0 &&
      settings.maxCount === Infinity;
  }

  /** True if the limit of `-m` is reached. */
  get exhausted(): boolean {
    return this.selection.left <= 0;
  }

  /** From now on NULs end lines, and matches are reported but not printed. */
  turnBinary(): void {
    this.#binary = true;
  }

  /**
   * Searches a block of whole lines. Yields output when there is enough, and {@linkcode PAUSE}
   * during long searches. `ascii` is true if the block is known to be ASCII.
   */
  *block(original: Chunk, ascii: boolean): Generator<Chunk, void, void> {
    const { separator } = this.#settings;
    const tail = original.lastIndexOf(separator) + 1;
    if (tail === 0 || tail === original.length) return yield* this.#search(original, ascii);
    // GNU grep searches a last line without separator separately.
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

  /** Searches a part of a block that does not take long; returns its size in bytes. */
  *#part(block: Chunk): Generator<Chunk, number, void> {
    const { separator, invert, output } = this.#settings;
    this.#context.begin(this.#base);
    if (this.exhausted) {
      yield* this.#onlyContext(block);
      return block.length;
    }
    const { spans, length, end } = this.#regex === undefined
      ? noMatch(block.length, invert)
      : this.#regex.matchingLines(block, 0, block.length, separator, invert);
    const part = end === block.length ? block : block.subarray(0, end);
    // With many lines, one check of the whole block is faster.
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
    // If the first selected line decides the result, only that is counted, and the limit of -m
    // stays.
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
    const { selection } = this;
    if (selected >= selection.left) selection.end = this.#endOf(block, spans, selection.left);
    selected = Math.min(selected, selection.left);
    selection.count += selected;
    // In this case GNU grep leaves nothing of standard input for the next file.
    if (!this.#stopsAtFirst) selection.left -= selected;
    if (this.#binary && output === "lines") {
      this.binaryMatch = this.done = this.#progress.used = true;
    }
    if (this.#stopsAtFirst || this.exhausted) this.done = true;
  }

  /** End of the selected line number `count`, from 1, in the block. */
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

  /** Prints selected lines unchanged. */
  *#copy(block: Chunk, spans: Int32Array, length: number): Generator<Chunk, void, void> {
    const printer = this.#printer;
    const { buffer } = printer;
    const { separator } = this.#settings;
    if (length > 0) this.selection.count++;
    for (let i = 0; i < length; i += 2) {
      const start = spans[i] as number;
      // Adjacent lines are printed together if all of them can be printed.
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

  /** Prints selected lines with their prefixes and their context. */
  *#print(block: Chunk, spans: Int32Array, length: number): Generator<Chunk, void, void> {
    const context = this.#context;
    for (let i = 0; i < length && !this.exhausted; i += 2) {
      while (!context.group(block, spans[i] as number, spans[i + 1] as number)) {
        yield* this.flush();
        yield PAUSE;
      }
      if (this.#printer.buffer.length >= FULL) yield* this.flush();
    }
    if (this.exhausted && !context.pending) this.done = true;
    yield* this.#finishContext(block);
    context.leave(block);
  }

  /**
   * Prints the rest of the context after a line of an earlier block; this block has no selected
   * line.
   */
  *#onlyContext(block: Chunk): Generator<Chunk, void, void> {
    yield* this.#finishContext(block);
    this.#context.pass(block);
  }

  *#finishContext(block: Chunk): Generator<Chunk, void, void> {
    const context = this.#context;
    while (!context.rest(block)) {
      yield* this.flush();
      yield PAUSE;
    }
    if (this.exhausted && !context.pending) this.done = true;
    if (this.#printer.buffer.length >= FULL) yield* this.flush();
  }
}
