import { nextSymbol } from "../../../regex/mod.ts";
import type { Chunk } from "../../../streams/mod.ts";
import { HeldBytes, readBlock, type Storage } from "../../hold/mod.ts";
import { LineOutput, Space } from "../../text/mod.ts";

/** Bytes of a line held in memory, and reversed at once. */
const BLOCK = 256 * 1024;
/** Maximum number of bytes in a character before its last one. */
const BEFORE = 3;

/**
 * Outputs the characters of `bytes[start..end)` that end after `limit` in reverse order; the bytes
 * are UTF-8. Returns the start of the last one it output. So that each of them is complete, up to
 * three bytes precede `limit`.
 */
export function putReversed(
  bytes: Uint8Array,
  start: number,
  end: number,
  out: LineOutput,
  limit = start,
): number {
  let at = end;
  while (at > limit) {
    let from = at - 1;
    if ((bytes[from] as number) >= 0x80) {
      while (from > start && at - from < 4 && ((bytes[from] as number) & 0xc0) === 0x80) from--;
      // Only a complete character is output unchanged.
      while (from < at - 1 && nextSymbol(bytes, from, end) !== at) from++;
    }
    out.put(bytes, from, at);
    at = from;
  }
  return at;
}

/** Reverses lines that arrive in pieces, without holding a long one in memory. */
export class LineReverser {
  readonly out = new LineOutput();
  readonly #storage: Storage;
  /** The line, unless it is too long. */
  readonly #line = new Space();
  #held: HeldBytes | undefined;

  /** Long lines go to `storage`. */
  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /**
   * Adds a piece of a line; the last piece outputs the line without its separator.
   *
   * @throws {LimitError} If a line is too long and there is no temporary storage.
   */
  async *add(piece: Chunk, ends: boolean): AsyncGenerator<Chunk, void, void> {
    const line = this.#line;
    if (this.#held === undefined && line.length + piece.length <= BLOCK) line.append(piece);
    else {
      if (this.#held === undefined) {
        this.#held = new HeldBytes(this.#storage);
        await this.#held.add(line.bytes.subarray(line.start, line.end));
        line.clear();
      }
      if (!this.#held.put(piece)) await this.#held.add(piece);
    }
    if (!ends) return;
    if (this.#held === undefined) {
      putReversed(line.bytes, line.start, line.end, this.out);
      line.clear();
    } else {
      yield* this.#reverse(this.#held);
      this.#held = undefined;
    }
  }

  async *#reverse(line: HeldBytes): AsyncGenerator<Chunk, void, void> {
    const { out } = this;
    const held = await line.finish();
    const block: Chunk = new Uint8Array(BLOCK);
    for (let end = held.size; end > 0;) {
      const start = Math.max(0, end - BLOCK);
      const size = end - start;
      await readBlock(held, start, block.subarray(0, size));
      end = start + putReversed(block, 0, size, out, start === 0 ? 0 : BEFORE);
      if (out.length > 0) yield out.take();
    }
    await held.close();
    await this.#storage.release();
  }
}
