import type { Chunk } from "../../../streams/mod.ts";
import { LineOutput } from "../../text/mod.ts";
import type { OdSettings } from "./options.ts";
import type { OdType } from "./types.ts";

/** The character that stands for each byte at the end of a line. */
const CHARACTERS = Uint8Array.from(
  { length: 256 },
  (_, byte) => byte >= 32 && byte < 127 ? byte : 46,
);

/** Dumps blocks, one for each line. */
export class OdDumper {
  readonly #out = new LineOutput();
  readonly #settings: OdSettings;
  readonly #block: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;
  readonly #before: Uint8Array;
  /** Columns of the widest type's line. */
  readonly #columns: number;
  /** Columns of an address. */
  readonly #margin: number;
  #held = 0;
  #address: number;
  #first = true;
  #starred = false;

  /** Creates a dumper that begins at the first byte not skipped. */
  constructor(settings: OdSettings) {
    this.#settings = settings;
    this.#margin = settings.radix === 0 ? 0 : settings.radix === 16 ? 6 : 7;
    this.#block = new Uint8Array(settings.width);
    this.#view = new DataView(this.#block.buffer);
    this.#before = new Uint8Array(settings.width);
    this.#address = settings.skip;
    this.#columns = Math.max(
      ...settings.types.map(({ size, width }) => (width + 1) * (settings.width / size)),
    );
  }

  /** Dumps bytes that fill lines; holds the rest. */
  *add(chunk: Chunk): Generator<Chunk, void, void> {
    const out = this.#out;
    const block = this.#block;
    for (let at = 0; at < chunk.length;) {
      const size = Math.min(block.length - this.#held, chunk.length - at);
      for (let i = 0; i < size; i++) block[this.#held + i] = chunk[at + i] as number;
      at += size;
      this.#held += size;
      if (this.#held < block.length) break;
      this.#line();
      while (out.full) yield out.take();
    }
    while (out.length > 0) yield out.take();
  }

  /** Dumps the rest, which does not fill a line, and the address of the end. */
  *end(): Generator<Chunk, void, void> {
    const out = this.#out;
    if (this.#held > 0) {
      this.#block.fill(0, this.#held);
      this.#line();
    }
    this.#putAddress();
    if (this.#settings.radix !== 0) out.putByte(10);
    while (out.length > 0) yield out.take();
  }

  #same(): boolean {
    for (let i = 0; i < this.#block.length; i++) {
      if (this.#block[i] !== this.#before[i]) return false;
    }
    return true;
  }

  #line(): void {
    const out = this.#out;
    const count = this.#held;
    if (!this.#beginLine()) return;
    for (const [i, type] of this.#settings.types.entries()) {
      if (i > 0) out.fill(32, this.#margin);
      this.#items(type, count);
      if (type.trailer) this.#trailer(type, count);
      out.putByte(10);
    }
  }

  #putAddress(): void {
    const { radix } = this.#settings;
    if (radix !== 0) this.#out.putNumber(this.#address, this.#margin, 48, radix);
  }

  /** Prints a line's address; returns false if a star stands for the line. */
  #beginLine(): boolean {
    const out = this.#out;
    const count = this.#held;
    const block = this.#block;
    this.#held = 0;
    if (!this.#settings.all && !this.#first && count === block.length && this.#same()) {
      if (!this.#starred) out.putText("*\n");
      this.#starred = true;
      this.#address += count;
      return false;
    }
    this.#starred = this.#first = false;
    this.#putAddress();
    this.#address += count;
    for (let i = 0; i < block.length; i++) this.#before[i] = block[i] as number;
    return true;
  }

  /**
   * Columns by which a type's line is shorter than the widest one; they are spread before its
   * items.
   */
  #padding({ size, width }: OdType): number {
    return this.#columns - (width + 1) * (this.#block.length / size);
  }

  /** Prints the items of a line of `count` bytes. */
  #items(type: OdType, count: number): void {
    const { size, width, table } = type;
    const out = this.#out;
    const fields = this.#block.length / size;
    const padding = this.#padding(type);
    if (table !== undefined && padding === 0) {
      for (let i = 0; i < count; i++) {
        const at = (this.#block[i] as number) * (width + 1);
        out.put(table, at, at + width + 1);
      }
      return;
    }
    let left = padding;
    const items = Math.ceil(count / size);
    for (let i = fields; i > fields - items; i--) {
      const next = Math.floor(padding * (i - 1) / fields);
      out.putByte(32);
      type.put(out, this.#view, (fields - i) * size, width + left - next);
      left = next;
    }
  }

  /** Prints a line's characters, after blanks for the items that a last line lacks. */
  #trailer(type: OdType, count: number): void {
    const out = this.#out;
    const fields = this.#block.length / type.size;
    const blank = fields - Math.ceil(count / type.size);
    out.fill(32, blank * (type.width + 1) + Math.floor(this.#padding(type) * blank / fields));
    out.putText("  >");
    for (let i = 0; i < count; i++) out.putByte(CHARACTERS[this.#block[i] as number] as number);
    out.putByte(60);
  }
}
