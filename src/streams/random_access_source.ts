import { type ByteSource, type Chunk, type RandomAccess, Source } from "./source.ts";

/** Options of {@linkcode randomAccessSource}. */
export interface RandomAccessSourceOptions {
  /** First byte to read. Default 0. */
  readonly offset?: number;
  /** Releases what stands behind `at`, once the source has ended. Default: nothing. */
  readonly close?: () => Promise<void> | void;
}

const FIRST_READ = 64 * 1024;
/** The least first read: a file that says it is empty may not be, as those of /proc. */
const LEAST_READ = 4096;
const LARGEST_READ = 1024 * 1024;

class RandomAccessSource extends Source {
  readonly at: RandomAccess;
  readonly #close: (() => Promise<void> | void) | undefined;
  #buffer: Chunk = new Uint8Array(0);
  #offset: number;
  #readSize: number;

  constructor(at: RandomAccess, { offset = 0, close }: RandomAccessSourceOptions) {
    super();
    if (!Number.isSafeInteger(offset) || offset < 0) {
      throw new RangeError(`Cannot read from offset ${offset}: give a whole number of at least 0`);
    }
    this.at = at;
    this.#offset = offset;
    this.#close = close;
    this.#readSize = Math.max(LEAST_READ, Math.min(FIRST_READ, at.size - offset + 1));
  }

  protected override async pull(): Promise<Chunk | undefined> {
    if (this.#buffer.length < this.#readSize) this.#buffer = new Uint8Array(this.#readSize);
    const count = await this.at.read(this.#offset, this.#buffer);
    if (count === 0) return undefined;
    this.#offset += count;
    // Short files stay cheap, long ones get few calls: an asynchronous read costs about 30 us.
    if (count === this.#buffer.length) this.#readSize = Math.min(count * 4, LARGEST_READ);
    return this.#buffer.subarray(0, count);
  }

  protected override async release(): Promise<void> {
    this.#buffer = new Uint8Array(0);
    await this.#close?.();
  }
}

/**
 * Reads a regular file from `offset` to its end, in reads that grow from its size or 64 KiB to 1 MiB
 * into one reused buffer. Several sources over one {@linkcode RandomAccess} are independent.
 *
 * The end is where `read` answers 0, not `size`: a file may have grown since it was opened.
 */
export function randomAccessSource(
  at: RandomAccess,
  options: RandomAccessSourceOptions = {},
): ByteSource {
  return new RandomAccessSource(at, options);
}
