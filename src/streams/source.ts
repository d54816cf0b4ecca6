/**
 * Bytes lent to a reader.
 *
 * A chunk is valid until the next chunk is asked for: its owner may then write other bytes into
 * the same memory. To keep it longer, copy it (`chunk.slice()`).
 */
export type Chunk = Uint8Array<ArrayBuffer>;

/**
 * A pull source of bytes with one reader.
 *
 * Nothing is produced before it is asked for. Chunks are never empty.
 */
export interface ByteSource extends AsyncIterable<Chunk, void, void> {
  /** Asks for the next chunk. Calls never overlap: await one before making the next. */
  next(): Promise<IteratorResult<Chunk, void>>;
  /**
   * Ends the source early and releases what it holds. Resolves when everything is released.
   * Idempotent; a pending {@linkcode next} settles with `done: true`.
   */
  return(): Promise<IteratorResult<Chunk, void>>;
  /** Iterates over this source; leaving the loop calls {@linkcode return}. */
  [Symbol.asyncIterator](): AsyncIterableIterator<Chunk, void, void>;
  /** Random access, present for regular files only. */
  readonly at?: RandomAccess;
}

/** Random access to a regular file's bytes. */
export interface RandomAccess {
  /** Size in bytes when the file was opened. */
  readonly size: number;
  /**
   * Reads up to `into.length` bytes from `offset` into `into`. Resolves to the number of bytes
   * read; 0 at the end of the file.
   */
  read(offset: number, into: Chunk): Promise<number>;
}

/** Where bytes go. One writer; writes never overlap. */
export interface ByteSink {
  /** Writes the whole chunk. When it settles, the chunk's memory may be reused. */
  write(chunk: Chunk): Promise<void>;
  /** Says that no more bytes come and waits until those written have arrived. Idempotent. */
  close(): Promise<void>;
  /** Gives up: releases what the sink holds, without promising that bytes arrive. Idempotent. */
  abort?(reason?: unknown): Promise<void>;
}

/** What {@linkcode Source.next} answers at the end. */
const END: IteratorReturnResult<void> = { done: true, value: undefined };

/**
 * Base class of our sources: keeps the rules of {@linkcode ByteSource} so that a subclass only
 * says how to pull and how to release.
 */
export abstract class Source implements ByteSource {
  #state: "open" | "ended" = "open";
  #settleEarly: ((result: IteratorReturnResult<void>) => void) | undefined;
  #released: Promise<void> | undefined;

  /** Gives the next chunk, or `undefined` at the end. Not called again after the end or an error. */
  protected abstract pull(): Promise<Chunk | undefined>;

  /** Releases what the source holds. Called once, also after the end or an error of `pull`. */
  protected release(): Promise<void> | void {}

  /** Asks for the next chunk; see {@linkcode ByteSource.next}. */
  async next(): Promise<IteratorResult<Chunk, void>> {
    if (this.#state === "ended") return END;
    const stopped = new Promise<IteratorReturnResult<void>>((resolve) => {
      this.#settleEarly = resolve;
    });
    try {
      const result = await Promise.race([this.#step(), stopped]);
      if (result.done === true && this.#released === undefined) await this.#end();
      return result;
    } catch (error) {
      if (this.#released !== undefined) return END;
      await this.#end().catch(() => {});
      throw error;
    } finally {
      this.#settleEarly = undefined;
    }
  }

  async #step(): Promise<IteratorResult<Chunk, void>> {
    for (;;) {
      const value = await this.pull();
      if (value === undefined) return END;
      if (value.length > 0) return { done: false, value };
      if (this.#state === "ended") return END;
    }
  }

  #end(): Promise<void> {
    this.#state = "ended";
    return this.#released ??= Promise.resolve(this.release());
  }

  /** Ends the source early; see {@linkcode ByteSource.return}. */
  async return(): Promise<IteratorResult<Chunk, void>> {
    this.#settleEarly?.(END);
    await this.#end();
    return END;
  }

  /** Iterates over this source. */
  [Symbol.asyncIterator](): AsyncIterableIterator<Chunk, void, void> {
    return this;
  }
}
