import type { ByteSink, Chunk } from "./source.ts";
import { MemorySink } from "./memory.ts";

/**
 * A sink that keeps the first `limit` bytes and counts the rest, in bounded memory: for long output
 * such as a command's standard error.
 */
export class CaptureSink implements ByteSink {
  readonly #kept = new MemorySink();
  readonly #limit: number;
  #total = 0;

  /** Makes a sink that keeps at most `limit` bytes. */
  constructor(limit: number) {
    if (Number.isNaN(limit) || limit < 0) {
      throw new RangeError(`Cannot keep ${limit} bytes: give a number of at least 0`);
    }
    this.#limit = limit;
  }

  /** Number of bytes written, kept or not. */
  get total(): number {
    return this.#total;
  }

  /** True if bytes were dropped. */
  get truncated(): boolean {
    return this.#total > this.#limit;
  }

  /** Keeps the part that fits and counts the rest. */
  write(chunk: Chunk): Promise<void> {
    const room = this.#limit - this.#kept.length;
    if (!this.#kept.closed) this.#total += chunk.length;
    return this.#kept.write(chunk.length > room ? chunk.subarray(0, room) : chunk);
  }

  /** Refuses further writes; the bytes kept stay readable. */
  close(): Promise<void> {
    return this.#kept.close();
  }

  /** Same as {@linkcode close}. */
  abort(): Promise<void> {
    return this.close();
  }

  /** The bytes kept: a view that later writes do not change. */
  bytes(): Chunk {
    return this.#kept.bytes();
  }

  /**
   * The bytes kept, decoded as UTF-8 (invalid bytes become U+FFFD). A character that the limit cut
   * is left out.
   */
  text(): string {
    // With `stream`, the decoder holds back an incomplete last character.
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    return decoder.decode(this.bytes(), { stream: this.truncated });
  }
}
