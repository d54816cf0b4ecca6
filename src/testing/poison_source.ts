import { type Chunk, Source } from "../streams/mod.ts";

/** Chunk sizes of a {@linkcode PoisonSource}: one for all, a list that is cycled, or a generator. */
export type ChunkSizes = number | readonly number[] | (() => Iterable<number>);

const POISON = 0xa5;

/**
 * A source for tests that holds its reader to the rule for lent chunks: each chunk is overwritten
 * with 0xA5 when the next one is asked for, and when the source ends. A reader that keeps a chunk
 * without copying it finds those bytes in place of the data.
 *
 * A reader that has written into a chunk gets a `TypeError` from its next `next()` or `return()`.
 *
 * @example A reader that forgets to copy
 * ```ts
 * import { PoisonSource } from "@llmcmd/llmcmd/testing";
 *
 * const kept: Uint8Array[] = [];
 * for await (const chunk of new PoisonSource("abc", [1, 2])) kept.push(chunk);
 * if (kept.map((chunk) => chunk.join()).join("|") !== "165|165,165") throw new Error();
 * ```
 */
export class PoisonSource extends Source {
  readonly #bytes: Chunk;
  readonly #sizes: Iterator<number>;
  #offset = 0;
  #lent: Chunk = new Uint8Array(0);

  /**
   * Makes a source of `bytes` (text is encoded as UTF-8) in chunks of the given sizes. Sizes
   * below 1 count as 1; a generator that ends leaves the rest as one chunk.
   */
  constructor(bytes: Chunk | string, sizes: ChunkSizes = 1) {
    super();
    this.#bytes = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
    this.#sizes = eachSize(sizes)[Symbol.iterator]();
  }

  /** Number of bytes lent so far. */
  get offset(): number {
    return this.#offset;
  }

  /** Poisons the last chunk and lends the next. */
  protected override async pull(): Promise<Chunk | undefined> {
    this.#poison();
    await undefined; // a reader that peeks before its promise settles finds poison
    const left = this.#bytes.length - this.#offset;
    if (left === 0) return undefined;
    const { done, value } = this.#sizes.next();
    const size = done === true ? left : Math.max(1, Math.min(left, value));
    // Fresh memory for each chunk: what was lent stays poisoned.
    this.#lent = this.#bytes.slice(this.#offset, this.#offset + size);
    this.#offset += size;
    return this.#lent;
  }

  /** Poisons the last chunk. */
  protected override release(): void {
    this.#poison();
  }

  #poison(): void {
    const lent = this.#lent;
    const start = this.#offset - lent.length;
    this.#lent = new Uint8Array(0);
    let changed = 0;
    while (changed < lent.length && lent[changed] === this.#bytes[start + changed]) changed++;
    const intact = changed === lent.length;
    lent.fill(POISON);
    if (!intact) {
      throw new TypeError(`A reader wrote into a lent chunk, at offset ${start + changed}`);
    }
  }
}

function* eachSize(sizes: ChunkSizes): Generator<number, void, void> {
  if (typeof sizes === "function") yield* sizes();
  else if (typeof sizes === "number") { for (;;) yield sizes; }
  else while (sizes.length > 0) yield* sizes;
}
