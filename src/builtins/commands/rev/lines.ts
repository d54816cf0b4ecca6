import { nextSymbol } from "../../../regex/mod.ts";
import type { Chunk } from "../../../streams/mod.ts";
import { HeldBytes, readBlock, type Storage } from "../../hold/mod.ts";
import { LineOutput, Space } from "../../text/mod.ts";

/** What is collected of a line in one piece of memory, and what is reversed at once, in bytes. */
const BLOCK = 256 * 1024;
/** What a character may have in front of its last byte, in bytes. */
const BEFORE = 3;

/**
 * Puts out the characters of `bytes[start..end)`, which are UTF-8, from the last to the first one of
 * those that end after `limit`; gives where that begins. A character has to be whole: in front of
 * `limit` there are three bytes more if the text has so many.
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
      // Only a whole character may be put out as it is.
      while (from < at - 1 && nextSymbol(bytes, from, end) !== at) from++;
    }
    out.put(bytes, from, at);
    at = from;
  }
  return at;
}

/** Reverses lines that come in pieces, without holding a long one in memory. */
export class LineReverser {
  readonly out = new LineOutput();
  readonly #storage: Storage;
  /** The line, as long as it is not too long. */
  readonly #line = new Space();
  #held: HeldBytes | undefined;

  /** Reverses nothing yet; long lines go to `storage`. */
  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /**
   * Takes a piece of a line; with its last one, puts the line out without its separator.
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
