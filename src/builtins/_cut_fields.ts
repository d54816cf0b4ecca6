import type { ByteSource, Chunk } from "../streams/mod.ts";
import type { Range } from "./_byte_ranges.ts";
import { LineCursor } from "./_line_cursor.ts";
import { LineReader } from "./_lines.ts";
import { ShortFieldCutter } from "./_cut_short_fields.ts";
import { hasShortLines } from "./_short_lines.ts";
import { Output } from "./_output.ts";

/** What {@linkcode cutFields} prints. */
export interface FieldCut {
  /** The fields, in ascending order. */
  readonly ranges: readonly Range[];
  /** What stands between two fields in the output. */
  readonly between: Chunk;
  /** The byte that stands between two fields in the input. */
  readonly delimiter: number;
  /** The byte that ends a line. */
  readonly separator: number;
  /** Whether lines without a delimiter are left out. */
  readonly suppress: boolean;
}

/** In pieces up to this length a loop is faster than a call of `indexOf` or `set`. */
const SHORT = 32;
/** Lines without a delimiter are passed on as they are from this size on, in bytes. */
const PLAIN = 4096;
/** Input that is cut in one go, in bytes: what comes out of it is kept in one block. */
const SEGMENT = 128 * 1024;

/** Cuts fields out of lines, whole blocks of lines at a time. */
export async function* cutFields(
  source: ByteSource,
  cut: FieldCut,
): AsyncGenerator<Chunk, void, void> {
  const { separator, between, delimiter, suppress } = cut;
  const growth = Math.max(1, between.length);
  const reader = new LineReader(source, separator);
  const cutter = new FieldCutter(cut);
  const short = ShortFieldCutter.of(cut);
  for (let block = await reader.next(); block !== undefined; block = await reader.next()) {
    const fast = hasShortLines(block, separator) ? short : undefined;
    let delimited = -1;
    for (let at = 0; at < block.length;) {
      if (delimited < at) delimited = block.indexOf(delimiter, at);
      if (delimited < 0) delimited = block.length;
      const plain = delimited === block.length
        ? block.length
        : block.lastIndexOf(separator, delimited) + 1;
      if (plain - at >= PLAIN) {
        if (!suppress) {
          yield block.subarray(at, plain);
          if (block[plain - 1] !== separator) yield Uint8Array.of(separator);
        }
        at = plain;
        continue;
      }
      let stop = block.length;
      if (stop - at > SEGMENT / growth) {
        const limit = at + Math.ceil(SEGMENT / growth);
        const last = block.lastIndexOf(separator, limit - 1);
        const next = last < at ? block.indexOf(separator, limit) : last;
        if (next >= at) stop = next + 1;
      }
      const out = fast?.cut(block, at, stop) ?? cutter.cut(block, at, stop, growth);
      if (out.length > 0) yield out;
      at = stop;
    }
  }
}

/** More fields than a line in memory can have. */
const NEVER = 2 ** 31 - 1;

class FieldCutter {
  readonly #cut: FieldCut;
  /** Both ends of each range; the last one ends beyond every field. */
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  #out: Chunk = new Uint8Array(0);

  constructor(cut: FieldCut) {
    this.#cut = cut;
    const field = (value: number): number => Math.min(value, NEVER);
    this.#from = Int32Array.from([...cut.ranges.map(({ from }) => field(from)), NEVER]);
    this.#to = Int32Array.from([...cut.ranges.map(({ to }) => field(to)), NEVER]);
  }

  /** Cuts the lines in `bytes[start..end)`; gives the output, which the next call overwrites. */
  cut(bytes: Chunk, start: number, end: number, growth: number): Chunk {
    const { delimiter, separator, suppress, between } = this.#cut;
    const from = this.#from;
    const to = this.#to;
    const needed = (end - start) * growth + 1;
    if (this.#out.length < needed) this.#out = new Uint8Array(needed);
    const out = this.#out;
    const single = between.length === 1 ? between[0] as number : -1;
    const verbatim = single === delimiter && separator !== 0;
    let put = 0;
    for (let at = start; at < end;) {
      const lineStart = at;
      const linePut = put;
      let field = 1;
      let range = 0;
      let any = false;
      let byte = -1;
      for (;; field++) {
        if (field > (to[range] as number)) range++;
        if (field >= (from[range] as number)) {
          if (any) {
            if (single >= 0) out[put++] = single;
            else for (let i = 0; i < between.length; i++) out[put++] = between[i] as number;
          }
          any = true;
          if (to[range] === NEVER && verbatim) {
            // All that follows is printed as it is.
            const near = Math.min(end, at + SHORT);
            while (at < near) {
              byte = bytes[at++] as number;
              if (byte === separator) break;
              out[put++] = byte;
              if (byte === delimiter) field++;
            }
            if (byte !== separator && at < end) {
              const found = bytes.indexOf(separator, at);
              const stop = found < 0 || found >= end ? end : found;
              out.set(bytes.subarray(at, stop), put);
              put += stop - at;
              if (field === 1) field += bytes.subarray(at, stop).indexOf(delimiter) < 0 ? 0 : 1;
              at = found < 0 ? end : stop + 1;
            }
            byte = separator;
            break;
          }
          while (at < end) {
            byte = bytes[at++] as number;
            if (byte === delimiter || byte === separator) break;
            out[put++] = byte;
            byte = -1;
          }
        } else if (from[range] === NEVER && field > 1) {
          // Nothing more of this line is printed.
          const near = Math.min(end, at + SHORT);
          while (at < near && byte !== separator) byte = bytes[at++] as number;
          if (byte !== separator && at < end) {
            const found = bytes.indexOf(separator, at);
            at = found < 0 ? end : found + 1;
            byte = separator;
          }
          if (byte === delimiter) byte = -1;
        } else {
          while (at < end) {
            byte = bytes[at++] as number;
            if (byte === delimiter || byte === separator) break;
            byte = -1;
          }
        }
        if (byte !== delimiter) break;
        byte = -1;
      }
      if (field === 1) {
        if (suppress) {
          put = linePut;
          continue;
        }
        if (!any) {
          const past = byte === separator ? at - 1 : at;
          for (let i = lineStart; i < past; i++) out[put++] = bytes[i] as number;
        }
      }
      const emptyLast = field === 2 && at === end && bytes[at - 1] === delimiter;
      // GNU's `cut -z` forgets to end a last line whose second and last field is empty.
      if (emptyLast && separator === 0 && suppress === (from[0] === 1)) continue;
      out[put++] = separator;
    }
    return out.subarray(0, put);
  }
}

/**
 * Cuts where the delimiter is the line separator: the fields are the lines, and all input is one
 * line, whose last separator is none.
 */
export async function* cutLines(
  source: ByteSource,
  { ranges, between, separator, suppress }: FieldCut,
): AsyncGenerator<Chunk, void, void> {
  const out = new Output();
  const end = Uint8Array.of(separator);
  const lines = new LineCursor(source, separator);
  let field = 0;
  let range = 0;
  let any = false;
  let delimited = false;
  while (lines.step() || await lines.fill()) {
    field++;
    delimited = lines.terminated;
    while (range < ranges.length && field > (ranges[range]?.to ?? Infinity)) range++;
    const selected = field >= (ranges[range]?.from ?? Infinity);
    if (selected && (field > 1 || delimited || !suppress)) {
      if (any && !out.put(between)) yield* out.spill(between);
      any = true;
      const { bytes } = lines;
      if (!out.put(bytes, lines.start, lines.end)) {
        yield* out.spill(bytes, lines.start, lines.end);
      }
    }
    if (field === 1 && !delimited && !selected && !suppress) {
      yield* out.spill(lines.bytes, lines.start, lines.end);
      any = true;
    }
    if (lines.mayWait && out.length > 0) yield out.take();
  }
  if (field === 0 || (field === 1 && suppress && !delimited)) return;
  if (any || !suppress || field > 1) yield* out.spill(end);
  if (out.length > 0) yield out.take();
}
