import { type Chunk, Source } from "./source.ts";

/** Bytes of the first buffer, unless the input is known to be smaller. */
const FIRST = 64 * 1024;
/** The least first buffer: files that say they are empty may not be, as those of /proc. */
const LEAST = 4096;
const LARGEST = 1024 * 1024;

/** Bytes after which it is worth to read the next block before it is asked for. */
const LONG = 256 * 1024;

/**
 * Base class of sources that read blocks into memory of their own, as files and descriptors do: a
 * subclass says how to read a block, and how to close what it reads.
 *
 * - Two buffers take turns, and grow from 64 KiB to 1 MiB while reads fill them: small inputs stay
 *   cheap, and large ones cost few calls (each takes about 30 microseconds).
 * - After 256 KiB the next block is read while the last one is lent, so that the system reads
 *   while this thread works. An error of such a read is that of the `next` which would have made
 *   it.
 * - Closing waits for the read that is under way, so that none goes on after a source that was
 *   returned or aborted. {@linkcode BlockSource.close} is called before, as it may end that read.
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
  /** The read whose block nobody has yet: the one ahead, or the one that a pull waits for. */
  #reading: Promise<Chunk | undefined> | undefined;
  #closed = false;

  /**
   * Begins with nothing. `expected` is the number of bytes that are to come, if it is known:
   * buffers for a small input have no more room than it takes.
   */
  constructor(expected = Infinity) {
    super();
    this.#size = Math.max(LEAST, Math.min(FIRST, expected + 1));
  }

  /**
   * Reads the bytes that come next into the beginning of `into`, which is never empty. Resolves to
   * the number of bytes read; 0 at the end. Calls never overlap.
   */
  protected abstract read(into: Chunk): Promise<number>;

  /** Closes what is read, once, perhaps while a read is under way. */
  protected close(): Promise<void> | void {}

  /** Gives the next block. */
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

  /** Closes what is read, and waits for the read that is under way. */
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
