import type { Chunk } from "../../../streams/mod.ts";
import { Output, utf8 } from "../../text/mod.ts";
import type { XxdSettings } from "./options.ts";

type Pieces = Generator<Chunk, void, void>;

/** The character that stands for each byte. */
const CHARACTERS = Uint8Array.from(
  { length: 256 },
  (_, byte) => byte >= 32 && byte < 127 ? byte : 46,
);
const HEX = utf8("0123456789abcdef");
/** Length of the longest address: a JavaScript number in decimal. */
const ADDRESS = 16;

/** Writes the lines of `xxd`: an offset, groups of digits and the characters. */
export class LineDumper {
  readonly #settings: XxdSettings;
  readonly #out = new Output();
  /** The bytes of a line that is not full yet. */
  readonly #line: Chunk;
  #held = 0;
  /** Number of digits of a byte, and the digits of all bytes. */
  readonly #width: number;
  readonly #digits: Uint8Array;
  /** Position of the digits of each byte of a line, after the address. */
  readonly #places: Int32Array;
  /** Columns from the address to the characters. */
  readonly #middle: number;
  /** Largest size of a line. */
  readonly #room: number;
  /** The address of the next line. */
  #address: number;

  /** Creates a dumper; the first byte has the offset `start`. */
  constructor(settings: XxdSettings, start: number) {
    const { columns, group, style, upper } = settings;
    this.#settings = settings;
    this.#line = new Uint8Array(columns);
    this.#address = start;
    const radix = style === "bits" ? 2 : 16;
    const width = style === "bits" ? 8 : 2;
    const digits = Array.from(
      { length: 256 },
      (_, byte) => byte.toString(radix).padStart(width, "0"),
    ).join("");
    this.#width = width;
    this.#digits = utf8(upper ? digits.toUpperCase() : digits);
    // The characters stand where those of a full line would stand.
    const middle = 2 + Math.floor(((group * width + 1) * columns - 1) / group);
    const slots = Math.ceil(columns / group) * group;
    this.#places = Int32Array.from({ length: columns }, (_, i) => {
      const slot = style === "little" ? i ^ (group - 1) : i;
      // Digits without a position are overwritten by the characters.
      return slot < slots ? slot * width + Math.floor(slot / group) : middle;
    });
    this.#middle = middle;
    this.#room = ADDRESS + 2 + Math.max(middle, slots * (width + 1)) + width + columns + 1;
  }

  /** Nothing comes before the first byte. */
  *begin(): Pieces {}

  /** Dumps bytes that fill lines; holds the rest. */
  *add(chunk: Chunk): Pieces {
    const { columns } = this.#settings;
    const out = this.#out;
    for (let at = 0; at < chunk.length;) {
      if (out.room < this.#room * 2) yield out.take();
      if (this.#held === 0 && chunk.length - at >= columns) {
        this.#put(chunk, at, columns);
        at += columns;
        continue;
      }
      const size = Math.min(columns - this.#held, chunk.length - at);
      for (let i = 0; i < size; i++) this.#line[this.#held++] = chunk[at++] as number;
      if (this.#held < columns) break;
      this.#held = 0;
      this.#put(this.#line, 0, columns);
    }
    if (out.length > 0) yield out.take();
  }

  /** Dumps the rest, which does not fill a line. */
  *end(): Pieces {
    if (this.#held > 0) this.#put(this.#line, 0, this.#held);
    if (this.#out.length > 0) yield this.#out.take();
  }

  /** Prints a line of `count` bytes from `at` on. */
  #put(from: Chunk, at: number, count: number): void {
    const out = this.#out;
    const { bytes } = out;
    const places = this.#places;
    const digits = this.#digits;
    const width = this.#width;
    let to = this.#putAddress();
    this.#address += count;
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

  /** Writes the address at the end of the output; returns the offset after it. */
  #putAddress(): number {
    const { bytes, length } = this.#out;
    const { decimal } = this.#settings;
    const address = this.#address;
    if (!decimal && address < 2 ** 32) {
      for (let i = 0; i < 8; i++) {
        bytes[length + i] = HEX[(address >>> (28 - i * 4)) & 15] as number;
      }
      return length + 8;
    }
    const text = address.toString(decimal ? 10 : 16).padStart(8, "0");
    for (let i = 0; i < text.length; i++) bytes[length + i] = text.charCodeAt(i);
    return length + text.length;
  }
}
