import type { Chunk } from "../../../streams/mod.ts";
import { Output, utf8 } from "../../text/mod.ts";
import type { XxdSettings } from "./options.ts";

type Pieces = Generator<Chunk, void, void>;

/** How each byte is shown as a character. */
const CHARACTERS = Uint8Array.from(
  { length: 256 },
  (_, byte) => byte >= 32 && byte < 127 ? byte : 46,
);
const HEX = utf8("0123456789abcdef");
/** The longest address: 64 bits in decimal. */
const ADDRESS = 20;

/** `xxd`'s lines of an offset, groups of digits and the characters. */
export class LineDumper {
  readonly #settings: XxdSettings;
  readonly #out = new Output();
  /** A line that is not full yet. */
  readonly #line: Chunk;
  #held = 0;
  /** How many digits a byte has, and the digits of all. */
  readonly #width: number;
  readonly #digits: Uint8Array;
  /** Where the digits of each byte of a line stand, after the address. */
  readonly #places: Int32Array;
  /** Columns from the address to the characters. */
  readonly #middle: number;
  /** Room that a line takes at the most. */
  readonly #room: number;
  /** What the first byte's address is, and how many bytes follow it. */
  readonly #base: bigint;
  #done = 0;
  /** Lines of NULs in a row: with `-a` one stands for many. */
  #zeros = 0;
  readonly #zeroLine: Chunk;

  /** Makes a dumper whose first byte has the offset `start`. */
  constructor(settings: XxdSettings, start: number) {
    const { columns, group, style, upper, displayOffset } = settings;
    this.#settings = settings;
    this.#line = new Uint8Array(columns);
    this.#zeroLine = new Uint8Array(columns);
    this.#base = BigInt.asUintN(64, BigInt(start) + displayOffset);
    const radix = style === "bits" ? 2 : 16;
    const width = style === "bits" ? 8 : 2;
    const digits = Array.from(
      { length: 256 },
      (_, byte) => byte.toString(radix).padStart(width, "0"),
    ).join("");
    this.#width = width;
    this.#digits = utf8(upper ? digits.toUpperCase() : digits);
    // The characters stand where those of a full line would.
    const middle = 2 + Math.floor(((group * width + 1) * columns - 1) / group);
    const slots = Math.ceil(columns / group) * group;
    this.#places = Int32Array.from({ length: columns }, (_, i) => {
      const slot = style === "little" ? i ^ (group - 1) : i;
      // Digits that have no place are overwritten by the characters.
      return slot < slots ? slot * width + Math.floor(slot / group) : middle;
    });
    this.#middle = middle;
    this.#room = ADDRESS + 2 + Math.max(middle, slots * (width + 1)) + width + columns + 1;
  }

  /** There is nothing before the first byte. */
  *begin(): Pieces {}

  /** Dumps bytes, as far as they fill lines. */
  *add(chunk: Chunk): Pieces {
    const { columns } = this.#settings;
    const out = this.#out;
    for (let at = 0; at < chunk.length;) {
      if (out.room < this.#room * 2) yield out.take();
      if (this.#held === 0 && chunk.length - at >= columns) {
        this.#full(chunk, at);
        at += columns;
        continue;
      }
      const size = Math.min(columns - this.#held, chunk.length - at);
      for (let i = 0; i < size; i++) this.#line[this.#held++] = chunk[at++] as number;
      if (this.#held < columns) break;
      this.#held = 0;
      this.#full(this.#line, 0);
    }
    if (out.length > 0) yield out.take();
  }

  /** Dumps what does not fill a line, and what was left out at the end. */
  *end(): Pieces {
    const { columns } = this.#settings;
    if (this.#held > 0) {
      this.#leave();
      this.#put(this.#line, 0, this.#held, this.#done);
    } else if (this.#zeros > 1) {
      // The last line is shown in any case.
      if (this.#zeros === 3) this.#put(this.#zeroLine, 0, columns, this.#done - 2 * columns);
      if (this.#zeros > 3) this.#star();
      this.#put(this.#zeroLine, 0, columns, this.#done - columns);
    }
    if (this.#out.length > 0) yield this.#out.take();
  }

  #full(from: Chunk, at: number): void {
    const { columns, autoskip } = this.#settings;
    let shown = true;
    if (autoskip) {
      let i = 0;
      while (i < columns && from[at + i] === 0) i++;
      if (i < columns) this.#leave();
      else shown = ++this.#zeros === 1;
    }
    if (shown) this.#put(from, at, columns, this.#done);
    this.#done += columns;
  }

  /** Shows what stands for the lines of NULs after the first, where other bytes follow. */
  #leave(): void {
    const { columns } = this.#settings;
    if (this.#zeros === 2) this.#put(this.#zeroLine, 0, columns, this.#done - columns);
    if (this.#zeros > 2) this.#star();
    this.#zeros = 0;
  }

  #star(): void {
    this.#out.putByte(42);
    this.#out.putByte(10);
  }

  /** Puts a line out: `count` bytes at `at`, of which `offset` bytes stand in front. */
  #put(from: Chunk, at: number, count: number, offset: number): void {
    const out = this.#out;
    const { bytes } = out;
    const places = this.#places;
    const digits = this.#digits;
    const width = this.#width;
    let to = this.#address(offset);
    bytes[to++] = 58;
    bytes[to++] = 32;
    const characters = to + this.#middle;
    for (let i = to; i < characters; i++) bytes[i] = 32;
    for (let i = 0; i < count; i++) {
      let digit = (from[at + i] as number) * width;
      let place = to + (places[i] as number);
      for (const stop = digit + width; digit < stop;) bytes[place++] = digits[digit++] as number;
    }
    for (let i = 0; i < count; i++) {
      bytes[characters + i] = CHARACTERS[from[at + i] as number] as number;
    }
    bytes[characters + count] = 10;
    out.length = characters + count + 1;
  }

  /** Writes an address at the output's end; gives where it ends. */
  #address(offset: number): number {
    const { bytes, length } = this.#out;
    const { decimal } = this.#settings;
    const short = Number(this.#base) + offset;
    if (!decimal && short < 2 ** 32) {
      for (let i = 0; i < 8; i++) bytes[length + i] = HEX[(short >>> (28 - i * 4)) & 15] as number;
      return length + 8;
    }
    const address = BigInt.asUintN(64, this.#base + BigInt(offset));
    const text = address.toString(decimal ? 10 : 16).padStart(8, "0");
    for (let i = 0; i < text.length; i++) bytes[length + i] = text.charCodeAt(i);
    return length + text.length;
  }
}
