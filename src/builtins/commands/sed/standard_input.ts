import { type ByteSource, type Chunk, randomAccessSource } from "../../../streams/mod.ts";
import { LineCursor } from "./cursor.ts";
import { Space } from "../../text/mod.ts";

/** Bytes that C's library reads from a pipe at a time. */
const BUFFER = 4096;

/**
 * Standard input. The operand `-` and `R /dev/stdin` share it line by line, and `r /dev/stdin`
 * reads the rest.
 */
export class StandardInput {
  /** Whether no more is read than a line needs (`-u`). */
  unbuffered = false;
  readonly #stdin: ByteSource;
  readonly #separator: number;
  readonly #longest: number;
  #feed: Feed | undefined;
  #lines: LineCursor | undefined;

  /** Makes one of lines that end with `separator` and have at most so many bytes. */
  constructor(stdin: ByteSource, separator: number, longest: number) {
    this.#stdin = stdin;
    this.#separator = separator;
    this.#longest = longest;
  }

  /** The reader of its lines, which is shared. */
  get lines(): LineCursor {
    this.#feed ??= new Feed(this.#stdin);
    return this.#lines ??= new LineCursor(this.#feed, this.#separator, this.#longest);
  }

  /** Whether `cursor` is that reader. */
  reads(cursor: LineCursor): boolean {
    return cursor === this.#lines;
  }

  /**
   * What `r /dev/stdin` reads: a regular file from its beginning, else all that is left. The
   * readers of lines keep what C's library would hold in its buffer: with `looked` at least the
   * byte that it has read to see whether a line follows. The chunks are lent; the block of
   * {@linkcode lines} goes away.
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
    // Never closed here: another command may read it again.
    for (;;) {
      const { done, value } = await this.#stdin.next();
      if (done === true) return;
      yield value;
    }
  }

  /** Leaves the next `most` bytes to the cursor; returns what is in memory after them. */
  async *#split(
    lines: LineCursor,
    feed: Feed,
    most: number,
  ): AsyncGenerator<Chunk, void, void> {
    const kept = new Space();
    // The reader of lines returns what it holds when its source seems to have ended.
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

/** Gives standard input to the reader of lines, until `r` takes the rest. */
class Feed implements ByteSource {
  /** Whether standard input goes to the reader. */
  open = true;
  /** What the reader gets after that. */
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
