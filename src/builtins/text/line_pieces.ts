import type { ByteSource, Chunk } from "../../streams/mod.ts";
import { findByte } from "./line_cursor.ts";

const NOTHING: Chunk = new Uint8Array(0);

/**
 * Walks over the lines of a source chunk by chunk. A line that does not end in its chunk comes in
 * pieces, so that no line is held in memory, however long it is.
 *
 * ```ts ignore
 * while (pieces.step() || await pieces.fill()) use(pieces.bytes, pieces.start, pieces.end);
 * ```
 *
 * `fill` may wait for a slow source: pass on the output made so far before calling it. The piece is
 * lent: it is valid until that call.
 */
export class LinePieces {
  /** The chunk that holds the current piece. */
  bytes: Chunk = NOTHING;
  /** Start of the piece. */
  start = 0;
  /** End of the piece, without the separator. */
  end = 0;
  /** True if the piece is the beginning of a line. */
  begins = true;
  /**
   * True if the line ends with the piece. If the source's last line lacks its separator, a further
   * piece ends it, which is empty.
   */
  ends = true;
  /** True if a separator ends the piece. */
  terminated = true;
  readonly #source: ByteSource;
  readonly #separator: number;
  #at = 0;

  /** Walks over the lines of `source`, which end with `separator`, a byte. */
  constructor(source: ByteSource, separator = 10) {
    this.#source = source;
    this.#separator = separator;
  }

  /** Moves to the next piece and returns true if it is in memory. */
  step(): boolean {
    const { bytes } = this;
    const start = this.#at;
    if (start >= bytes.length) return false;
    const end = findByte(bytes, this.#separator, start);
    this.begins = this.ends;
    this.start = start;
    this.ends = this.terminated = end >= 0;
    this.end = end < 0 ? bytes.length : end;
    this.#at = this.end + 1;
    return true;
  }

  /** Reads on and moves to the next piece; returns false at the end of the source. */
  async fill(): Promise<boolean> {
    do {
      const { done, value } = await this.#source.next();
      this.bytes = done === true ? NOTHING : value;
      this.#at = 0;
      if (done === true) {
        const more = !this.ends;
        this.start = this.end = 0;
        this.begins = this.terminated = false;
        this.ends = true;
        return more;
      }
    } while (!this.step());
    return true;
  }
}
