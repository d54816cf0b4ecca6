import type { ByteSource, Chunk } from "../../streams/mod.ts";

const NOTHING: Chunk = new Uint8Array(0);
/** Lines up to this size, in bytes, are never cut. */
const MOST = 256 * 1024;

/**
 * Cuts a source into blocks of whole lines, and longer lines into pieces, so that no line is held
 * in memory, however long it is.
 *
 * Blocks of lines end with the separator; only the source's last one may lack it. Blocks are lent:
 * valid until the next call.
 */
export class LineBlocks {
  /** True if the block is a piece of a long line. */
  piece = false;
  /** True if the line ends with this piece, which then includes the separator. */
  ends = true;
  readonly #source: ByteSource;
  readonly #separator: number;
  #carry: Chunk = NOTHING;
  #carried = 0;
  /** The part of the source's current chunk that has not been returned yet. */
  #rest: Chunk = NOTHING;

  /** Creates a reader of lines that end with `separator`, a byte. */
  constructor(source: ByteSource, separator: number) {
    this.#source = source;
    this.#separator = separator;
  }

  /**
   * Returns the next block or piece, or `undefined` at the end. A piece is empty only if it ends a
   * long last line without a separator.
   */
  async next(): Promise<Chunk | undefined> {
    for (;;) {
      if (this.#rest.length === 0) {
        const { done, value } = await this.#source.next();
        if (done === true) return this.#finish();
        this.#rest = value;
      }
      const rest = this.#rest;
      const inside = this.piece && !this.ends;
      if (inside || this.#carried > 0) {
        const first = rest.indexOf(this.#separator) + 1;
        if (inside) return this.#piece(first > 0 ? first : rest.length, first > 0);
        const size = first > 0 ? first : rest.length;
        if (this.#carried + size > MOST) return this.#long();
        this.#keep(rest.subarray(0, size));
        this.#rest = rest.subarray(size);
        if (first > 0) return this.#whole(this.#takeCarry());
        continue;
      }
      const last = rest.lastIndexOf(this.#separator) + 1;
      if (last === 0 && rest.length > MOST) return this.#piece(rest.length, false);
      if (rest.length - last > MOST) {
        this.#rest = rest.subarray(last);
        return this.#whole(rest.subarray(0, last));
      }
      this.#keep(rest.subarray(last));
      this.#rest = NOTHING;
      if (last > 0) return this.#whole(rest.subarray(0, last));
    }
  }

  /** Returns the bytes kept so far as the first piece of a line that is too long to keep. */
  #long(): Chunk {
    this.piece = true;
    this.ends = false;
    return this.#takeCarry();
  }

  #whole(block: Chunk): Chunk {
    this.piece = false;
    this.ends = true;
    return block;
  }

  #piece(size: number, ends: boolean): Chunk {
    const piece = this.#rest.subarray(0, size);
    this.#rest = this.#rest.subarray(size);
    this.piece = true;
    this.ends = ends;
    return piece;
  }

  #finish(): Chunk | undefined {
    if (this.piece && !this.ends) return this.#piece(0, true);
    return this.#carried > 0 ? this.#whole(this.#takeCarry()) : undefined;
  }

  #takeCarry(): Chunk {
    const taken = this.#carry.subarray(0, this.#carried);
    this.#carried = 0;
    return taken;
  }

  #keep(piece: Chunk): void {
    const size = this.#carried + piece.length;
    if (size > this.#carry.length) {
      const grown = new Uint8Array(Math.max(size, this.#carry.length * 2, 4096));
      grown.set(this.#carry.subarray(0, this.#carried));
      this.#carry = grown;
    }
    this.#carry.set(piece, this.#carried);
    this.#carried = size;
  }
}
