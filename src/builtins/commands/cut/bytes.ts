import type { ByteSource, Chunk } from "../../../streams/mod.ts";
import type { Range } from "./byte_ranges.ts";
import { hasShortLines } from "../../text/mod.ts";

/** The options of {@linkcode cutBytes}. */
export interface ByteCut {
  /** The positions: ascending ranges that do not overlap. */
  readonly ranges: readonly Range[];
  /** The text between two ranges. */
  readonly between: Chunk | undefined;
  /** The byte that ends a line. */
  readonly separator: number;
}

/** Size of the output block, in bytes. */
const BLOCK = 64 * 1024;
/** Up to this length a loop is faster than `indexOf` or `set`. */
const SHORT = 32;

/** Cuts bytes out of lines of any length without holding a line in memory. */
export async function* cutBytes(
  source: ByteSource,
  cut: ByteCut,
): AsyncGenerator<Chunk, void, void> {
  const cutter = new ByteCutter(cut);
  const short = ShortLineCutter.of(cut);
  let column = 0;
  for await (const chunk of source) {
    const fast = short !== undefined && hasShortLines(chunk, cut.separator);
    const step = fast ? BLOCK : cutter.step;
    cutter.begin();
    for (let at = 0; at < chunk.length; at += step) {
      const end = Math.min(chunk.length, at + step);
      const used = fast ? short : cutter;
      used.column = column;
      const out = used.cut(chunk, at, end);
      column = used.column;
      if (out.length > 0) yield out;
    }
  }
  if (column > 0) yield Uint8Array.of(cut.separator);
}

/**
 * Cuts mostly short lines, without branches that depend on the bytes: a processor cannot predict
 * the ends of lines.
 */
class ShortLineCutter {
  /** Bytes of the current line read so far. */
  column = 0;
  /** 1 for each printed column, counted from 0; the last item stands for all further ones. */
  readonly #shown: Uint8Array;
  /** 1 for the separator, 0 for all other bytes. */
  readonly #ends = new Uint8Array(256);
  readonly #out: Chunk = new Uint8Array(BLOCK);

  private constructor(shown: Uint8Array, separator: number) {
    this.#shown = shown;
    this.#ends[separator] = 1;
  }

  /** Creates a cutter; `undefined` if the ranges go too far or there is text between them. */
  static of({ ranges, between, separator }: ByteCut): ShortLineCutter | undefined {
    if (between !== undefined) return undefined;
    const shown = new Uint8Array(256);
    for (const { from, to } of ranges) {
      if (from >= shown.length || (to >= shown.length && to !== Infinity)) return undefined;
      shown.fill(1, from - 1, to);
    }
    return new ShortLineCutter(shown, separator);
  }

  /** Cuts `bytes[start..end)`; returns the output, which the next call overwrites. */
  cut(bytes: Chunk, start: number, end: number): Chunk {
    const out = this.#out;
    const shown = this.#shown;
    const ends = this.#ends;
    const last = shown.length - 1;
    let put = 0;
    // After the last column, only the existence of more bytes matters.
    let column = Math.min(this.column, last);
    for (let at = start; at < end; at++) {
      const byte = bytes[at] as number;
      const ended = ends[byte] as number;
      out[put] = byte;
      put += (shown[column] as number) | ended;
      column = (column + 1 - ((last - column - 1) >>> 31)) & (ended - 1);
    }
    this.column = column;
    return out.subarray(0, put);
  }
}

class ByteCutter {
  /** Bytes of the current line read so far. */
  column = 0;
  /** Number of bytes to cut at once so that their output fits in the block. */
  readonly step: number;
  readonly #between: Chunk;
  readonly #separator: number;
  readonly #from: Float64Array;
  readonly #to: Float64Array;
  readonly #out: Chunk;
  /** True if a range of the current line was printed. */
  #printed = false;
  /** Offset of the chunk's next separator, as far as searched. */
  #found = -1;

  constructor({ ranges, between = new Uint8Array(0), separator }: ByteCut) {
    this.#between = between;
    this.#separator = separator;
    this.#from = Float64Array.from([...ranges.map(({ from }) => from), Infinity]);
    this.#to = Float64Array.from([...ranges.map(({ to }) => to), Infinity]);
    this.step = Math.max(1, Math.floor(BLOCK / (1 + between.length)));
    this.#out = new Uint8Array(this.step * (1 + between.length));
  }

  /** Starts a new chunk. */
  begin(): void {
    this.#found = -1;
  }

  /** Cuts `bytes[start..end)`; returns the output, which the next call overwrites. */
  cut(bytes: Chunk, start: number, end: number): Chunk {
    const out = this.#out;
    const separator = this.#separator;
    const from = this.#from;
    const to = this.#to;
    let put = 0;
    for (let at = start; at < end;) {
      const stop = this.#lineEnd(bytes, at, end);
      const { column } = this;
      const last = column + stop - at;
      let range = 0;
      while ((to[range] as number) <= column) range++;
      for (; (from[range] as number) <= last; range++) {
        const first = Math.max(column, (from[range] as number) - 1);
        if (first === (from[range] as number) - 1) {
          if (this.#printed) {
            const between = this.#between;
            for (let i = 0; i < between.length; i++) out[put++] = between[i] as number;
          }
          this.#printed = true;
        }
        const size = Math.min(last, to[range] as number) - first;
        const here = at + first - column;
        if (size <= SHORT) {
          for (let i = 0; i < size; i++) out[put + i] = bytes[here + i] as number;
        } else out.set(bytes.subarray(here, here + size), put);
        put += size;
        if ((to[range] as number) >= last) break;
      }
      this.column = last;
      at = stop;
      if (at < end) {
        out[put++] = separator;
        this.column = 0;
        this.#printed = false;
        at++;
      }
    }
    return out.subarray(0, put);
  }

  /** End of the line that continues at `at`, at most `end`. */
  #lineEnd(bytes: Chunk, at: number, end: number): number {
    const near = Math.min(end, at + SHORT);
    let stop = at;
    while (stop < near && bytes[stop] !== this.#separator) stop++;
    if (stop < near || near === end) return stop;
    if (this.#found < near) {
      const found = bytes.indexOf(this.#separator, near);
      this.#found = found < 0 ? bytes.length : found;
    }
    return Math.min(end, this.#found);
  }
}
