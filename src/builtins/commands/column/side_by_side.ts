import type { Chunk } from "../../../streams/mod.ts";
import { type LineCursor, LineOutput } from "../../text/mod.ts";
import type { KeptLines, UseLine } from "./kept_lines.ts";
import { textWidth } from "./text_width.ts";

const NEWLINE = 10;
const TAB = 9;
/** Distance of tab stops. */
const TAB_WIDTH = 8;
/** Bytes read at once for all columns together. */
const READ = 4 * 1024 * 1024;
const LEAST_READ = 4 * 1024;

const nextStop = (width: number): number => Math.floor(width / TAB_WIDTH + 1) * TAB_WIDTH;

/** Prints lines side by side, in columns of equal width with tabs between them. */
export class SideBySide {
  /** Width of the widest line. */
  #widest = 0;
  readonly #width: number;
  readonly #rows: boolean;
  readonly #out = new LineOutput();
  /** Current column of the output line, and the end of the column that contains its last piece. */
  #reached = 0;
  #columnEnd = 0;
  /** Width of a column. */
  #step = 0;

  /**
   * `width` is the width of the output in terminal columns; with `rows`, rows are filled before
   * columns.
   */
  constructor(width: number, rows: boolean) {
    this.#width = width;
    this.#rows = rows;
  }

  /** Records the width of a line. */
  readonly measure: UseLine = (bytes, start, end) => {
    this.#widest = Math.max(this.#widest, textWidth(bytes, start, end));
  };

  /** Prints the lines. */
  async *print(lines: KeptLines): AsyncGenerator<Chunk, void, void> {
    this.#step = nextStop(this.#widest);
    const fit = this.#widest >= this.#width ? 1 : Math.floor(this.#width / this.#step);
    const columns = Math.max(1, Math.min(fit, lines.count));
    if (columns === 1 || this.#rows) yield* this.#byRows(await lines.cursor(), columns);
    else yield* this.#byColumns(lines, columns);
    if (this.#out.length > 0) yield this.#out.take();
  }

  async *#byRows(cursor: LineCursor, columns: number): AsyncGenerator<Chunk, void, void> {
    const out = this.#out;
    let column = 0;
    while (cursor.step() || await cursor.fill()) {
      this.#put(cursor, column);
      if (++column === columns) {
        out.putByte(NEWLINE);
        column = 0;
      }
      if (out.full) yield out.take();
    }
    if (column > 0) out.putByte(NEWLINE);
  }

  async *#byColumns(lines: KeptLines, columns: number): AsyncGenerator<Chunk, void, void> {
    const out = this.#out;
    const rows = Math.ceil(lines.count / columns);
    const places = await placesOf(lines, rows);
    const size = Math.max(LEAST_READ, Math.floor(READ / columns));
    const cursors: LineCursor[] = [];
    for (let i = 0; i + 1 < places.length; i++) {
      cursors.push(await lines.cursor(places[i], places[i + 1], size));
    }
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < cursors.length; column++) {
        const cursor = cursors[column] as LineCursor;
        if (cursor.step() || await cursor.fill()) this.#put(cursor, column);
        else break;
        if (out.full) yield out.take();
      }
      out.putByte(NEWLINE);
    }
  }

  /** Appends a line to the current output line. */
  #put({ bytes, start, end }: LineCursor, column: number): void {
    const out = this.#out;
    if (column === 0) this.#reached = this.#columnEnd = 0;
    else {
      this.#columnEnd += this.#step;
      let next = nextStop(this.#reached);
      for (; next <= this.#columnEnd; next = nextStop(next)) {
        out.putByte(TAB);
        this.#reached = next;
      }
    }
    out.put(bytes, start, end);
    this.#reached += textWidth(bytes, start, end);
  }
}

/** The offsets of every `rows`-th line, and the end of the last line. */
async function placesOf(lines: KeptLines, rows: number): Promise<number[]> {
  const places: number[] = [];
  const cursor = await lines.cursor();
  let place = 0;
  for (let line = 0; cursor.step() || await cursor.fill(); line++) {
    if (line % rows === 0) places.push(place);
    place += cursor.end - cursor.start + 1;
  }
  places.push(place);
  return places;
}
