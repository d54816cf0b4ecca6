import type { Chunk } from "../../../streams/mod.ts";
import { blockSize, TextKernel } from "../../../simd/mod.ts";
import { columnsTable, countNewlines, NOT_PRINTABLE } from "../../text/mod.ts";

/** The counts of one input. */
export interface Counts {
  lines: number;
  words: number;
  chars: number;
  bytes: number;
  /** Width of the widest line, in columns; for several inputs the maximum. */
  columns: number;
}

/** The counts to compute; others may stay 0. */
export type Wanted = Readonly<Record<keyof Counts, boolean>>;

/** Values of {@linkcode KIND}; white space is 0. */
const WORD = 1;
const NEWLINE = 2;
/** Not printable: neither begins nor ends a word. */
const NEUTRAL = 4;
const HIGH = 8;

const KIND: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80) return HIGH;
  if (byte === 10) return NEWLINE;
  if (byte === 32 || (byte >= 9 && byte <= 13)) return 0;
  return byte > 32 && byte < 127 ? WORD : NEUTRAL;
});

/** Bytes that are counted at once. */
const STRETCH = blockSize / 2;
/** Below this size it does not pay to create a kernel. */
const SMALL = 4096;
/** The kernel does not pay if its runs are shorter than this on average. */
const RUN = 48;

/**
 * Counts lines, words, characters and columns as GNU `wc` does in C.UTF-8, in chunks of any size.
 *
 * An invalid byte is neither a character nor part of a word. A non-printable character neither
 * begins nor ends a word and takes no column.
 */
export class WcCounter {
  readonly counts: Counts = { lines: 0, words: 0, chars: 0, bytes: 0, columns: 0 };
  readonly #wanted: Wanted;
  /** 1 within a word. */
  #inWord = 0;
  #column = 0;
  /** Missing bytes of an incomplete character, its bits so far, and its smallest valid value. */
  #need = 0;
  #code = 0;
  #least = 0;

  constructor(wanted: Wanted) {
    this.#wanted = wanted;
  }

  /** Counts a chunk. */
  add(chunk: Chunk): void {
    const { lines, words, chars, columns } = this.#wanted;
    this.counts.bytes += chunk.length;
    if (!words && !columns && !chars) {
      if (lines) this.counts.lines += countNewlines(chunk);
      return;
    }
    const kernel = columns || chunk.length < SMALL ? undefined : TextKernel.shared;
    for (let at = 0; at < chunk.length; at += STRETCH) {
      const end = Math.min(chunk.length, at + STRETCH);
      if (columns) this.#addAny(chunk, at, end);
      else if (kernel === undefined) this.#addMixed(chunk, at, end);
      else this.#addFast(kernel, chunk, at, end);
    }
  }

  /** Ends the input, whose last line may lack its newline. */
  end(): Counts {
    this.counts.columns = Math.max(this.counts.columns, this.#column);
    return this.counts;
  }

  /** Counts runs of text with the kernel, and the bytes between them. Does not count columns. */
  #addFast(kernel: TextKernel, chunk: Chunk, from: number, to: number): void {
    const { counts } = this;
    kernel.load(chunk, from, to);
    kernel.begin();
    let breaks = Math.ceil((to - from) / RUN);
    let i = from;
    for (; i < to && breaks > 0; breaks--) {
      if (this.#need === 0) {
        const stop = from + kernel.countWords(i - from, to - from, this.#inWord === 1);
        counts.chars += stop - i;
        this.#inWord = kernel.inWord ? 1 : 0;
        i = stop;
      }
      i = this.#addOther(chunk, i, to);
    }
    counts.chars -= kernel.inner;
    counts.words += kernel.words;
    counts.lines += kernel.lines;
    if (i < to) this.#addMixed(chunk, i, to);
  }

  /** Counts the byte at `from`, if any, and following bytes that are not ASCII text. */
  #addOther(chunk: Chunk, from: number, to: number): number {
    if (from === to) return to;
    let end = from + 1;
    while (end < to && (KIND[chunk[end] as number] as number) >= NEUTRAL) end++;
    this.#addAny(chunk, from, end);
    return end;
  }

  /** Counts runs of ASCII text, and the bytes between them. Does not count columns. */
  #addMixed(chunk: Chunk, from: number, to: number): void {
    const { counts } = this;
    let i = from;
    while (i < to) {
      if (this.#need === 0) {
        const begin = i;
        let before = this.#inWord;
        let starts = 0;
        let newlines = 0;
        for (; i < to; i++) {
          const kind = KIND[chunk[i] as number] as number;
          if (kind >= NEUTRAL) break;
          starts += kind & ~before & WORD;
          newlines += kind & NEWLINE;
          before = kind;
        }
        this.#inWord = before & WORD;
        counts.words += starts;
        counts.lines += newlines >> 1;
        counts.chars += i - begin;
        if (i === to) return;
      }
      i = this.#addOther(chunk, i, to);
    }
  }

  /** Counts all kinds of bytes, one at a time. */
  #addAny(chunk: Chunk, from: number, to: number): void {
    const columns = columnsTable();
    const { counts } = this;
    for (let i = from; i < to; i++) {
      const byte = chunk[i] as number;
      if (this.#need > 0) {
        if ((byte & 0xc0) === 0x80) {
          this.#code = this.#code * 64 + (byte & 63);
          if (--this.#need === 0) this.#character(columns);
          continue;
        }
        this.#need = 0;
      }
      if (byte >= 0x80) {
        this.#begin(byte);
        continue;
      }
      counts.chars++;
      const kind = KIND[byte] as number;
      if (kind === WORD) {
        counts.words += 1 - this.#inWord;
        this.#inWord = 1;
        this.#column++;
      } else if (kind !== NEUTRAL) {
        this.#inWord = 0;
        this.#space(byte);
      }
    }
  }

  #space(byte: number): void {
    if (byte === 32) this.#column++;
    else if (byte === 9) this.#column += 8 - (this.#column & 7);
    else if (byte !== 11) {
      if (byte === 10) this.counts.lines++;
      this.counts.columns = Math.max(this.counts.columns, this.#column);
      this.#column = 0;
    }
  }

  /** Begins a multi-byte character; glibc reads up to six bytes, more than Unicode needs. */
  #begin(byte: number): void {
    if (byte < 0xc2 || byte > 0xfd) return;
    this.#need = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : byte < 0xf8 ? 3 : byte < 0xfc ? 4 : 5;
    this.#code = byte & (0x3f >> this.#need);
    this.#least = this.#need === 1 ? 0x80 : 2 ** (5 * this.#need + 1);
  }

  #character(columns: Uint8Array): void {
    const code = this.#code;
    if (code < this.#least || (code >= 0xd800 && code <= 0xdfff)) return;
    this.counts.chars++;
    const width = columns[code] ?? NOT_PRINTABLE;
    if (width === NOT_PRINTABLE) return;
    this.#column += width;
    if (isSpace(code)) {
      this.#inWord = 0;
    } else {
      this.counts.words += 1 - this.#inWord;
      this.#inWord = 1;
    }
  }
}

/** Printable white space beyond ASCII: glibc's `iswspace` and the no-break spaces. */
function isSpace(code: number): boolean {
  return code === 0xa0 || code === 0x1680 || (code >= 0x2000 && code <= 0x200a) ||
    code === 0x202f || code === 0x205f || code === 0x2060 || code === 0x3000;
}
