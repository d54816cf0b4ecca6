import type { Chunk } from "../../../streams/mod.ts";

const NOTHING: Chunk = new Uint8Array(0);

/**
 * A line in a lent block. It is copied only if it is still needed when the block becomes invalid.
 */
export class LineRef {
  /** The block that contains the line. */
  bytes: Chunk = NOTHING;
  /** Start of the line. */
  start = 0;
  /** End of the line, without its separator. */
  end = 0;
  /** A view of the block's whole buffer, and the block's offset in it. */
  #view = new DataView(NOTHING.buffer);
  #offset = 0;
  #copy: Chunk = NOTHING;

  /** Refers to another line. */
  set(bytes: Chunk, start: number, end: number): void {
    this.start = start;
    this.end = end;
    if (this.bytes === bytes) return;
    this.bytes = bytes;
    this.#offset = bytes.byteOffset;
    if (this.#view.buffer !== bytes.buffer) this.#view = new DataView(bytes.buffer);
  }

  /** Copies the line before its block becomes invalid. */
  keep(): void {
    if (this.bytes === this.#copy) return;
    const size = this.end - this.start;
    if (size > this.#copy.length) this.#copy = new Uint8Array(Math.max(size * 2, 256));
    this.#copy.set(this.bytes.subarray(this.start, this.end));
    this.set(this.#copy, 0, size);
  }

  /** Compares with another line as C's `memcmp` does; a prefix comes before the longer line. */
  compare(other: LineRef): number {
    const size = this.end - this.start;
    const otherSize = other.end - other.start;
    const a = this.#view;
    const b = other.#view;
    let i = this.#offset + this.start;
    const shift = other.#offset + other.start - i;
    const end = i + Math.min(size, otherSize);
    for (; i + 4 <= end; i += 4) {
      const difference = a.getUint32(i) - b.getUint32(i + shift);
      if (difference !== 0) return difference;
    }
    for (; i < end; i++) {
      const difference = a.getUint8(i) - b.getUint8(i + shift);
      if (difference !== 0) return difference;
    }
    return size - otherSize;
  }
}
