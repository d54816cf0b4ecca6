/**
 * Bytes lent to a reader.
 *
 * A chunk is valid until the reader asks for the next one: its owner may then reuse the memory. To
 * keep it longer, copy it (`chunk.slice()`). The reader must not write into it: the memory may
 * belong to a replay window or to other data.
 */
export type Chunk = Uint8Array<ArrayBuffer>;

/**
 * A pull source of bytes with one reader.
 *
 * It produces nothing before it is asked. Chunks are never empty.
 */
export interface ByteSource extends AsyncIterable<Chunk, void, void> {
  /** Asks for the next chunk. Calls must not overlap: await one before the next. */
  next(): Promise<IteratorResult<Chunk, void>>;
  /**
   * Ends the source early and releases its resources. Resolves when everything is released.
   * Idempotent; a pending {@linkcode next} settles with `done: true`.
   */
  return(): Promise<IteratorResult<Chunk, void>>;
  /** Iterates over this source; leaving the loop calls {@linkcode return}. */
  [Symbol.asyncIterator](): AsyncIterableIterator<Chunk, void, void>;
  /** Random access; present for regular files only. Offsets count from the file's start. */
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

/** A destination of bytes with one writer. Writes must not overlap. */
export interface ByteSink {
  /** Writes the whole chunk. When it settles, the chunk's memory may be reused. */
  write(chunk: Chunk): Promise<void>;
  /** Ends the output, and waits until the bytes written have arrived. Idempotent. */
  close(): Promise<void>;
  /** Gives up: releases the sink's resources without a promise that bytes arrive. Idempotent. */
  abort?(reason?: unknown): Promise<void>;
  /**
   * True if writes proceed without this thread, as the system's do, so that making the next chunk
   * meanwhile saves time. Default `false`.
   */
  readonly concurrent?: boolean;
}

type Result = IteratorResult<Chunk, void>;

/** The result of {@linkcode Source.next} at the end. */
const END: IteratorReturnResult<void> = Object.freeze({ done: true, value: undefined });

/**
 * Base class of sources. It keeps the rules of {@linkcode ByteSource}; a subclass implements
 * `pull`, and `release` if it holds resources.
 *
 * - `release` runs once, however the source ends: at its end, after an error of `pull`, or early by
 *   `return`. `next` and `return` wait for it.
 * - `return` settles a pending `next` with `done: true` at once. The `pull` in progress goes on;
 *   its result or error is dropped. A `release` that can interrupt it should.
 * - An error of `pull` rejects that `next` and ends the source. An error of `release` rejects only
 *   the first call that waits for it; after an error of `pull` it is dropped, because the first
 *   error wins.
 *
 * @example
 * ```ts
 * import { type Chunk, Source } from "@llmcmd/llmcmd/streams";
 *
 * class Countdown extends Source {
 *   #left = 3;
 *   protected override pull(): Chunk | undefined {
 *     return this.#left === 0 ? undefined : new Uint8Array([this.#left--]);
 *   }
 * }
 *
 * const seen: number[] = [];
 * for await (const chunk of new Countdown()) seen.push(...chunk);
 * if (seen.join() !== "3,2,1") throw new Error(seen.join());
 * ```
 */
export abstract class Source implements ByteSource {
  #ended = false;
  /** Settle the pending `next`, while its `pull` is in progress. */
  #resolve: ((result: Result) => void) | undefined;
  #reject: ((error: unknown) => void) | undefined;
  #released: Promise<void> | undefined;
  #releaseFailure: { error: unknown } | undefined;

  // One closure for each source, not for each chunk.
  readonly #hold = (resolve: (result: Result) => void, reject: (error: unknown) => void): void => {
    this.#resolve = resolve;
    this.#reject = reject;
  };
  readonly #onValue = (value: Chunk | undefined): void => {
    const resolve = this.#resolve;
    if (resolve === undefined) return; // `return` has answered already
    if (value === undefined) this.#finish();
    else if (value.length === 0) this.#again();
    else {
      this.#resolve = this.#reject = undefined;
      resolve({ done: false, value });
    }
  };
  readonly #onError = (error: unknown): void => {
    if (this.#reject !== undefined) this.#finish({ error });
  };

  /**
   * Returns the next chunk, or `undefined` at the end; at once or as a promise. Empty chunks are
   * skipped. Not called again after the end or an error, nor before the last call has settled.
   */
  protected abstract pull(): Promise<Chunk | undefined> | Chunk | undefined;

  /** Releases resources. Called once, also after the end or an error of `pull`. */
  protected release(): Promise<void> | void {}

  /**
   * Asks for the next chunk; see {@linkcode ByteSource.next}.
   *
   * @throws {TypeError} While another call is pending.
   */
  next(): Promise<IteratorResult<Chunk, void>> {
    if (this.#resolve !== undefined) {
      return Promise.reject(
        new TypeError("Cannot ask for a chunk: the last call of next() has not settled yet"),
      );
    }
    if (this.#ended) return Promise.resolve(END);
    let value: Promise<Chunk | undefined> | Chunk | undefined;
    try {
      value = this.pull();
    } catch (error) {
      const result = new Promise<Result>(this.#hold);
      this.#onError(error);
      return result;
    }
    // The fast path: a chunk that is available costs one promise.
    if (value instanceof Uint8Array && value.length > 0) {
      return this.#ended ? Promise.resolve(END) : Promise.resolve({ done: false, value });
    }
    const result = new Promise<Result>(this.#hold);
    this.#take(value);
    return result;
  }

  #take(value: Promise<Chunk | undefined> | Chunk | undefined): void {
    if (value === undefined || value instanceof Uint8Array) this.#onValue(value);
    else value.then(this.#onValue, this.#onError);
  }

  /** Pulls again after an empty chunk; the pending promise stays the same. */
  #again(): void {
    // A microtask keeps a long series of empty chunks from growing the stack.
    Promise.resolve().then(() => this.#resolve === undefined ? undefined : this.pull())
      .then(this.#onValue, this.#onError);
  }

  /** Releases, then settles the pending `next` with the end or the first error. */
  #finish(failure?: { error: unknown }): void {
    this.#release().then(() => {
      const resolve = this.#resolve;
      const reject = this.#reject;
      if (resolve === undefined) return; // `return` came in between, and reports
      this.#resolve = this.#reject = undefined;
      const first = failure ?? this.#releaseFailure;
      this.#releaseFailure = undefined;
      if (first === undefined) resolve(END);
      else reject?.(first.error);
    });
  }

  /** Releases once. Never rejects: keeps the error for the call that reports it. */
  #release(): Promise<void> {
    this.#ended = true;
    return this.#released ??= this.#runRelease();
  }

  async #runRelease(): Promise<void> {
    try {
      await this.release();
    } catch (error) {
      this.#releaseFailure = { error };
    }
  }

  /** Ends the source early; see {@linkcode ByteSource.return}. */
  async return(): Promise<IteratorResult<Chunk, void>> {
    const resolve = this.#resolve;
    this.#resolve = this.#reject = undefined;
    resolve?.(END);
    await this.#release();
    const failure = this.#releaseFailure;
    this.#releaseFailure = undefined;
    if (failure !== undefined) throw failure.error;
    return END;
  }

  /** Iterates over this source; leaving the loop calls {@linkcode return}. */
  [Symbol.asyncIterator](): AsyncIterableIterator<Chunk, void, void> {
    return this;
  }
}
