import type { ByteSource, Chunk } from "../../../streams/mod.ts";
import { findByte, LineReader } from "../../text/mod.ts";

const EMPTY: Chunk = new Uint8Array(0);

/** A source that is read line by line, possibly by several readers in turn. */
export class LineCursor {
  /** A lent block of whole lines. */
  block: Chunk = EMPTY;
  /** Start of the next line in the block. */
  at = 0;
  readonly #reader: LineReader;
  readonly #separator: number;
  /** Number of bytes in earlier blocks. */
  #before = 0;

  /** Creates a cursor over lines that end with `separator` and have at most `longest` bytes. */
  constructor(source: ByteSource, separator: number, longest: number) {
    this.#reader = new LineReader(source, separator, longest);
    this.#separator = separator;
  }

  /** True if a line is in memory. */
  get ready(): boolean {
    return this.at < this.block.length;
  }

  /** Bytes of the input that sed has consumed so far. */
  get taken(): number {
    return this.#before + this.at;
  }

  /** Replaces the block with the next one; false at the end. */
  async fill(): Promise<boolean> {
    this.#before += this.block.length;
    this.block = EMPTY;
    this.at = 0;
    const block = await this.#reader.next();
    if (block === undefined) return false;
    this.block = block;
    return true;
  }

  /** Moves past one line; returns its end, after its separator, if any. */
  take(): number {
    const found = findByte(this.block, this.#separator, this.at);
    return this.at = found < 0 ? this.block.length : found + 1;
  }
}
