import type { Chunk } from "../../../streams/mod.ts";
import { InvalidArgument } from "../../core/mod.ts";
import { LineOutput, quoteAlways, utf8 } from "../../text/mod.ts";
import { FieldSplitter } from "./fields.ts";
import type { KeptLines, UseLine } from "./kept_lines.ts";
import type { TableSettings } from "./options.ts";
import { textWidth } from "./text_width.ts";

const NEWLINE = 10;
const SPACE = 32;

/** A table: first measures all lines, then prints the rows. */
export class Table {
  readonly #settings: TableSettings;
  readonly #names: readonly Chunk[];
  readonly #splitter: FieldSplitter;
  /** The width of each column. */
  readonly #widths: number[];

  constructor(settings: TableSettings) {
    this.#settings = settings;
    this.#names = settings.names?.map((name) => utf8(name)) ?? [];
    this.#splitter = new FieldSplitter(settings.separators, settings.limit);
    this.#widths = this.#names.map((name) => textWidth(name, 0, name.length));
  }

  /** Widens the columns for the fields of a line. */
  readonly measure: UseLine = (bytes, start, end) => {
    const splitter = this.#splitter;
    const widths = this.#widths;
    const count = splitter.split(bytes, start, end);
    while (widths.length < count) widths.push(0);
    for (let i = 0; i < count; i++) {
      const width = splitter.widths[i] as number;
      if (width > (widths[i] as number)) widths[i] = width;
    }
  };

  /**
   * Prints the rows.
   *
   * @throws {InvalidArgument} If an option names a column that does not exist.
   */
  async *rows(lines: KeptLines): AsyncGenerator<Chunk, void, void> {
    const shown = this.#shown();
    if (lines.count === 0 || this.#widths.length === 0) return;
    const right = new Set(this.#select(this.#settings.right));
    const out = new LineOutput();
    const splitter = this.#splitter;
    const { joiner, headings } = this.#settings;
    /** Prints the fields that `splitter` found. */
    const put = (bytes: Uint8Array, count: number): void => {
      for (let k = 0; k < shown.length; k++) {
        const column = shown[k] as number;
        const isLast = k === shown.length - 1;
        const width = column < count ? splitter.widths[column] as number : 0;
        const padding = (this.#widths[column] as number) - width;
        const atRight = right.has(column);
        if (atRight && (!isLast || width > 0)) out.fill(SPACE, padding);
        if (column < count) {
          out.put(bytes, splitter.starts[column] as number, splitter.ends[column] as number);
        }
        if (isLast) break;
        if (!atRight) out.fill(SPACE, padding);
        out.put(joiner);
      }
      out.putByte(NEWLINE);
    };
    if (headings && this.#settings.names !== undefined) put(...this.#heading());
    const cursor = await lines.cursor();
    while (cursor.step() || await cursor.fill()) {
      put(cursor.bytes, splitter.split(cursor.bytes, cursor.start, cursor.end));
      if (out.full) yield out.take();
    }
    if (out.length > 0) yield out.take();
  }

  /** The names as fields in the splitter. */
  #heading(): [bytes: Uint8Array, count: number] {
    const { starts, ends, widths } = this.#splitter;
    let at = 0;
    for (const [i, name] of this.#names.entries()) {
      starts[i] = at;
      ends[i] = at += name.length;
      widths[i] = textWidth(name, 0, name.length);
    }
    return [utf8(this.#settings.names?.join("") ?? ""), this.#names.length];
  }

  /** The printed columns, in order. */
  #shown(): number[] {
    const { hide, order } = this.#settings;
    const hidden = new Set(this.#select(hide.filter((one) => one !== "-")));
    if (hide.includes("-")) {
      for (let i = this.#names.length; i < this.#widths.length; i++) hidden.add(i);
    }
    // 0 stands for all columns and changes no order.
    const first = this.#select(order.filter((one) => one !== "0"));
    const all = new Set([...first, ...this.#widths.keys()]);
    return [...all].filter((column) => !hidden.has(column));
  }

  /** The existing columns of a list of names and numbers. */
  #select(list: readonly string[]): number[] {
    return list.flatMap((one) => {
      if (one === "0") return [...this.#widths.keys()];
      if (/^[0-9]+$/.test(one)) return Number(one) <= this.#widths.length ? [Number(one) - 1] : [];
      const found = this.#settings.names?.indexOf(one) ?? -1;
      if (found >= 0) return [found];
      throw new InvalidArgument(`undefined column name ${quoteAlways(one)}`);
    });
  }
}
