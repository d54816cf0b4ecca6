import type { Chunk } from "../../../streams/mod.ts";
import type { Output } from "../../text/mod.ts";

const LF = 10;
const CR = 13;
/** `^M` as a number, the lowest byte first. */
const CARET_M = 94 | 77 << 8;
const NOTHING = new DataView(new ArrayBuffer(0));
/**
 * Room that is kept free in the output for the result of eight input bytes, and for the bytes that
 * are written beyond its end.
 */
const RESERVE = 40;

/** The bytes that are shown in another form. */
export interface Shown {
  /** A `$` before each newline. */
  readonly ends: boolean;
  /** Tabs as `^I`. */
  readonly tabs: boolean;
  /** All other non-printable bytes, with `^` and `M-`. */
  readonly nonprinting: boolean;
}

/**
 * Shows bytes as `cat -A` does. Eight are examined at a time, because most are text that is not
 * changed.
 */
export class ByteShower {
  /** The output for each byte: up to four bytes in one number, lowest first, and their number. */
  readonly #table: Int32Array;
  readonly #lengths: Uint8Array;
  /** Mask of the high bits of four bytes, if bytes with that bit are shown in another form. */
  readonly #high: number;
  /** True if `^M` stands for a CR before a newline. */
  readonly #watchCr: boolean;
  #heldCr = false;
  /** The last chunk and output, for access by words. */
  #chunk: Chunk | undefined;
  #from: DataView = NOTHING;
  #to: DataView = NOTHING;

  /** Builds the table. */
  constructor(shown: Shown) {
    const texts = shownBytes(shown);
    this.#table = Int32Array.from(
      texts,
      ([a = 0, b = 0, c = 0, d = 0]) => a | b << 8 | c << 16 | d << 24,
    );
    this.#lengths = Uint8Array.from(texts, (text) => text.length);
    this.#high = shown.nonprinting ? 0x80808080 | 0 : 0;
    this.#watchCr = shown.ends && !shown.nonprinting;
  }

  /** True if a CR at the end of a chunk is held back, because a newline may follow. */
  get heldCr(): boolean {
    return this.#heldCr;
  }

  /**
   * Shows `chunk[from..end)` until the output is nearly full; returns the offset to continue from.
   */
  show(chunk: Chunk, from: number, end: number, out: Output): number {
    if (this.#chunk !== chunk) {
      this.#chunk = chunk;
      this.#from = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    }
    if (this.#to.buffer !== out.bytes.buffer) this.#to = new DataView(out.bytes.buffer);
    const words = this.#from;
    const shown = this.#to;
    const high = this.#high;
    const limit = out.bytes.length - RESERVE;
    let to = this.#heldCr ? this.#afterCr(chunk, from, out) : out.length;
    let at = from;
    for (; at + 8 <= end && to < limit; at += 8) {
      const first = words.getInt32(at, true);
      const second = words.getInt32(at + 4, true);
      // The high bits in `controls` mark bytes below 32, those in `others` bytes above 126.
      const controls = (first - 0x20202020) & ~first | (second - 0x20202020) & ~second;
      const others = first | (first + 0x01010101) | second | (second + 0x01010101);
      if ((controls & 0x80808080 | others & high) === 0) {
        shown.setInt32(to, first, true);
        shown.setInt32(to + 4, second, true);
        to += 8;
      } else {
        to = this.#four(chunk, at, first, to);
        to = this.#four(chunk, at + 4, second, to);
      }
    }
    for (; at < end && to < limit; at++) to = this.#byte(chunk, at, to);
    out.length = to;
    return at;
  }

  /** Shows the four bytes at `at`, whose value is `word`. */
  #four(chunk: Chunk, at: number, word: number, to: number): number {
    const shown = this.#to;
    const table = this.#table;
    const lengths = this.#lengths;
    if (this.#watchCr && hasCr(word)) {
      for (let i = at; i < at + 4; i++) to = this.#byte(chunk, i, to);
      return to;
    }
    const first = word & 255;
    shown.setInt32(to, table[first] as number, true);
    to += lengths[first] as number;
    const second = word >> 8 & 255;
    shown.setInt32(to, table[second] as number, true);
    to += lengths[second] as number;
    const third = word >> 16 & 255;
    shown.setInt32(to, table[third] as number, true);
    to += lengths[third] as number;
    const fourth = word >>> 24;
    shown.setInt32(to, table[fourth] as number, true);
    return to + (lengths[fourth] as number);
  }

  /** Shows one byte at `to`; returns the offset after it. */
  #byte(chunk: Chunk, at: number, to: number): number {
    const byte = chunk[at] as number;
    if (byte === CR && this.#watchCr) {
      if (at + 1 === chunk.length) {
        this.#heldCr = true;
        return to;
      }
      if (chunk[at + 1] === LF) {
        this.#to.setInt16(to, CARET_M, true);
        return to + 2;
      }
    }
    this.#to.setInt32(to, this.#table[byte] as number, true);
    return to + (this.#lengths[byte] as number);
  }

  /** Shows the CR that was held back. */
  #afterCr(chunk: Chunk, at: number, out: Output): number {
    this.#heldCr = false;
    if (chunk[at] === LF) {
      out.putByte(94);
      out.putByte(77);
    } else {
      out.putByte(CR);
    }
    return out.length;
  }
}

/** True if one of the four bytes of a word is a CR. */
function hasCr(word: number): boolean {
  const rest = word ^ (CR * 0x01010101);
  return ((rest - 0x01010101) & ~rest & 0x80808080) !== 0;
}

/** The output for each byte: up to 4 bytes, as in `M-^?`. */
function shownBytes({ ends, nonprinting, tabs }: Shown): readonly (readonly number[])[] {
  return Array.from({ length: 256 }, (_, byte) => {
    if (byte === LF) return ends ? [36, LF] : [LF];
    if (byte === 9) return tabs ? [94, 73] : [9];
    if (!nonprinting) return [byte];
    const low = byte & 127;
    const visible = low < 32 ? [94, low + 64] : low === 127 ? [94, 63] : [low];
    return byte < 128 ? visible : [77, 45, ...visible];
  });
}
