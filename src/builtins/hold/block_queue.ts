import type { Chunk } from "../../streams/mod.ts";
import { countNewlines } from "../text/mod.ts";

const BLOCK = 64 * 1024;

interface Block {
  readonly bytes: Chunk;
  /** Indices of the first byte in use and after the last one. */
  start: number;
  end: number;
  /** Separators in use. */
  lines: number;
}

/** A queue of a stream's latest bytes, copied in blocks, with the number of lines in each block. */
export class BlockQueue {
  readonly #separator: number;
  #blocks: Block[] = [];
  #spare: Chunk[] = [];
  /** Bytes in the queue. */
  bytes = 0;
  /** Separators in the queue. */
  lines = 0;

  /** Creates an empty queue for lines that end with `separator`. */
  constructor(separator: number) {
    this.#separator = separator;
  }

  /** True if the last line is incomplete: the last byte is not a separator. */
  get unfinished(): boolean {
    const last = this.#blocks.at(-1);
    return last !== undefined && last.bytes[last.end - 1] !== this.#separator;
  }

  /** Numbers of bytes and separators in the oldest block. */
  get first(): { readonly bytes: number; readonly lines: number } | undefined {
    const block = this.#blocks[0];
    return block && { bytes: block.end - block.start, lines: block.lines };
  }

  /** Copies a chunk to the end of the queue. */
  push(chunk: Chunk): void {
    for (let at = 0; at < chunk.length;) {
      let block = this.#blocks.at(-1);
      if (block === undefined || block.end === BLOCK) {
        block = { bytes: this.#spare.pop() ?? new Uint8Array(BLOCK), start: 0, end: 0, lines: 0 };
        this.#blocks.push(block);
      }
      const piece = chunk.subarray(at, at + BLOCK - block.end);
      block.bytes.set(piece, block.end);
      const lines = countSeparators(piece, this.#separator);
      block.end += piece.length;
      block.lines += lines;
      this.lines += lines;
      this.bytes += piece.length;
      at += piece.length;
    }
  }

  /** Removes and returns the oldest block, which is valid until the next `push`. */
  shift(): Chunk {
    const block = this.#blocks.shift();
    if (block === undefined) return new Uint8Array(0);
    this.bytes -= block.end - block.start;
    this.lines -= block.lines;
    if (this.#spare.length < 2) this.#spare.push(block.bytes);
    return block.bytes.subarray(block.start, block.end);
  }

  /** Yields all bytes and empties the queue. */
  *drain(): Generator<Chunk, void, void> {
    while (this.#blocks.length > 0) yield this.shift();
  }
}

/** Counts the separators in a chunk. */
export function countSeparators(chunk: Chunk, separator: number): number {
  if (separator === 10) return countNewlines(chunk);
  let count = 0;
  for (let at = chunk.indexOf(separator); at >= 0; at = chunk.indexOf(separator, at + 1)) count++;
  return count;
}

/** Offset after the `count`-th separator, which must exist; 0 for a count of 0. */
export function afterSeparators(chunk: Chunk, separator: number, count: number): number {
  let at = 0;
  for (let i = 0; i < count; i++) at = chunk.indexOf(separator, at) + 1;
  return at;
}
