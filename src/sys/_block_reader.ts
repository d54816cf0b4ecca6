import { type Chunk, noteTurn } from "../streams/mod.ts";

const FIRST = 64 * 1024;
/** The least first buffer: files that say they are empty may not be, as those of /proc. */
const LEAST = 4096;
const LARGEST = 1024 * 1024;

/** Bytes after which it is worth to read the next block before it is asked for. */
const LONG = 256 * 1024;

/**
 * Reads blocks into reused buffers, which grow from 64 KiB to 1 MiB while reads fill them: small
 * inputs stay cheap, and large ones cost few calls (each takes about 30 microseconds).
 *
 * An input that turns out to be long is read one block ahead, so that the system reads while this
 * thread works on the block before.
 */
export class BlockReader {
  readonly #read: (into: Chunk) => Promise<number>;
  /** The buffer that is not lent. */
  #spare: Chunk = new Uint8Array(0);
  #lent: Chunk = new Uint8Array(0);
  #size: number;
  #total = 0;
  #ahead: Promise<Chunk | undefined> | undefined;

  /**
   * `read` resolves to the number of bytes read, 0 at the end. Buffers for an input that is known to
   * be small, of `expected` bytes, have no more room than it takes.
   */
  constructor(read: (into: Chunk) => Promise<number>, expected = Infinity) {
    this.#read = read;
    this.#size = Math.max(LEAST, Math.min(FIRST, expected + 1));
  }

  /** The next block, which is lent until the next call; `undefined` at the end. */
  async next(): Promise<Chunk | undefined> {
    const block = await (this.#ahead ?? this.#fill());
    this.#ahead = undefined;
    if (block !== undefined && this.#total >= LONG) {
      this.#ahead = this.#fill();
      this.#ahead.catch(() => {}); // the next call meets the error
    }
    return block;
  }

  /** Waits until nothing is read any more; for after closing, which ends a read. */
  async settled(): Promise<void> {
    await this.#ahead?.catch(() => {});
  }

  async #fill(): Promise<Chunk | undefined> {
    if (this.#spare.length < this.#size) this.#spare = new Uint8Array(this.#size);
    const buffer = this.#spare;
    this.#spare = this.#lent;
    this.#lent = buffer;
    const length = await this.#read(buffer);
    noteTurn();
    if (length === 0) return undefined;
    this.#total += length;
    if (length === this.#size && length < LARGEST) this.#size = Math.min(LARGEST, length * 4);
    return buffer.subarray(0, length);
  }
}
