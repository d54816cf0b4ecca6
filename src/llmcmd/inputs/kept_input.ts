import { type ByteSource, raceAbort, Spool, type TempStore } from "../../streams/mod.ts";
import { type Input, type InputSlice, readSlice } from "./input.ts";

/** Bytes of a stream that are kept in memory before temporary storage is used. */
export const KEPT_IN_MEMORY = 16 * 1024 * 1024;

/**
 * A stream that the run was given, such as standard input or a FIFO. It is kept while it flows, so
 * that it can be read and piped from any number of times, as a file can.
 */
export class KeptInput implements Input {
  /** It comes from outside. */
  readonly pipeline = undefined;
  /** It comes from outside. */
  readonly feed = undefined;
  /** It stays where it is. */
  readonly went = undefined;
  /** It is kept. */
  readonly once = false;
  readonly #spool: Spool;
  #position = 0;
  #touched = false;

  /**
   * Reads from `source`, which holds the limit. Bytes beyond {@linkcode KEPT_IN_MEMORY} go to
   * `storage`; without it the first ones can no longer be read then.
   */
  constructor(source: ByteSource, storage?: () => Promise<TempStore>) {
    this.#spool = new Spool(source, { memory: KEPT_IN_MEMORY, storage });
  }

  /** True once some of it was read or piped. */
  get touched(): boolean {
    return this.#touched;
  }

  /** The offset of the next read. */
  get position(): number {
    return this.#position;
  }

  /** Reads at an offset: further on, or back as far as the stream is kept. */
  async peek(offset: number, count: number, signal: AbortSignal): Promise<InputSlice> {
    this.#touched = true;
    return await raceAbort(readSlice(this.#spool, offset, count), signal);
  }

  /** Sets the offset of the next read. */
  moveTo(position: number): void {
    this.#position = position;
  }

  /** It never waits for the model. */
  waitsFor(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** Throws when its beginning could not be kept. */
  checkPipe(): void {
    const { start } = this.#spool;
    if (start > 0) {
      throw new Error(
        `a pipe starts at byte 0, but this stream is longer than what can be kept of it, and the ` +
          `first byte still available is at offset ${start}: read the rest with the read tool`,
      );
    }
  }

  /** Gives the whole stream, whatever was read or piped of it before. */
  pipeTo(): ByteSource {
    this.checkPipe();
    this.#touched = true;
    return this.#spool.source();
  }

  /** Releases the stream, unless it is somebody else's and was not touched. */
  async close(): Promise<void> {
    if (this.#touched) await this.#spool.close();
  }
}
