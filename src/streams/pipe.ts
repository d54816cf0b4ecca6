import { type ByteSink, type ByteSource, type Chunk, Source } from "./source.ts";

/** A write to a pipe whose reader has left (POSIX EPIPE). */
export class BrokenPipeError extends Error {
  /** The POSIX error's name. */
  readonly code: "EPIPE" = "EPIPE" as const;

  /** Creates the error. */
  constructor(message = "Cannot write: the pipe's reader has left") {
    super(message);
    this.name = "BrokenPipeError";
  }
}

/** The two ends of a pipe. */
export interface Pipe {
  /** The end to read from. */
  readonly source: ByteSource;
  /**
   * The end to write to. Unlike other sinks it accepts overlapping writes, in the order of the
   * calls.
   */
  readonly sink: ByteSink & { abort(reason?: unknown): Promise<void> };
}

/** A write that waits for the reader. */
interface Write {
  readonly chunk: Chunk;
  resolve(): void;
  reject(error: unknown): void;
}

class PipeSource extends Source implements Pipe {
  /** Writes that the reader has not got yet. */
  #waiting: Write[] = [];
  /** The write whose chunk the reader is using. */
  #lent: Write | undefined;
  /** A pull that waits for a writer. */
  #wake: { resolve(chunk: Chunk | undefined): void; reject(error: unknown): void } | undefined;
  #state: "open" | "closed" | "failed" | "left" = "open";
  #error: unknown;
  /** Pending calls of `close`, which wait until all writes have been read. */
  #closing: { resolve(): void; reject(error: unknown): void }[] = [];

  get source(): ByteSource {
    return this;
  }

  readonly sink = {
    write: (chunk: Chunk): Promise<void> => this.#write(chunk),
    close: (): Promise<void> => this.#close(),
    abort: (reason?: unknown): Promise<void> => this.#fail(reason),
  };

  protected override pull(): Promise<Chunk | undefined> | Chunk | undefined {
    this.#giveBack();
    const write = this.#waiting.shift();
    if (write !== undefined) {
      this.#lent = write;
      return write.chunk;
    }
    if (this.#state === "failed") throw this.#error;
    if (this.#state !== "open") return undefined;
    return new Promise((resolve, reject) => this.#wake = { resolve, reject });
  }

  protected override release(): void {
    if (this.#state !== "failed") this.#state = "left";
    this.#giveBack();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const write of waiting) write.reject(new BrokenPipeError());
    this.#settleClosing();
    this.#endWait();
  }

  /** Settles the write whose chunk the reader has used: its writer may reuse the memory. */
  #giveBack(): void {
    this.#lent?.resolve();
    this.#lent = undefined;
    if (this.#waiting.length === 0) this.#settleClosing();
  }

  #settleClosing(): void {
    for (const { resolve } of this.#closing.splice(0)) resolve();
  }

  /** Ends a pull that waits for a writer: no more bytes will come. */
  #endWait(): void {
    this.#wake?.resolve(undefined);
    this.#wake = undefined;
  }

  #write(chunk: Chunk): Promise<void> {
    if (this.#state === "left") return Promise.reject(new BrokenPipeError());
    if (this.#state === "failed") return Promise.reject(this.#error);
    if (this.#state === "closed") {
      return Promise.reject(new TypeError("Cannot write: the pipe is closed"));
    }
    if (chunk.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const write = { chunk, resolve, reject };
      const wake = this.#wake;
      if (wake === undefined) {
        this.#waiting.push(write);
        return;
      }
      this.#wake = undefined;
      this.#lent = write;
      wake.resolve(chunk);
    });
  }

  #close(): Promise<void> {
    if (this.#state === "open") {
      this.#state = "closed";
      this.#endWait();
    }
    if (this.#lent === undefined && this.#waiting.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => this.#closing.push({ resolve, reject }));
  }

  #fail(reason: unknown): Promise<void> {
    const lost = this.#state === "closed" && this.#waiting.length > 0;
    if (this.#state !== "open" && !lost) {
      this.#settleClosing(); // all was given; no need to wait until it has been used
      return Promise.resolve();
    }
    this.#state = "failed";
    this.#error = reason ?? new DOMException("The pipe was aborted", "AbortError");
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const write of waiting) write.reject(this.#error);
    for (const { reject } of this.#closing.splice(0)) reject(this.#error);
    this.#wake?.reject(this.#error);
    this.#wake = undefined;
    return Promise.resolve();
  }
}

/**
 * Makes a pipe without a buffer, like Go's `io.Pipe`: a write waits until the reader has used its
 * bytes and asks for more.
 *
 * - A write lends its chunk to the reader: it settles when the reader asks for the next chunk or
 *   leaves.
 * - Several writers may write at once; each chunk arrives whole, in the order of the calls.
 * - `sink.close()` gives the reader all written chunks, then the end, and resolves once they are
 *   read. Later writes fail with a TypeError.
 * - `sink.abort(reason)` rejects the reader's pending or next `next` and all waiting writes with
 *   the reason. The first error wins: an abort after the end has no effect.
 * - `source.return()` makes waiting and later writes fail with {@linkcode BrokenPipeError}.
 *
 * @example
 * ```ts
 * import { pipe } from "@llmcmd/llmcmd/streams";
 *
 * const { source, sink } = pipe();
 * const written = sink.write(new Uint8Array([1, 2])).then(() => sink.close());
 * const seen: number[] = [];
 * for await (const chunk of source) seen.push(...chunk);
 * await written;
 * if (seen.join() !== "1,2") throw new Error(seen.join());
 * ```
 */
export function pipe(): Pipe {
  const { source, sink } = new PipeSource();
  return { source, sink };
}
