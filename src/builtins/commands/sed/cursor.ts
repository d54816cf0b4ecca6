import type { ByteSource, Chunk } from "../../../streams/mod.ts";
import { findByte, LineReader } from "../../text/mod.ts";

const EMPTY: Chunk = new Uint8Array(0);

/** A source that is read line by line, possibly by several readers in turn. */
export class LineCursor {
  /** Lent block of whole lines. */
  block: Chunk = EMPTY;
  /** Where the next line starts in it. */
  at = 0;
  readonly #reader: LineReader;
  readonly #separator: number;
  /** Bytes of all earlier blocks. */
  #before = 0;

  /** Makes a cursor over lines that end with `separator` and have at most so many bytes. */
  constructor(source: ByteSource, separator: number, longest: number) {
    this.#reader = new LineReader(source, separator, longest);
    this.#separator = separator;
  }

  /** Whether a line is in memory. */
  get ready(): boolean {
    return this.at < this.block.length;
  }

  /** Bytes of the source that have been taken. */
  get taken(): number {
    return this.#before + this.at;
  }

  /** Reads the next block in place of the current one; false at the end. */
  async fill(): Promise<boolean> {
    this.#before += this.block.length;
    this.block = EMPTY;
    this.at = 0;
    const block = await this.#reader.next();
    if (block === undefined) return false;
    this.block = block;
    return true;
  }

  /** Moves past one line; returns where it ends, after its separator if it has one. */
  take(): number {
    const found = findByte(this.block, this.#separator, this.at);
    return this.at = found < 0 ? this.block.length : found + 1;
  }
}
