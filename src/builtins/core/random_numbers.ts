import type { Chunk } from "../../streams/mod.ts";
import type { BuiltinIo } from "../builtin.ts";

/** Number of 32-bit words requested at once. */
const WORDS = 1024;
/** Numbers below WORD are made from one word, others from two. */
const WORD = 2 ** 32;
const LARGEST = 2 ** 53;

/** Returns `count` random bytes from `io.random` or the platform. */
export function randomBytes(io: BuiltinIo, count: number): Chunk {
  const bytes: Chunk = new Uint8Array(count);
  if (io.random !== undefined) io.random(bytes);
  else crypto.getRandomValues(bytes);
  return bytes;
}

/** Unbiased random integers, from the bytes of `io.random` or the platform. */
export class RandomNumbers {
  readonly #io: BuiltinIo;
  #words = new Uint32Array(0);
  #at = 0;

  /** Requests bytes on demand. */
  constructor(io: BuiltinIo) {
    this.#io = io;
  }

  /** An integer from 0 to `count - 1`, with `count` from 1 to 2^53. */
  choose(count: number): number {
    const end = count <= WORD ? WORD : LARGEST;
    // Numbers from the last multiple of `count` on would make some results more likely.
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
