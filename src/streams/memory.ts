import { type ByteSink, type ByteSource, type Chunk, type RandomAccess, Source } from "./source.ts";

/** Options of {@linkcode memorySource}. */
export interface MemorySourceOptions {
  /** Bytes in a chunk, at least 1. Default 65,536. */
  readonly chunkSize?: number;
  /** True to offer random access (`at`), as a regular file does. Default `false`. */
  readonly seekable?: boolean;
}

class MemorySource extends Source {
  readonly at?: RandomAccess;
  readonly #bytes: Chunk;
  readonly #chunkSize: number;
  #offset = 0;

  constructor(bytes: Chunk, { chunkSize = 65_536, seekable = false }: MemorySourceOptions) {
    super();
    if (!Number.isSafeInteger(chunkSize) || chunkSize < 1) {
      throw new RangeError(`Cannot cut chunks of ${chunkSize} bytes: give a whole number above 0`);
    }
    this.#bytes = bytes;
    this.#chunkSize = chunkSize;
    if (seekable) this.at = memoryAccess(bytes);
  }

  protected override pull(): Chunk | undefined {
    const start = this.#offset;
    if (start >= this.#bytes.length) return undefined;
    this.#offset = start + this.#chunkSize;
    return this.#bytes.subarray(start, this.#offset);
  }
}

/**
 * Random access to bytes in memory, as if they were a regular file.
 *
 * @param bytes The bytes; not copied.
 */
export function memoryAccess(bytes: Chunk): RandomAccess {
  return {
    size: bytes.length,
    read(offset, into) {
      const part = bytes.subarray(offset, offset + into.length);
      into.set(part);
      return Promise.resolve(part.length);
    },
  };
}

/**
 * Makes a source of bytes in memory. Chunks are views of `bytes`, which is not copied.
 *
 * @param bytes The bytes, or text that is encoded as UTF-8.
 *
 * @example
 * ```ts
 * import { drain, memorySource, MemorySink } from "@llmcmd/llmcmd/streams";
 *
 * const sink = new MemorySink();
 * await drain(memorySource("a\nb\n", { chunkSize: 3 }), sink);
 * if (sink.text() !== "a\nb\n") throw new Error(sink.text());
 * ```
 */
export function memorySource(bytes: Chunk | string, options: MemorySourceOptions = {}): ByteSource {
  return new MemorySource(
    typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes,
    options,
  );
}

/** A sink that keeps everything in memory, without a limit; {@linkcode CaptureSink} has one. */
export class MemorySink implements ByteSink {
  #buffer: Chunk = new Uint8Array(0);
  #length = 0;
  #closed = false;

  /** True if {@linkcode close} or {@linkcode abort} was called. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Number of bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /**
   * Appends a copy of the chunk.
   *
   * @throws {TypeError} After the sink was closed.
   */
  write(chunk: Chunk): Promise<void> {
    if (this.#closed) return Promise.reject(new TypeError("Cannot write: the sink is closed"));
    const end = this.#length + chunk.length;
    if (end > this.#buffer.length) {
      const grown = new Uint8Array(Math.max(end, this.#buffer.length * 2, 256));
      grown.set(this.bytes());
      this.#buffer = grown;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = end;
    return Promise.resolve();
  }

  /** Refuses further writes; the bytes written stay readable. */
  close(): Promise<void> {
    this.#closed = true;
    return Promise.resolve();
  }

  /** Same as {@linkcode close}. */
  abort(): Promise<void> {
    return this.close();
  }

  /** The bytes written so far: a view that later writes do not change. */
  bytes(): Chunk {
    return this.#buffer.subarray(0, this.#length);
  }

  /** The bytes written so far, decoded as UTF-8 (invalid bytes become U+FFFD). */
  text(): string {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(this.bytes());
  }
}
