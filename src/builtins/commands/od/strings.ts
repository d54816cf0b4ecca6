import type { Chunk } from "../../../streams/mod.ts";
import { LineOutput, lineTooLong, Space } from "../../text/mod.ts";
import { Addresses } from "./addresses.ts";
import type { OdSettings } from "./options.ts";

/** Finds strings that a NUL ends (`-S`). */
export class OdStrings {
  readonly #out = new LineOutput();
  readonly #addresses: Addresses;
  readonly #least: number;
  readonly #limit: number;
  readonly #longest: number;
  readonly #text = new Space();
  /** Where the text starts, and where the next byte is. */
  #start: number;
  #address: number;

  /** Finds strings of at least `least` characters; holds one of at most `longest` in memory. */
  constructor(settings: OdSettings, least: number, longest: number) {
    this.#addresses = new Addresses(settings);
    this.#least = least;
    this.#longest = longest;
    this.#limit = settings.skip + settings.limit;
    this.#start = this.#address = settings.skip;
  }

  /** Whether `-N` leaves no room for a string: nothing more is read, and no further file opened. */
  get done(): boolean {
    return this.#start + this.#least >= this.#limit;
  }

  /**
   * Finds the strings that end in a chunk.
   *
   * @throws {LimitError} If a string is too long.
   */
  *add(chunk: Chunk): Generator<Chunk, void, void> {
    const text = this.#text;
    for (let at = 0; at < chunk.length && !this.done;) {
      let end = at;
      while (end < chunk.length && (chunk[end] as number) >= 32 && (chunk[end] as number) < 127) {
        end++;
      }
      if (text.length + end - at > this.#longest) throw lineTooLong(this.#longest);
      text.append(chunk, at, end);
      this.#address += end - at;
      at = end;
      if (at === chunk.length) break;
      this.#address++;
      if (chunk[at++] === 0 && text.length >= this.#least) this.#put();
      text.clear();
      this.#start = this.#address;
      if (this.#out.full) yield this.#out.take();
    }
    if (this.#out.length > 0) yield this.#out.take();
  }

  /** What no NUL ends is no string, but where `-N` ends the input. */
  *end(): Generator<Chunk, void, void> {
    if (this.done || this.#address !== this.#limit || this.#text.length < this.#least) return;
    this.#put();
    yield this.#out.take();
  }

  #put(): void {
    const { bytes, start, end } = this.#text;
    if (this.#addresses.any) {
      this.#addresses.put(this.#out, this.#start);
      this.#out.putByte(32);
    }
    this.#out.put(bytes, start, end);
    this.#out.putByte(10);
  }
}
