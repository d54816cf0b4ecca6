import type { Chunk } from "../../../streams/mod.ts";
import type { Decoded, Decoder } from "./decoders.ts";

/**
 * In all encodings read here, a byte below this one, such as a newline, ends the character before
 * it and is never part of a longer one.
 */
const SAFE = 0x21;
/** Most bytes of a character. */
const CHARACTER = 4;

interface Character {
  readonly text: string;
  /** Number of its bytes. */
  readonly size: number;
}

/**
 * Decodes an encoding of several bytes a character by `TextDecoder`. That does not tell where a
 * fault is, so two parts are decoded character by character: the bytes after the last one that
 * surely ends a character, and all bytes if some are invalid.
 */
export class TextDecoderDecoder implements Decoder {
  readonly #label: string;
  readonly #decoder: TextDecoder;
  /** Decodes byte by byte; has read whole characters only. */
  #stream: TextDecoder | undefined;

  /** `label` is a label of `TextDecoder`. */
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

  /** Decodes character by character, up to `most` code units. */
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

  /** Returns the character that the bytes begin with, or the reason if there is none. */
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
