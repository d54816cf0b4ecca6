import { hexadecimal } from "../../../base/mod.ts";

/** Size of a block of MD5 and SHA-256, in bytes. */
const BLOCK = 64;

/** A message digest with incremental input (RFC 1321, FIPS 180-4). */
export abstract class Digest {
  readonly #littleEndian: boolean;
  readonly #initial: readonly number[];
  /** The running state, in words. */
  protected readonly state: Uint32Array;
  readonly #held: Uint8Array = new Uint8Array(BLOCK);
  #heldCount = 0;
  #size = 0;

  /** Starts with the algorithm's initial state; its words are written in the given byte order. */
  constructor(initial: readonly number[], littleEndian: boolean) {
    this.#initial = initial;
    this.state = Uint32Array.from(initial);
    this.#littleEndian = littleEndian;
  }

  /** Processes the blocks of 64 bytes from `start` up to `end`, a whole number of blocks. */
  protected abstract blocks(bytes: Uint8Array, start: number, end: number): void;

  /** Adds a piece of the input. */
  update(chunk: Uint8Array): void {
    let at = 0;
    this.#size += chunk.length;
    if (this.#heldCount > 0) {
      at = Math.min(BLOCK - this.#heldCount, chunk.length);
      this.#held.set(chunk.subarray(0, at), this.#heldCount);
      this.#heldCount += at;
      if (this.#heldCount < BLOCK) return;
      this.blocks(this.#held, 0, BLOCK);
    }
    const end = at + Math.floor((chunk.length - at) / BLOCK) * BLOCK;
    this.blocks(chunk, at, end);
    this.#held.set(chunk.subarray(end));
    this.#heldCount = chunk.length - end;
  }

  /** Ends the input, writes the digest to `into` and resets. */
  finish(into: Uint8Array): void {
    const held = this.#held;
    held[this.#heldCount] = 0x80;
    held.fill(0, this.#heldCount + 1);
    if (this.#heldCount >= BLOCK - 8) {
      this.blocks(held, 0, BLOCK);
      held.fill(0);
    }
    this.#putWord(held, BLOCK - (this.#littleEndian ? 8 : 4), this.#size * 8);
    this.#putWord(held, BLOCK - (this.#littleEndian ? 4 : 8), Math.floor(this.#size / 0x2000_0000));
    this.blocks(held, 0, BLOCK);
    for (let i = 0; i < this.state.length; i++) {
      this.#putWord(into, 4 * i, this.state[i] as number);
    }
    this.state.set(this.#initial);
    this.#heldCount = this.#size = 0;
  }

  #putWord(into: Uint8Array, at: number, word: number): void {
    for (let i = 0; i < 4; i++) {
      const shift = this.#littleEndian ? 8 * i : 24 - 8 * i;
      into[at + i] = (word % 0x1_0000_0000) >>> shift;
    }
  }

  /** Ends the input and returns the digest in lower-case hexadecimal digits. */
  hex(): string {
    const result = new Uint8Array(4 * this.state.length);
    this.finish(result);
    return hexadecimal(result);
  }
}
