import type { Chunk } from "../../../streams/mod.ts";
import type { Decoded, Decoder } from "./decoders.ts";

/**
 * Bytes below this one, such as a newline, end every character that came before, and are never a
 * part of a longer one, in all encodings that are read here.
 */
const SAFE = 0x21;
/** The most bytes that a character has. */
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
  /** Reads byte by byte; has read nothing but whole characters. */
  #stream: TextDecoder | undefined;

  /** `label` is one of `TextDecoder`. */
  constructor(label: string) {
    this.#label = label;
    this.#decoder = new TextDecoder(label, { fatal: true });
  }

  decode(bytes: Chunk): Decoded {
    let safe = bytes.length;
    while (safe > 0 && (bytes[safe - 1] as number) >= SAFE) safe--;
    let text = "";
    if (safe > 0) {
      try {
        text = this.#decoder.decode(bytes.subarray(0, safe));
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
    const stream = this.#stream ??= new TextDecoder(this.#label, { fatal: true, ignoreBOM: true });
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

  bytesOf(bytes: Chunk, _text: string, length: number): number {
    this.#stream = undefined;
    return this.#slowly(bytes, length).used;
  }
}
