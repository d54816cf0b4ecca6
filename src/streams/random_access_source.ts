import { BlockSource } from "./block_source.ts";
import type { ByteSource, Chunk, RandomAccess } from "./source.ts";

/** Options of {@linkcode randomAccessSource}. */
export interface RandomAccessSourceOptions {
  /** First byte to read. Default 0. */
  readonly offset?: number;
  /**
   * Releases the file behind `at` when the source has ended. If it ended early, a read may still be
   * in progress. Default: nothing.
   */
  readonly close?: () => Promise<void> | void;
}

class RandomAccessSource extends BlockSource {
  readonly at: RandomAccess;
  readonly #close: (() => Promise<void> | void) | undefined;
  #offset: number;

  constructor(at: RandomAccess, { offset = 0, close }: RandomAccessSourceOptions) {
    if (!Number.isSafeInteger(offset) || offset < 0) {
      throw new RangeError(`Cannot read from offset ${offset}: give a whole number of at least 0`);
    }
    super(at.size - offset);
    this.at = at;
    this.#offset = offset;
    this.#close = close;
  }

  protected override async read(into: Chunk): Promise<number> {
    const count = await this.at.read(this.#offset, into);
    this.#offset += count;
    return count;
  }

  protected override async close(): Promise<void> {
    await this.#close?.();
  }
}

/**
 * Reads a regular file from `offset` to its end. Reads grow from its size or 64 KiB to 1 MiB, and a
 * long file is read ahead (see {@linkcode BlockSource}). Sources over the same
 * {@linkcode RandomAccess} are independent.
 *
 * The end is where `read` returns 0, not `size`: the file may have grown since it was opened.
 */
export function randomAccessSource(
  at: RandomAccess,
  options: RandomAccessSourceOptions = {},
): ByteSource {
  return new RandomAccessSource(at, options);
}
