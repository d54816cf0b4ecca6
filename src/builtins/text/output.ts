import type { Chunk } from "../../streams/mod.ts";

/** Size of the block in which output is collected, in bytes. */
const BLOCK = 64 * 1024;
/** Pieces of at least this size are passed on as they are, not copied. */
const PASS_THROUGH = 16 * 1024;
/** Shorter pieces are copied faster by a loop than by `set`. */
const SHORT = 24;

const encoder = new TextEncoder();

/**
 * Collects a builtin's output in one reused block of 64 KiB. In an async generator:
 *
 * ```ts ignore
 * if (!out.put(bytes, start, end)) yield* out.spill(bytes, start, end);
 * // ... when the input pauses, and at the end:
 * if (out.length > 0) yield out.take();
 * ```
 *
 * Yielded bytes are lent, like every chunk: they are overwritten when the generator continues.
 */
export class Output {
  /** The block. A caller in a hot loop may write to it at `length` while there is `room`. */
  readonly bytes: Chunk = new Uint8Array(BLOCK);
  /** Number of bytes of the block in use. */
  length = 0;

  /** Number of bytes that still fit. */
  get room(): number {
    return BLOCK - this.length;
  }

  /**
   * Adds a copy of a piece; does nothing and returns false if the piece does not fit or is too
   * large.
   */
  put(from: Uint8Array, start = 0, end: number = from.length): boolean {
    const size = end - start;
    const at = this.length;
    if (size > BLOCK - at || size >= PASS_THROUGH) return false;
    if (size <= SHORT) {
      const bytes = this.bytes;
      for (let i = 0; i < size; i++) bytes[at + i] = from[start + i] as number;
    } else {
      this.bytes.set(from.subarray(start, end), at);
    }
    this.length = at + size;
    return true;
  }

  /**
   * Yields the bytes collected so far and then the piece itself if it is large; otherwise collects
   * the piece.
   */
  *spill(from: Chunk, start = 0, end: number = from.length): Generator<Chunk, void, void> {
    if (this.length > 0) yield this.take();
    if (end - start >= PASS_THROUGH) yield from.subarray(start, end);
    else this.put(from, start, end);
  }

  /** Adds one byte and returns true, or returns false if the block is full. */
  putByte(byte: number): boolean {
    if (this.length >= BLOCK) return false;
    this.bytes[this.length++] = byte;
    return true;
  }

  /** Returns the bytes collected so far and removes them. */
  take(): Chunk {
    const taken = this.bytes.subarray(0, this.length);
    this.length = 0;
    return taken;
  }
}

/** Returns a text as UTF-8 bytes. */
export function utf8(text: string): Chunk {
  return encoder.encode(text);
}
