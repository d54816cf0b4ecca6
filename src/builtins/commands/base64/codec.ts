import type { Chunk } from "../../../streams/mod.ts";
import { Output } from "../../text/mod.ts";

/** The alphabet of RFC 4648, section 4. */
const LETTERS: Uint8Array = new TextEncoder().encode(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
);
const LF = 10;
const PAD = 61;
/** The value of bytes outside of the alphabet. */
const NONE = 255;

/** The value of each letter by its byte. */
const VALUES: Uint8Array = new Uint8Array(256).fill(NONE);
LETTERS.forEach((letter, value) => VALUES[letter] = value);

/** The two letters of each 12 bits, as a 16-bit number. */
const PAIRS: Uint16Array = Uint16Array.from(
  { length: 4096 },
  (_, bits) => ((LETTERS[bits >> 6] as number) << 8) | (LETTERS[bits & 63] as number),
);

/** Encodes a stream. Lines end after `wrap` characters; 0 means a single line. */
export class Base64Encoder {
  /** Encoding cannot fail. */
  readonly failed = false;
  readonly #wrap: number;
  readonly #out = new Output();
  /** Bytes that do not fill a group of three yet. */
  readonly #held = new Uint8Array(3);
  #heldCount = 0;
  #column = 0;

  /** Creates an encoder. */
  constructor(wrap: number) {
    this.#wrap = wrap;
  }

  /** Encodes whole groups of three bytes. */
  *code(chunk: Chunk): Generator<Chunk, void, void> {
    let at = 0;
    const held = this.#held;
    if (this.#heldCount > 0) {
      while (this.#heldCount < 3 && at < chunk.length) held[this.#heldCount++] = chunk[at++] ?? 0;
      if (this.#heldCount < 3) return;
      yield* this.#groups(held, 0, 3);
      this.#heldCount = 0;
    }
    const whole = at + Math.floor((chunk.length - at) / 3) * 3;
    yield* this.#groups(chunk, at, whole);
    for (at = whole; at < chunk.length; at++) held[this.#heldCount++] = chunk[at] ?? 0;
    if (this.#out.length > 0) yield this.#out.take();
  }

  /** Writes the last group with padding, and the last line's end. */
  *end(): Generator<Chunk, void, void> {
    const count = this.#heldCount;
    if (count > 0) {
      this.#held.fill(0, count);
      const group = this.#letters();
      for (let i = 0; i < 4; i++) yield* this.#letter(i <= count ? group[i] ?? PAD : PAD);
    }
    if (this.#wrap > 0 && this.#column > 0) this.#out.putByte(LF);
    if (this.#out.length > 0) yield this.#out.take();
  }

  #letters(): number[] {
    const [a = 0, b = 0, c = 0] = this.#held;
    const all = (a << 16) | (b << 8) | c;
    return [18, 12, 6, 0].map((shift) => LETTERS[(all >> shift) & 63] ?? PAD);
  }

  /**
   * Writes one character, after a newline if the line is full; leaves room for the last newline.
   */
  *#letter(letter: number): Generator<Chunk, void, void> {
    if (this.#out.room < 4) yield this.#out.take();
    if (this.#wrap > 0 && this.#column === this.#wrap) {
      this.#out.putByte(LF);
      this.#column = 0;
    }
    this.#out.putByte(letter);
    this.#column++;
  }

  *#groups(from: Uint8Array, at: number, end: number): Generator<Chunk, void, void> {
    const out = this.#out;
    const wrap = this.#wrap === 0 ? Infinity : this.#wrap;
    const { bytes } = out;
    const input = new DataView(from.buffer, from.byteOffset, from.length);
    const output = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    while (at < end) {
      // With one character in each line, a group takes eight bytes.
      if (out.room < 12) yield out.take();
      let to = out.length;
      const stop = Math.min(end, at + 3 * Math.floor((out.room - 4) / 8));
      let column = this.#column;
      while (at < stop) {
        // Whole groups that fit in the line; each reads four bytes for three.
        const last = Math.min(stop, from.length - 1, at + 3 * Math.floor((wrap - column) / 4));
        for (; at + 3 <= last; at += 3) {
          const all = input.getUint32(at);
          output.setUint32(
            to,
            ((PAIRS[all >>> 20] as number) << 16) | (PAIRS[(all >>> 8) & 4095] as number),
          );
          to += 4;
          column += 4;
        }
        if (at === stop) break;
        const all = (input.getUint16(at) << 8) | input.getUint8(at + 2);
        for (let shift = 18; shift >= 0; shift -= 6) {
          if (column === wrap) {
            bytes[to++] = LF;
            column = 0;
          }
          bytes[to++] = LETTERS[(all >> shift) & 63] as number;
          column++;
        }
        at += 3;
      }
      this.#column = column;
      out.length = to;
    }
  }
}

/**
 * Decodes a stream. Newlines are skipped. Other bytes outside of the alphabet make it fail, or are
 * skipped if `ignoreGarbage` is set. More text may follow a padded group.
 */
export class Base64Decoder {
  /** True if the input is invalid. Bytes decoded before the error are output. */
  failed = false;
  readonly #ignoreGarbage: boolean;
  readonly #out = new Output();
  readonly #group = new Uint8Array(4);
  #count = 0;

  /** Creates a decoder. */
  constructor(ignoreGarbage: boolean) {
    this.#ignoreGarbage = ignoreGarbage;
  }

  /** Decodes whole groups of four letters. */
  *code(chunk: Chunk): Generator<Chunk, void, void> {
    const out = this.#out;
    const group = this.#group;
    for (let at = 0; at < chunk.length && !this.failed;) {
      if (out.room < 4) yield out.take();
      if (this.#count === 0) {
        at = this.#fast(chunk, at);
        if (at >= chunk.length) break;
        if (out.room < 4) continue;
      }
      const byte = chunk[at++] as number;
      if (byte === LF) continue;
      if (this.#ignoreGarbage && byte !== PAD && VALUES[byte] === NONE) continue;
      group[this.#count++] = byte;
      if (this.#count === 4) this.#decode();
    }
    if (out.length > 0) yield out.take();
  }

  /** Decodes an incomplete group at the end, which is invalid. */
  *end(): Generator<Chunk, void, void> {
    if (this.#count > 0) this.#decode();
    if (this.#out.length > 0) yield this.#out.take();
  }

  /** Decodes consecutive groups of four characters; returns the offset where it stopped. */
  #fast(chunk: Chunk, at: number): number {
    const { bytes } = this.#out;
    let to = this.#out.length;
    const end = Math.min(chunk.length - 3, at + 4 * Math.floor(this.#out.room / 3));
    for (; at < end; at += 4) {
      const a = VALUES[chunk[at] as number] as number;
      const b = VALUES[chunk[at + 1] as number] as number;
      const c = VALUES[chunk[at + 2] as number] as number;
      const d = VALUES[chunk[at + 3] as number] as number;
      if ((a | b | c | d) === NONE) break;
      bytes[to] = (a << 2) | (b >> 4);
      bytes[to + 1] = (b << 4) | (c >> 2);
      bytes[to + 2] = (c << 6) | d;
      to += 3;
    }
    this.#out.length = to;
    return at;
  }

  #decode(): void {
    const count = this.#count;
    this.#count = 0;
    const [a, b, c, d] = Array.from(this.#group.subarray(0, count), (byte) => VALUES[byte] ?? NONE);
    const padded = (i: number): boolean => i < count && this.#group[i] === PAD;
    this.failed = true;
    if (a === undefined || b === undefined || a === NONE || b === NONE) return;
    this.#out.putByte(((a << 2) | (b >> 4)) & 255);
    if (c === undefined) return;
    if (padded(2)) {
      this.failed = !padded(3);
      return;
    }
    if (c === NONE) return;
    this.#out.putByte(((b << 4) | (c >> 2)) & 255);
    if (d === undefined) return;
    if (padded(3)) {
      this.failed = false;
      return;
    }
    if (d === NONE) return;
    this.#out.putByte(((c << 6) | d) & 255);
    this.failed = false;
  }
}
