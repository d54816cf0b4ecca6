import type { Chunk } from "../streams/mod.ts";

const FIRST = 64 * 1024;
const LARGEST = 1024 * 1024;

/**
 * Reads blocks into one reused buffer, which grows from 64 KiB to 1 MiB while reads fill it: small
 * inputs stay cheap, and large ones cost few calls (each takes about 30 microseconds).
 */
export class BlockReader {
  readonly #read: (into: Chunk) => Promise<number>;
  #buffer: Chunk | undefined;

  /** `read` resolves to the number of bytes read, 0 at the end. */
  constructor(read: (into: Chunk) => Promise<number>) {
    this.#read = read;
  }

  async next(): Promise<Chunk | undefined> {
    const buffer = this.#buffer ??= new Uint8Array(FIRST);
    const length = await this.#read(buffer);
    if (length === 0) return undefined;
    if (length === buffer.length && length < LARGEST) {
      this.#buffer = new Uint8Array(Math.min(LARGEST, length * 4));
    }
    return buffer.subarray(0, length);
  }
}
