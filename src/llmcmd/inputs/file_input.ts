import { type ByteSource, type RandomAccess, randomAccessSource } from "../../streams/mod.ts";
import { type Input, type InputSlice, readSlice } from "./input.ts";

/**
 * A regular file. It can be read and piped any number of times, each time with a position of its
 * own.
 */
export class FileInput implements Input {
  /** A file comes out of no pipe. */
  readonly pipeline = undefined;
  /** A file comes out of no pipe. */
  readonly feed = undefined;
  /** A file stays where it is. */
  readonly went = undefined;
  /** A file loses nothing when nobody reads it. */
  readonly touched = true;
  /** A file can be read from its beginning at any time. */
  readonly once = false;
  readonly #at: RandomAccess;
  #position = 0;

  /** Reads through `at`, which holds the limit. */
  constructor(at: RandomAccess) {
    this.#at = at;
  }

  /** Reads at an offset; an offset past the end gives nothing. */
  async peek(offset: number, count: number): Promise<InputSlice> {
    // The end is where a read returns nothing, not at `size`: files grow, and those in /proc have
    // size 0.
    return await readSlice(this.#at, offset, count);
  }

  /** The offset of the next read. */
  get position(): number {
    return this.#position;
  }

  /** Sets the offset of the next read. */
  moveTo(position: number): void {
    this.#position = position;
  }

  /** A file never waits. */
  waitsFor(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** A file can always be piped. */
  checkPipe(): void {}

  /** Gives the whole file, independent of what was read before. */
  pipeTo(): ByteSource {
    return randomAccessSource(this.#at);
  }
}
