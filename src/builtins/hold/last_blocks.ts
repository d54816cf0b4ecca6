import type { Chunk } from "../../streams/mod.ts";
import { afterSeparators, countSeparators } from "./block_queue.ts";

const BLOCK = 64 * 1024;
/** Lines are counted again only after this many more bytes. */
const STEP = 1024 * 1024;

interface Block {
  readonly bytes: Chunk;
  /** Number of bytes in use. */
  length: number;
}

/** The end of a stream: copies of its latest bytes, in blocks. */
export class LastBlocks {
  #blocks: Block[] = [];
  readonly #spare: Chunk[] = [];
  #size = 0;
  /** The size at which lines are counted next. */
  #limit = STEP;

  /** Number of bytes left after unneeded blocks were last dropped. */
  kept = 0;

  /** Adds a chunk without dropping anything. */
  push(chunk: Chunk): void {
    for (let at = 0; at < chunk.length;) {
      let block = this.#blocks.at(-1);
      if (block === undefined || block.length === BLOCK) {
        block = { bytes: this.#spare.pop() ?? new Uint8Array(BLOCK), length: 0 };
        this.#blocks.push(block);
      }
      const piece = chunk.subarray(at, at + BLOCK - block.length);
      block.bytes.set(piece, block.length);
      block.length += piece.length;
      at += piece.length;
    }
    this.#size += chunk.length;
  }

  /** Adds a chunk and drops blocks that do not belong to the last `count` bytes. */
  pushBytes(chunk: Chunk, count: number): void {
    if (chunk.length >= count) {
      this.#forget(this.#blocks.length);
      this.push(chunk.subarray(chunk.length - count));
      this.kept = this.#size;
      return;
    }
    this.push(chunk);
    let old = 0;
    let size = this.#size;
    for (;; old++) {
      size -= this.#blocks[old]?.length ?? Infinity;
      if (size < count) break;
    }
    this.#forget(old);
    this.kept = this.#size;
  }

  /** Adds a chunk, and occasionally drops blocks that do not belong to the last `count` lines. */
  pushLines(chunk: Chunk, count: number, separator: number): void {
    this.push(chunk);
    if (this.#size < this.#limit) return;
    let lines = 0;
    let first = this.#blocks.length;
    while (first > 0 && lines <= count) lines += this.#lines(--first, separator);
    this.#forget(first);
    this.kept = this.#size;
    this.#limit = this.#size * 1.5 + STEP;
  }

  /** Yields the last `count` bytes and empties the object. */
  *lastBytes(count: number): Generator<Chunk, void, void> {
    yield* this.#drain(Math.max(0, this.#size - count));
  }

  /** Yields the last `count` lines and empties the object. The last line may lack its separator. */
  *lastLines(count: number, separator: number): Generator<Chunk, void, void> {
    const last = this.#blocks.at(-1);
    if (last === undefined) return;
    /** Number of separators from the one before the first wanted line to the end. */
    let wanted = count + (last.bytes[last.length - 1] === separator ? 1 : 0);
    let offset = this.#size;
    for (let i = this.#blocks.length - 1; i >= 0; i--) {
      const { bytes, length } = this.#blocks[i] as Block;
      offset -= length;
      const lines = this.#lines(i, separator);
      if (lines >= wanted) {
        offset += afterSeparators(bytes.subarray(0, length), separator, lines - wanted + 1);
        break;
      }
      wanted -= lines;
    }
    yield* this.#drain(offset);
  }

  #lines(index: number, separator: number): number {
    const { bytes, length } = this.#blocks[index] as Block;
    return countSeparators(bytes.subarray(0, length), separator);
  }

  /** Drops the oldest blocks. */
  #forget(count: number): void {
    for (const { bytes, length } of this.#blocks.splice(0, count)) {
      this.#size -= length;
      if (this.#spare.length * BLOCK < STEP) this.#spare.push(bytes);
    }
  }

  *#drain(skip: number): Generator<Chunk, void, void> {
    const blocks = this.#blocks;
    this.#blocks = [];
    this.#size = 0;
    let left = skip;
    for (const { bytes, length } of blocks) {
      if (left < length) yield bytes.subarray(left, length);
      left = Math.max(0, left - length);
    }
  }
}
