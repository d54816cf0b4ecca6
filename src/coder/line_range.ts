import { randomAccessSource } from "../streams/mod.ts";
import type { VfsFile } from "../vfs/mod.ts";
import { type TextFormat, TextScan } from "./text/mod.ts";

/** Which lines to find. */
export interface LineRange {
  /** The first, from 1. */
  readonly offset: number;
  /** The most lines. */
  readonly lines: number;
  /** Bytes at most. */
  readonly bytes: number;
}

/** The place of a range's lines in a file. */
export interface FoundLines {
  /** The byte where they begin; `undefined` when the file ends before. */
  readonly start: number | undefined;
  /** The byte after them. */
  readonly end: number;
  /** The number of lines. */
  readonly count: number;
  /** The first line has more bytes than may be given: so many, or at least so many. */
  readonly longLine: { readonly bytes: number; readonly more: boolean } | undefined;
  /** Lines of the file; `undefined` where it was not read to its end. */
  readonly total: number | undefined;
  /** The format of the file's text; `undefined` if it is binary. */
  readonly format: TextFormat | undefined;
}

/** Options of {@linkcode findLines}. */
export interface FindLinesOptions {
  /** Read on after the lines, to the end, to count all lines and look at all bytes. */
  readonly toEnd: boolean;
  /** Stops it. */
  readonly signal: AbortSignal;
}

/**
 * Finds the lines of a range in one pass over the file, a block at a time. A file whose lines end
 * in CR alone takes a second pass.
 */
export async function findLines(
  file: VfsFile,
  range: LineRange,
  options: FindLinesOptions,
): Promise<FoundLines> {
  const found = await pass(file, range, options, 10);
  return found.format?.lineEnd === "\r" ? await pass(file, range, options, 13) : found;
}

async function pass(
  file: VfsFile,
  range: LineRange,
  { toEnd, signal }: FindLinesOptions,
  newline: number,
): Promise<FoundLines> {
  const scan = new TextScan();
  const finder = new LineFinder(range);
  let cut = false;
  for await (const chunk of randomAccessSource(file.at)) {
    signal.throwIfAborted();
    scan.push(chunk);
    if (scan.binary) break;
    finder.take(chunk, newline, scan.mark === "UTF-8" ? undefined : scan.mark);
    cut = !toEnd && finder.done;
    if (cut) break;
  }
  return { ...finder.end(cut), format: scan.end({ cut }) };
}

/** Finds a range of lines in bytes that come in blocks. */
class LineFinder {
  readonly #range: LineRange;
  #position = 0;
  #line = 1;
  #lineStart = 0;
  #start: number | undefined;
  #end: number | undefined;
  #count = 0;
  #longLine: FoundLines["longLine"];
  #last = 0;

  constructor(range: LineRange) {
    this.#range = range;
  }

  /** True where no further byte can change the range. */
  get done(): boolean {
    if (this.#end !== undefined) return true;
    const start = this.#start ?? this.#lineStart;
    return this.#line >= this.#range.offset && this.#position - start > this.#range.bytes;
  }

  take(chunk: Uint8Array, newline: number, wide: "UTF-16LE" | "UTF-16BE" | undefined): void {
    if (wide === undefined) {
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) {
        this.#endLine(this.#position + at + 1);
      }
    } else this.#takeUnits(chunk, newline, wide === "UTF-16BE");
    this.#position += chunk.length;
    this.#last = chunk.at(-1) ?? this.#last;
  }

  /** Ends the search and returns the range; `cut` if the file goes on. */
  end(cut: boolean): Omit<FoundLines, "format"> {
    if (cut && this.#end === undefined) this.#endLine(this.#position, true);
    else if (!cut && this.#position > this.#lineStart) this.#endLine(this.#position);
    return {
      start: this.#start,
      end: this.#end ?? this.#position,
      count: this.#count,
      longLine: this.#longLine,
      total: cut ? undefined : this.#line - 1,
    };
  }

  #takeUnits(chunk: Uint8Array, newline: number, bigEndian: boolean): void {
    for (let at = 1 - this.#position % 2; at < chunk.length; at += 2) {
      const byte = chunk[at] ?? 0;
      const before = at === 0 ? this.#last : chunk[at - 1] ?? 0;
      const unit = bigEndian ? before << 8 | byte : byte << 8 | before;
      if (unit === newline) this.#endLine(this.#position + at + 1);
    }
  }

  /** Ends a line at a byte; `open` if the line goes on after it. */
  #endLine(after: number, open = false): void {
    const { offset, lines, bytes } = this.#range;
    if (this.#line >= offset && this.#end === undefined) {
      this.#start ??= this.#lineStart;
      if (after - this.#start <= bytes) {
        if (++this.#count === lines) this.#end = after;
      } else if (this.#count > 0) {
        this.#end = this.#lineStart;
      } else {
        this.#count = 1;
        this.#longLine = { bytes: after - this.#lineStart, more: open };
        this.#end = this.#start + bytes;
      }
    }
    this.#line++;
    this.#lineStart = after;
  }
}
