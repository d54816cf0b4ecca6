import type { FieldCut } from "./field_cut.ts";
import type { ByteSource, Chunk } from "../../../streams/mod.ts";
import { FieldPieces } from "./field_pieces.ts";
import { ShortFieldCutter } from "./short_fields.ts";
import { Storage } from "../../hold/mod.ts";
import { hasShortLines, LineBlocks } from "../../text/mod.ts";
import type { BuiltinIo } from "../../builtin.ts";

/** Up to this length a loop is faster than `indexOf` or `set`. */
const SHORT = 32;
/** From this size on, in bytes, lines without a delimiter are passed on unchanged. */
const PLAIN = 4096;
/** Bytes of input cut at once; their output is collected in one block. */
const SEGMENT = 128 * 1024;

/** Room for that output, in bytes; a line that needs more is cut in pieces. */
const ROOM = 1024 * 1024;

/** Cuts fields out of lines: whole blocks of lines at a time, long lines in pieces. */
export async function* cutFields(
  source: ByteSource,
  cut: FieldCut,
  io: BuiltinIo,
): AsyncGenerator<Chunk, void, void> {
  const blocks = new LineBlocks(source, cut.separator);
  const cutter = new BlockCutter(cut, new FieldPieces(cut, new Storage(io)));
  for (let block = await blocks.next(); block !== undefined; block = await blocks.next()) {
    yield* blocks.piece ? cutter.cutPiece(block, blocks.ends) : cutter.cut(block);
  }
}

/** Cuts blocks of whole lines, and pieces. */
class BlockCutter {
  readonly #cut: FieldCut;
  readonly #growth: number;
  readonly #cutter: FieldCutter;
  readonly #short: ShortFieldCutter | undefined;
  readonly #pieces: FieldPieces;

  constructor(cut: FieldCut, pieces: FieldPieces) {
    this.#cut = cut;
    this.#growth = Math.max(1, cut.between.length);
    this.#cutter = new FieldCutter(cut);
    this.#short = ShortFieldCutter.of(cut);
    this.#pieces = pieces;
  }

  /** Cuts a piece of a line; the last piece includes the separator, if the line has one. */
  async *cutPiece(piece: Chunk, ends: boolean): AsyncGenerator<Chunk, void, void> {
    const terminated = piece.length > 0 && piece[piece.length - 1] === this.#cut.separator;
    yield* this.#pieces.add(terminated ? piece.subarray(0, -1) : piece);
    if (ends) yield* this.#pieces.end(terminated);
    yield* this.#pieces.flush();
  }

  async *cut(block: Chunk): AsyncGenerator<Chunk, void, void> {
    const { separator, delimiter, suppress } = this.#cut;
    const growth = this.#growth;
    const fast = hasShortLines(block, separator) ? this.#short : undefined;
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
      if ((stop - at) * growth > ROOM) {
        yield* this.cutPiece(block.subarray(at, stop), true);
      } else {
        const out = fast?.cut(block, at, stop) ?? this.#cutter.cut(block, at, stop, growth);
        if (out.length > 0) yield out;
      }
      at = stop;
    }
  }
}

/** More fields than a line in memory can have. */
const NEVER = 2 ** 31 - 1;

class FieldCutter {
  readonly #cut: FieldCut;
  /** Ends of each range; the last one is after every field. */
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  #out: Chunk = new Uint8Array(0);

  constructor(cut: FieldCut) {
    this.#cut = cut;
    const field = (value: number): number => Math.min(value, NEVER);
    this.#from = Int32Array.from([...cut.ranges.map(({ from }) => field(from)), NEVER]);
    this.#to = Int32Array.from([...cut.ranges.map(({ to }) => field(to)), NEVER]);
  }

  /** Cuts the lines in `bytes[start..end)`; returns the output, which the next call overwrites. */
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
            // The rest of the line is printed unchanged.
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
      // GNU `cut -z` does not terminate a last line with two fields, the second of them empty.
      if (emptyLast && separator === 0 && suppress === (from[0] === 1)) continue;
      out[put++] = separator;
    }
    return out.subarray(0, put);
  }
}
