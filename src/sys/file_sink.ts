import type { ByteSink, Chunk } from "../streams/mod.ts";
import { fileError, isBrokenPipe } from "./errors.ts";

/** The part of `Deno.FsFile` and `Deno.stdout` that a sink needs. */
export interface Writable {
  /** Writes some of the bytes, and returns their number. */
  write(bytes: Uint8Array): Promise<number>;
  /** Closes the file. */
  close(): void;
}

/**
 * Milliseconds until the next try to write to a full descriptor in non-blocking mode, which another
 * process may have set.
 */
const FULL = 2;

/**
 * A sink over an open file. Writes are asynchronous, because a synchronous write to a full pipe
 * could not be interrupted, and are repeated until every byte is written. EPIPE passes unchanged,
 * as `Deno.errors.BrokenPipe`; every other failure is a `FileError`.
 */
export class FileSink implements ByteSink {
  /** The system writes while this thread continues. */
  readonly concurrent = true;
  readonly #file: Writable;
  readonly #name: string;
  readonly #path: string;
  readonly #keepOpen: boolean;
  #closed = false;
  #written = 0;

  /** `name` is used in messages. With `keepOpen` the sink never closes the file. */
  constructor(file: Writable, options: { name: string; path?: string; keepOpen?: boolean }) {
    this.#file = file;
    this.#name = options.name;
    this.#path = options.path ?? options.name;
    this.#keepOpen = options.keepOpen === true;
  }

  /** Bytes written so far. */
  get written(): number {
    return this.#written;
  }

  /** Writes the whole chunk. */
  async write(chunk: Chunk): Promise<void> {
    if (this.#closed) throw new TypeError(`Cannot write to ${this.#name}: it is closed`);
    let rest = chunk;
    while (rest.length > 0) {
      const length = await this.#step(rest);
      this.#written += length;
      rest = rest.subarray(length);
    }
  }

  async #step(bytes: Chunk): Promise<number> {
    try {
      return await this.#file.write(bytes);
    } catch (error) {
      if (error instanceof Deno.errors.WouldBlock) {
        await new Promise((resolve) => setTimeout(resolve, FULL));
        return 0;
      }
      throw isBrokenPipe(error) ? error : fileError(`write ${this.#name}`, this.#path, error);
    }
  }

  /** Closes the file. */
  close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      if (!this.#keepOpen) this.#file.close();
    }
    return Promise.resolve();
  }

  /** Closes the file too; bytes that have been written stay. */
  abort(): Promise<void> {
    return this.close();
  }
}
