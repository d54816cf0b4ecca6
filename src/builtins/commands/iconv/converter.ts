import type { Chunk } from "../../../streams/mod.ts";
import { LineOutput } from "../../text/mod.ts";
import type { Decoder } from "./decoders.ts";
import type { Encoder } from "./encoders.ts";
import type { Conversion } from "./options.ts";
import { substitutes } from "./transliterate.ts";

/** The fault that ended a conversion. */
export interface ConversionFault {
  readonly kind: "illegal" | "incomplete";
  /** Offset of the character in the input, in bytes. */
  readonly position: number;
}

/** Converts one text, in chunks that may end inside characters. */
export class Converter {
  /** The fault that ended the conversion, if any. */
  fault: ConversionFault | undefined;
  readonly #decoder: Decoder;
  readonly #encoder: Encoder;
  readonly #omit: boolean;
  readonly #transliterate: boolean;
  readonly #out = new LineOutput();
  readonly #trial = new LineOutput();
  /** The bytes of an incomplete character. */
  #carry: Chunk = new Uint8Array(0);
  /** Offset in the input of the bytes not converted yet. */
  #position = 0;

  constructor({ from, to, omit, transliterate }: Conversion) {
    this.#decoder = from.decoder();
    this.#encoder = to.encoder();
    this.#omit = omit;
    this.#transliterate = transliterate;
  }

  /** Converts a chunk, up to a fault. */
  *convert(chunk: Chunk): Generator<Chunk, void, void> {
    let bytes = chunk;
    if (this.#carry.length > 0) {
      bytes = new Uint8Array(this.#carry.length + chunk.length);
      bytes.set(this.#carry);
      bytes.set(chunk, this.#carry.length);
    }
    while (bytes.length > 0) {
      if (this.#out.full) yield this.#out.take();
      const { text, used, invalid } = this.#decoder.decode(bytes);
      this.#encode(bytes, text);
      this.#position += used;
      if (this.fault === undefined && invalid > 0 && !this.#omit) {
        this.fault = { kind: "illegal", position: this.#position };
      }
      if (this.fault !== undefined) break;
      this.#position += invalid;
      bytes = bytes.subarray(used + invalid);
      if (invalid === 0) break;
    }
    if (this.#out.length > 0) yield this.#out.take();
    this.#carry = bytes.slice();
  }

  #encode(bytes: Chunk, text: string): void {
    for (let done = 0; done < text.length;) {
      done = this.#encoder.encode(text, done, this.#out);
      if (done === text.length) return;
      const character = String.fromCodePoint(text.codePointAt(done) ?? 0);
      if (!(this.#transliterate && this.#substitute(character)) && !this.#omit) {
        const position = this.#position + this.#decoder.bytesOf(bytes, text, done);
        this.fault = { kind: "illegal", position };
        return;
      }
      done += character.length;
    }
  }

  /** Writes a similar text instead of a character; returns false if the encoding has none. */
  #substitute(character: string): boolean {
    for (const text of substitutes(character)) {
      if (this.#encoder.encode(text, 0, this.#trial) === text.length) {
        while (this.#trial.length > 0) this.#out.put(this.#trial.take());
        return true;
      }
      while (this.#trial.length > 0) this.#trial.take();
    }
    return false;
  }

  /** Ends the text; an incomplete character is a fault. */
  end(): ConversionFault | undefined {
    if (this.#carry.length > 0) this.fault = { kind: "incomplete", position: this.#position };
    return this.fault;
  }
}
