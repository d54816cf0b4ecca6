import type { ByteSource, Chunk } from "../streams/mod.ts";
import type { Range } from "./_byte_ranges.ts";

/** What {@linkcode cutBytes} prints. */
export interface ByteCut {
  /** The positions, in ascending order, apart from each other. */
  readonly ranges: readonly Range[];
  /** What stands between two ranges. */
  readonly between: Chunk | undefined;
  /** The byte that ends a line. */
  readonly separator: number;
}

/** Size of the output block, in bytes. */
const BLOCK = 64 * 1024;
/** Beyond every position: lines are not held in memory, but no longer than this one. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** Cuts bytes out of lines of any length: no line is held in memory. */
export async function* cutBytes(
  source: ByteSource,
  cut: ByteCut,
): AsyncGenerator<Chunk, void, void> {
  const cutter = new ByteCutter(cut);
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; at += cutter.step) {
      const out = cutter.cut(chunk, at, Math.min(chunk.length, at + cutter.step));
      if (out.length > 0) yield out;
    }
  }
  if (cutter.column > 0) yield Uint8Array.of(cut.separator);
}

class ByteCutter {
  /** How many bytes of the current line went by. */
  column = 0;
  /** How many bytes may be cut at once: what comes of them fits into the block. */
  readonly step: number;
  readonly #between: Chunk;
  readonly #separator: number;
  readonly #from: Float64Array;
  readonly #to: Float64Array;
  readonly #out: Chunk;
  /** The range that is next, and whether one was printed before it. */
  #range = 0;
  #printed = false;

  constructor({ ranges, between = new Uint8Array(0), separator }: ByteCut) {
    this.#between = between;
    this.#separator = separator;
    this.#from = Float64Array.from([...ranges.map(({ from }) => Math.min(from, NEVER)), NEVER]);
    this.#to = Float64Array.from([...ranges.map(({ to }) => Math.min(to, NEVER)), NEVER]);
    this.step = Math.max(1, Math.floor(BLOCK / (1 + between.length)));
    this.#out = new Uint8Array(this.step * (1 + between.length));
  }

  /** Cuts `bytes[start..end)`; gives the output, which the next call overwrites. */
  cut(bytes: Chunk, start: number, end: number): Chunk {
    const out = this.#out;
    const separator = this.#separator;
    const from = this.#from;
    const to = this.#to;
    let put = 0;
    let { column } = this;
    let range = this.#range;
    for (let at = start; at < end;) {
      const low = from[range] as number;
      let byte = -1;
      if (column + 1 < low) {
        // What is not printed ends at the range, or with the line.
        const stop = Math.min(end, at + low - 1 - column);
        const before = at;
        const near = Math.min(stop, at + 32);
        while (at < near && byte !== separator) byte = bytes[at++] as number;
        if (byte !== separator && at < stop) {
          const found = bytes.subarray(at, stop).indexOf(separator);
          at = found < 0 ? stop : at + found + 1;
          if (found >= 0) byte = separator;
        }
        column += at - before;
      } else {
        if (column + 1 === low) {
          const between = this.#between;
          if (this.#printed && bytes[at] !== separator) {
            for (let i = 0; i < between.length; i++) out[put++] = between[i] as number;
          }
          this.#printed = true;
        }
        const stop = Math.min(end, at + (to[range] as number) - column);
        const before = at;
        while (at < stop) {
          byte = bytes[at++] as number;
          if (byte === separator) break;
          out[put++] = byte;
        }
        column += at - before;
        if (column === to[range]) range++;
      }
      if (byte === separator) {
        out[put++] = separator;
        column = 0;
        range = 0;
        this.#printed = false;
      }
    }
    this.column = column;
    this.#range = range;
    return out.subarray(0, put);
  }
}
