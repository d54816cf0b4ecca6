import { type Limit, LimitError } from "./limit.ts";
import { BrokenPipeError } from "./pipe.ts";
import { type ByteSink, type ByteSource, type Chunk, Source } from "./source.ts";

/**
 * A pipe whose writer never waits: bytes stay in a bounded buffer until they are read.
 *
 * Made by {@linkcode bufferedPipe}.
 */
export interface BufferedPipe {
  /** The end to read from. `next` waits while the buffer is empty and the pipe is open. */
  readonly source: ByteSource;
  /**
   * The end to write to. A write copies its chunk and settles at once. It fails with
   * {@linkcode LimitError} if the chunk does not fit, and writes nothing then; it fails with
   * {@linkcode BrokenPipeError} after the reader has left. `close` does not wait for the reader.
   */
  readonly sink: ByteSink & { abort(reason?: unknown): Promise<void> };
  /** Number of bytes that were written and not yet read. */
  readonly available: number;
  /** Largest number of bytes that the buffer holds. */
  readonly capacity: number;
  /** True if the write end was closed or aborted. */
  readonly closed: boolean;
  /** True if the reader waits for a write. */
  readonly starved: boolean;
  /**
   * Resolves when the reader waits for a write, at once if it does so now. Never rejects; stays
   * pending if that never happens.
   */
  whenStarved(): Promise<void>;
}

class PipeBuffer extends Source implements BufferedPipe {
  readonly #limit: Limit;
  #buffer: Chunk = new Uint8Array(0);
  #spare: Chunk = new Uint8Array(0);
  #length = 0;
  #state: "open" | "closed" | "failed" | "left" = "open";
  #error: unknown;
  #wake: { resolve(): void } | undefined;
  #onStarved: (() => void)[] = [];

  constructor(limit: Limit) {
    super();
    if (!Number.isSafeInteger(limit.max) || limit.max < 1) {
      throw new RangeError(`Cannot make a pipe of ${limit.max} bytes: give a whole number above 0`);
    }
    this.#limit = limit;
  }

  readonly source: ByteSource = this;
  readonly sink = {
    write: (chunk: Chunk): Promise<void> => this.#write(chunk),
    close: (): Promise<void> => this.#end("closed"),
    abort: (reason?: unknown): Promise<void> => {
      const error = reason ?? new DOMException("The pipe was aborted", "AbortError");
      return this.#end("failed", error);
    },
  };

  get available(): number {
    return this.#length;
  }

  get capacity(): number {
    return this.#limit.max;
  }

  get closed(): boolean {
    return this.#state === "closed" || this.#state === "failed";
  }

  get starved(): boolean {
    return this.#wake !== undefined;
  }

  whenStarved(): Promise<void> {
    if (this.starved) return Promise.resolve();
    return new Promise((resolve) => this.#onStarved.push(resolve));
  }

  protected override async pull(): Promise<Chunk | undefined> {
    if (this.#length === 0 && this.#state === "open") {
      const woken = new Promise<void>((resolve) => this.#wake = { resolve });
      for (const resolve of this.#onStarved.splice(0)) resolve();
      await woken;
    }
    if (this.#state === "failed") throw this.#error;
    if (this.#length === 0) return undefined;
    // Lends the whole buffer and fills the other one, until the next pull swaps them again.
    const lent = this.#buffer.subarray(0, this.#length);
    this.#buffer = this.#spare;
    this.#spare = new Uint8Array(lent.buffer);
    this.#length = 0;
    return lent;
  }

  protected override release(): void {
    if (this.#state === "open") this.#state = "left";
    this.#length = 0;
    this.#buffer = this.#spare = new Uint8Array(0);
    this.#wakeReader();
  }

  #write(chunk: Chunk): Promise<void> {
    if (this.#state === "left") return Promise.reject(new BrokenPipeError());
    if (this.#state === "failed") return Promise.reject(this.#error);
    if (this.#state === "closed") {
      return Promise.reject(new TypeError("Cannot write: the pipe is closed"));
    }
    const end = this.#length + chunk.length;
    const { name, max } = this.#limit;
    if (end > max) {
      return Promise.reject(
        new LimitError(
          this.#limit,
          `Cannot write ${chunk.length} bytes: ${this.#length} bytes wait and ${name} is ` +
            `${max} bytes; read from the pipe first`,
        ),
      );
    }
    if (end > this.#buffer.length) {
      const grown = new Uint8Array(Math.min(max, Math.max(end, this.#buffer.length * 2, 4096)));
      grown.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = grown;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = end;
    if (end > 0) this.#wakeReader();
    return Promise.resolve();
  }

  #end(state: "closed" | "failed", error?: unknown): Promise<void> {
    if (this.#state === "open") {
      this.#state = state;
      this.#error = error;
      this.#wakeReader();
    }
    return Promise.resolve();
  }

  #wakeReader(): void {
    this.#wake?.resolve();
    this.#wake = undefined;
  }
}

/**
 * Makes a pipe whose writer never waits: for a writer that cannot be suspended, such as a tool call
 * of an LLM.
 *
 * @param capacity Most bytes that the buffer holds, or a limit with the name for error messages.
 * Default: "the pipe buffer" of 1 MiB.
 *
 * @example
 * ```ts
 * import { bufferedPipe, drain, MemorySink } from "@llmcmd/llmcmd/streams";
 *
 * const { source, sink } = bufferedPipe(1024);
 * await sink.write(new TextEncoder().encode("hello\n"));
 * await sink.close();
 * const out = new MemorySink();
 * if (await drain(source, out) !== 6 || out.text() !== "hello\n") throw new Error(out.text());
 * ```
 */
export function bufferedPipe(capacity: number | Limit = 1024 * 1024): BufferedPipe {
  return new PipeBuffer(
    typeof capacity === "number" ? { name: "the pipe buffer", max: capacity } : capacity,
  );
}
