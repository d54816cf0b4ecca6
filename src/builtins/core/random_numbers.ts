import type { Chunk } from "../../streams/mod.ts";
import type { BuiltinIo } from "../builtin.ts";

/** How many words of 32 bits are asked for at once. */
const WORDS = 1024;
/** Numbers below this are made of one word, others of two. */
const WORD = 2 ** 32;
const LARGEST = 2 ** 53;

/** So many random bytes, from `io.random` or the platform. */
export function randomBytes(io: BuiltinIo, count: number): Chunk {
  const bytes: Chunk = new Uint8Array(count);
  if (io.random !== undefined) io.random(bytes);
  else crypto.getRandomValues(bytes);
  return bytes;
}

/** Random whole numbers without bias, from the bytes of `io.random` or the platform. */
export class RandomNumbers {
  readonly #io: BuiltinIo;
  #words = new Uint32Array(0);
  #at = 0;

  /** Asks for bytes where numbers are asked for. */
  constructor(io: BuiltinIo) {
    this.#io = io;
  }

  /** A whole number from 0 to below `count`, which is from 1 to 2^53. */
  choose(count: number): number {
    const end = count <= WORD ? WORD : LARGEST;
    // Numbers beyond the last multiple of `count` would make some results likelier.
    const usable = end - end % count;
    for (;;) {
      const number = end === WORD ? this.#word() : (this.#word() >>> 11) * WORD + this.#word();
      if (number < usable) return number % count;
    }
  }

  #word(): number {
    if (this.#at === this.#words.length) {
      this.#words = new Uint32Array(randomBytes(this.#io, 4 * WORDS).buffer);
      this.#at = 0;
    }
    return this.#words[this.#at++] as number;
  }
}
