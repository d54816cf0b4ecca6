import type { Chunk } from "../streams/mod.ts";
import { VfsError } from "./errors.ts";

/** The bytes of a file that is not on the host. */
export interface Contents {
  /** Number of bytes. */
  readonly size: number;
  /**
   * Reads up to `into.length` bytes at an offset. Resolves to the number of bytes; 0 at the end.
   */
  read(at: number, into: Chunk): Promise<number>;
  /**
   * Writes the whole chunk at an offset, or at the end that the file has once all earlier calls are
   * done. Fills a gap before the offset with zeros.
   */
  write(at: number | "end", chunk: Chunk): Promise<void>;
  /** Sets the size; added bytes are zeros. */
  truncate(size: number): Promise<void>;
  /** Releases the memory or disk space, once the file has neither a name nor an open handle. */
  release(): Promise<void>;
}

/** A larger offset can only be a mistake: no array is that long. */
const MOST_BYTES = 2 ** 32;

/** Bytes in memory, in an array that grows by doubling. */
export class MemoryContents implements Contents {
  #bytes: Chunk;
  #size: number;

  /** Starts with a copy of `bytes`. */
  constructor(bytes: Chunk = new Uint8Array(0)) {
    this.#bytes = bytes.slice();
    this.#size = bytes.length;
  }

  get size(): number {
    return this.#size;
  }

  read(at: number, into: Chunk): Promise<number> {
    if (at >= this.#size) return Promise.resolve(0);
    const part = this.#bytes.subarray(at, Math.min(this.#size, at + into.length));
    into.set(part);
    return Promise.resolve(part.length);
  }

  // deno-lint-ignore require-await
  async write(at: number | "end", chunk: Chunk): Promise<void> {
    const begin = at === "end" ? this.#size : at;
    const end = begin + chunk.length;
    this.#reserve(end);
    this.#bytes.set(chunk, begin);
    this.#size = Math.max(this.#size, end);
  }

  // deno-lint-ignore require-await
  async truncate(size: number): Promise<void> {
    if (size < this.#size) this.#bytes.fill(0, size, this.#size);
    else this.#reserve(size);
    this.#size = size;
  }

  release(): Promise<void> {
    this.#bytes = new Uint8Array(0);
    this.#size = 0;
    return Promise.resolve();
  }

  #reserve(size: number): void {
    if (size <= this.#bytes.length) return;
    if (size > MOST_BYTES) throw new VfsError("EFBIG", "", "grow a file in memory");
    const grown = new Uint8Array(Math.min(MOST_BYTES, Math.max(size, this.#bytes.length * 2)));
    grown.set(this.#bytes.subarray(0, this.#size));
    this.#bytes = grown;
  }
}
