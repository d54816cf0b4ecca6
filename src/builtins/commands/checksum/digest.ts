/** Size of a block of MD5 and SHA-256, in bytes. */
const BLOCK = 64;

/** A message digest that takes its input piece by piece (RFC 1321, FIPS 180-4). */
export abstract class Digest {
  readonly #littleEndian: boolean;
  /** The running state, in words. */
  protected readonly state: Uint32Array;
  readonly #held: Uint8Array = new Uint8Array(BLOCK);
  #heldCount = 0;
  #size = 0;

  /** Starts with the algorithm's initial state; its words are written in the given byte order. */
  constructor(initial: readonly number[], littleEndian: boolean) {
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

  /** Ends the input and gives the digest in lower-case hexadecimal digits. */
  hex(): string {
    const count = this.#heldCount;
    const last = new Uint8Array(count < BLOCK - 8 ? BLOCK : 2 * BLOCK);
    last.set(this.#held.subarray(0, count));
    last[count] = 0x80;
    const view = new DataView(last.buffer);
    view.setBigUint64(last.length - 8, BigInt(this.#size) * 8n, this.#littleEndian);
    this.blocks(last, 0, last.length);
    const result = new DataView(new ArrayBuffer(this.state.length * 4));
    this.state.forEach((word, i) => result.setUint32(i * 4, word, this.#littleEndian));
    return Array.from(
      new Uint8Array(result.buffer),
      (byte) => byte.toString(16).padStart(2, "0"),
    ).join("");
  }
}
