import { type ByteSource, type Chunk, randomAccessSource } from "../../../streams/mod.ts";
import { LineCursor } from "./cursor.ts";
import { Space } from "../../text/mod.ts";

/** Size of the reads of C's library from a pipe. */
const BUFFER = 4096;

/**
 * Standard input. The operand `-` and `R /dev/stdin` share it line by line, and `r /dev/stdin`
 * reads the rest.
 */
export class StandardInput {
  /** True if no more is read than a line needs (`-u`). */
  unbuffered = false;
  readonly #stdin: ByteSource;
  readonly #separator: number;
  readonly #longest: number;
  #feed: Feed | undefined;
  #lines: LineCursor | undefined;

  /** Creates an input of lines that end with `separator` and have at most `longest` bytes. */
  constructor(stdin: ByteSource, separator: number, longest: number) {
    this.#stdin = stdin;
    this.#separator = separator;
    this.#longest = longest;
  }

  /** The shared reader of its lines. */
  get lines(): LineCursor {
    this.#feed ??= new Feed(this.#stdin);
    return this.#lines ??= new LineCursor(this.#feed, this.#separator, this.#longest);
  }

  /** True if `cursor` is that reader. */
  reads(cursor: LineCursor): boolean {
    return cursor === this.#lines;
  }

  /**
   * The contents of `r /dev/stdin`: a regular file from its beginning, otherwise all that is left.
   * The readers of lines keep the bytes that C's library would have in its buffer: with `looked`,
   * at least the byte that it reads to see if another line follows. The chunks are lent; the block
   * of {@linkcode lines} becomes invalid.
   */
  async *rest(looked: boolean): AsyncGenerator<Chunk, void, void> {
    const { at } = this.#stdin;
    if (at !== undefined) return yield* randomAccessSource(at);
    if (this.#lines !== undefined && this.#feed?.open === true) {
      const { taken } = this.#lines;
      const read = taken + (looked ? 1 : 0);
      const held = this.unbuffered ? read : Math.ceil(read / BUFFER) * BUFFER;
      yield* this.#split(this.#lines, this.#feed, held - taken);
    }
    // Not closed, because another command may read it again.
    for (;;) {
      const { done, value } = await this.#stdin.next();
      if (done === true) return;
      yield value;
    }
  }

  /** Leaves the next `most` bytes to the cursor; yields the bytes in memory after them. */
  async *#split(
    lines: LineCursor,
    feed: Feed,
    most: number,
  ): AsyncGenerator<Chunk, void, void> {
    const kept = new Space();
    // The reader of lines returns its held bytes once its source seems to have ended.
    feed.open = false;
    do {
      const { block, at } = lines;
      const end = Math.min(block.length, at + most - kept.length);
      kept.append(block, at, end);
      if (end < block.length) yield block.subarray(end);
    } while (await lines.fill());
    while (kept.length < most) {
      const { done, value } = await this.#stdin.next();
      if (done === true) break;
      const end = Math.min(value.length, most - kept.length);
      kept.append(value, 0, end);
      if (end < value.length) yield value.subarray(end);
    }
    feed.kept = kept.bytes.subarray(kept.start, kept.end);
  }
}

/** Passes standard input to the reader of lines, until `r` takes the rest. */
class Feed implements ByteSource {
  /** True while standard input goes to the reader. */
  open = true;
  /** The bytes that the reader gets after that. */
  kept: Chunk | undefined;
  readonly #stdin: ByteSource;

  constructor(stdin: ByteSource) {
    this.#stdin = stdin;
  }

  next(): Promise<IteratorResult<Chunk, void>> {
    if (this.open) return this.#stdin.next();
    const { kept } = this;
    this.kept = undefined;
    return Promise.resolve(
      kept !== undefined && kept.length > 0
        ? { done: false, value: kept }
        : { done: true, value: undefined },
    );
  }

  return(): Promise<IteratorResult<Chunk, void>> {
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Chunk, void, void> {
    return this;
  }
}
