import type { Chunk } from "../../../streams/mod.ts";
import type { Decoded, Decoder } from "./decoders.ts";

/**
 * Bytes below this one, such as a newline, end every character that came before, and are never a
 * part of a longer one, in all encodings that are read here.
 */
const SAFE = 0x21;
const ESCAPE = 0x1b;
/** Bytes of an escape sequence of ISO-2022-JP, and the most that a character has. */
const ESCAPE_SIZE = 3;
const CHARACTER = 4;

interface Character {
  readonly text: string;
  /** How many bytes it has. */
  readonly size: number;
}

/**
 * An encoding of several bytes a character that the platform can decode. As `TextDecoder` does not
 * tell where the fault is, what is after the last byte that ends a character for certain, and
 * everything where something is invalid, is read character by character.
 */
export class TextDecoderDecoder implements Decoder {
  readonly #label: string;
  readonly #decoder: TextDecoder;
  readonly #escapes: boolean;
  /** Reads byte by byte; has read nothing but whole characters. */
  #stream: TextDecoder | undefined;
  /** In ISO-2022-JP, the escape sequence that the next bytes follow, if any. */
  #shift: Chunk = new Uint8Array(0);
  /** The shift at the beginning of what was decoded last. */
  #shiftBefore: Chunk = new Uint8Array(0);

  /** `label` is one of `TextDecoder`. */
  constructor(label: string) {
    this.#label = label;
    this.#decoder = new TextDecoder(label, { fatal: true });
    this.#escapes = label === "iso-2022-jp";
  }

  decode(bytes: Chunk): Decoded {
    this.#shiftBefore = this.#shift;
    let safe = bytes.length;
    while (safe > 0 && ((bytes[safe - 1] as number) >= SAFE || bytes[safe - 1] === ESCAPE)) safe--;
    let text = "";
    if (safe > 0) {
      try {
        text = this.#decoder.decode(this.#shifted(bytes.subarray(0, safe)));
        const escape = this.#escapes ? bytes.lastIndexOf(ESCAPE, safe - 1) : -1;
        if (escape >= 0) {
          this.#shift = bytes.slice(escape, escape + ESCAPE_SIZE);
          this.#stream = undefined;
        }
      } catch {
        safe = 0;
      }
    }
    const rest = this.#slowly(bytes.subarray(safe));
    return { text: text + rest.text, used: safe + rest.used, invalid: rest.invalid };
  }

  /** Reads character by character, up to `most` code units. */
  #slowly(bytes: Chunk, most = Infinity): Decoded {
    let text = "";
    let used = 0;
    while (used < bytes.length && text.length < most) {
      if (this.#escapes && bytes[used] === ESCAPE) {
        const shift = bytes.slice(used, used + ESCAPE_SIZE);
        if (shift.length < ESCAPE_SIZE) return { text, used, invalid: 0 };
        if (!this.#isShift(shift)) return { text, used, invalid: 1 };
        this.#shift = shift;
        this.#stream = undefined;
        used += ESCAPE_SIZE;
        continue;
      }
      const character = this.#character(bytes.subarray(used, used + CHARACTER));
      if (typeof character === "string") {
        return { text, used, invalid: character === "invalid" ? 1 : 0 };
      }
      text += character.text;
      used += character.size;
    }
    return { text, used, invalid: 0 };
  }

  /** The character that the bytes begin with, or why there is none. */
  #character(bytes: Chunk): Character | "invalid" | "incomplete" {
    const stream = this.#stream ??= this.#newStream();
    try {
      for (let size = 1; size <= bytes.length; size++) {
        const text = stream.decode(bytes.subarray(size - 1, size), { stream: true });
        if (text !== "") return { text, size };
      }
      this.#stream = undefined;
      return "incomplete";
    } catch {
      this.#stream = undefined;
      return "invalid";
    }
  }

  #newStream(): TextDecoder {
    const decoder = new TextDecoder(this.#label, { fatal: true, ignoreBOM: true });
    decoder.decode(this.#shift, { stream: true });
    return decoder;
  }

  /** The bytes after the escape sequence that they follow; two of these in a row are an error. */
  #shifted(bytes: Chunk): Chunk {
    if (this.#shift.length === 0 || bytes[0] === ESCAPE) return bytes;
    const shifted = new Uint8Array(this.#shift.length + bytes.length);
    shifted.set(this.#shift);
    shifted.set(bytes, this.#shift.length);
    return shifted;
  }

  #isShift(sequence: Chunk): boolean {
    try {
      return this.#decoder.decode(sequence) === "";
    } catch {
      return false;
    }
  }

  bytesOf(bytes: Chunk, _text: string, length: number): number {
    const after = this.#shift;
    this.#shift = this.#shiftBefore;
    this.#stream = undefined;
    const { used } = this.#slowly(bytes, length);
    this.#shift = after;
    this.#stream = undefined;
    return used;
  }
}
