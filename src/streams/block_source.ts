import { type Chunk, Source } from "./source.ts";

/** Bytes of the first buffer, if the size of the input is unknown. */
const FIRST = 64 * 1024;
/** Least size of the first buffer: a file of size 0 may have content, as in /proc. */
const LEAST = 4096;
const LARGEST = 1024 * 1024;

/** Bytes after which a source reads ahead. */
const LONG = 256 * 1024;

/**
 * Base class of sources that read blocks into their own memory, as files and descriptors do. A
 * subclass implements reading a block, and closing.
 *
 * - Two buffers take turns. They grow from 64 KiB to 1 MiB while reads fill them: small inputs stay
 *   cheap, and large ones need few calls (about 30 microseconds each).
 * - After 256 KiB the next block is read while the last one is lent, so that reading and processing
 *   overlap. The error of such a read rejects the `next` that asks for its block.
 * - Closing calls {@linkcode BlockSource.close}, which may end a read in progress, and waits for
 *   that read: no read goes on after `return`.
 *
 * @example
 * ```ts
 * import { BlockSource, type Chunk } from "@llmcmd/llmcmd/streams";
 *
 * class Letters extends BlockSource {
 *   #left = 26;
 *   protected override read(into: Chunk): Promise<number> {
 *     const count = Math.min(this.#left, 10);
 *     for (let index = 0; index < count; index++) into[index] = 123 - this.#left--;
 *     return Promise.resolve(count);
 *   }
 * }
 *
 * let text = "";
 * for await (const block of new Letters()) text += new TextDecoder().decode(block) + " ";
 * if (text !== "abcdefghij klmnopqrst uvwxyz ") throw new Error(text);
 * ```
 */
export abstract class BlockSource extends Source {
  /** The buffer that is not lent. */
  #spare: Chunk = new Uint8Array(0);
  #lent: Chunk = new Uint8Array(0);
  #size: number;
  #total = 0;
  /**
   * The read whose block has not been returned yet: the one ahead, or the one that a pull waits
   * for.
   */
  #reading: Promise<Chunk | undefined> | undefined;
  #closed = false;

  /**
   * Creates the source. `expected` is the number of bytes to come, if known: a small input gets a
   * small buffer.
   */
  constructor(expected = Infinity) {
    super();
    this.#size = Math.max(LEAST, Math.min(FIRST, expected + 1));
  }

  /**
   * Reads the next bytes into the beginning of `into`, which is never empty. Resolves to the number
   * of bytes read; 0 at the end. Calls never overlap.
   */
  protected abstract read(into: Chunk): Promise<number>;

  /** Closes the input. Called once, perhaps while a read is in progress. */
  protected close(): Promise<void> | void {}

  /** Returns the next block. */
  protected override async pull(): Promise<Chunk | undefined> {
    this.#reading ??= this.#fill();
    const block = await this.#reading;
    this.#reading = undefined;
    if (block !== undefined && this.#total >= LONG && !this.#closed) {
      this.#reading = this.#fill();
      this.#reading.catch(ignore); // the next pull meets the error
    }
    return block;
  }

  /** Closes the input, and waits for the read in progress. */
  protected override async release(): Promise<void> {
    this.#closed = true;
    try {
      await this.close();
    } finally {
      await this.#reading?.catch(ignore);
      this.#spare = this.#lent = new Uint8Array(0);
    }
  }

  async #fill(): Promise<Chunk | undefined> {
    if (this.#spare.length < this.#size) this.#spare = new Uint8Array(this.#size);
    const buffer = this.#spare;
    this.#spare = this.#lent;
    this.#lent = buffer;
    const length = await this.read(buffer);
    if (length === 0) return undefined;
    this.#total += length;
    if (length === this.#size && length < LARGEST) this.#size = Math.min(LARGEST, length * 4);
    return buffer.subarray(0, length);
  }
}

function ignore(): void {}
