import type { LineOutput } from "../../text/mod.ts";
import type { Units } from "./decoders.ts";

/** Writes text in an encoding. */
export interface Encoder {
  /**
   * Encodes well-formed text from a code unit on, up to the first character that the encoding does
   * not have. Returns the index of that character, or the text's length.
   */
  encode(text: string, from: number, out: LineOutput): number;
}

/** Encodes UTF-8. */
export class Utf8Encoder implements Encoder {
  encode(text: string, from: number, out: LineOutput): number {
    out.putText(from === 0 ? text : text.slice(from));
    return text.length;
  }
}

/** Number of bytes collected before they are copied to the output. */
const BLOCK = 8192;

/** Encodes one byte a character: the inverse of a table from bytes to code units. */
export class SingleByteEncoder implements Encoder {
  /** The byte of each code unit, plus 1; 0 for a code unit without one. */
  readonly #bytes = new Uint16Array(0x10000);
  readonly #block = new Uint8Array(BLOCK);

  constructor(table: Uint16Array) {
    for (let byte = 255; byte >= 0; byte--) {
      const unit = table[byte] as number;
      if (unit !== 0xffff) this.#bytes[unit] = byte + 1;
    }
  }

  encode(text: string, from: number, out: LineOutput): number {
    const bytes = this.#bytes;
    const block = this.#block;
    let used = from;
    let length = 0;
    for (; used < text.length; used++) {
      const byte = bytes[text.charCodeAt(used)] as number;
      if (byte === 0) break;
      if (length === BLOCK) {
        out.put(block, 0, length);
        length = 0;
      }
      block[length++] = byte - 1;
    }
    out.put(block, 0, length);
    return used;
  }
}

/** Encodes UTF-16, UTF-32 and their relatives. */
export class UnitEncoder implements Encoder {
  readonly #units: Units;
  readonly #block = new Uint8Array(BLOCK);
  readonly #view = new DataView(this.#block.buffer);
  #markNext: boolean;

  constructor(units: Units) {
    this.#units = units;
    this.#markNext = units.mark;
  }

  encode(text: string, from: number, out: LineOutput): number {
    const { bytes: size, order, surrogates } = this.#units;
    const little = order !== "big";
    const view = this.#view;
    let length = 0;
    const put = (unit: number): void => {
      if (length === BLOCK) {
        out.put(this.#block, 0, length);
        length = 0;
      }
      if (size === 2) view.setUint16(length, unit, little);
      else view.setUint32(length, unit, little);
      length += size;
    };
    if (this.#markNext && text !== "") {
      put(0xfeff);
      this.#markNext = false;
    }
    let used = from;
    for (; used < text.length; used++) {
      const unit = text.charCodeAt(used);
      if (surrogates || unit < 0xd800 || unit >= 0xe000) put(unit);
      else if (size === 2) break;
      else put(text.codePointAt(used++) ?? 0);
    }
    out.put(this.#block, 0, length);
    return used;
  }
}
