import { unicodeWidth } from "@std/cli/unicode-width";
import { withoutColours } from "../../../base/mod.ts";

/** The position of the cursor among the live rows. */
export interface Cursor {
  readonly row: number;
  readonly column: number;
}

const HIDE_CURSOR = "\x1b[?25l";
const SHOW_CURSOR = "\x1b[?25h";
const CLEAR_BELOW = "\x1b[J";
const CLEAR_LINE = "\x1b[K";

/**
 * The bottom of a terminal's text: printed text stays, and live rows below it are redrawn in place.
 * Every method returns the text that the caller must write.
 *
 * It only moves the cursor and clears what is below it. The text above stays the terminal's own: it
 * can be scrolled, selected and copied.
 */
export class Painter {
  #columns: number;
  #live: readonly string[] = [];
  #cursor: Cursor = { row: 0, column: 0 };
  #hidden = false;
  /** Columns of the last printed line, if it has no end yet. */
  #open = 0;

  /** Begins at the start of a line of a terminal with the given columns. */
  constructor(columns: number) {
    this.#columns = columns;
  }

  /** True if the printed text ends within a line. */
  get open(): boolean {
    return this.#open > 0;
  }

  /** Prints text above the live rows. The next text continues a last line without a line break. */
  print(text: string): string {
    if (text === "") return "";
    const rows = this.#live;
    const cursor = this.#hidden ? undefined : this.#cursor;
    const back = this.#erase();
    const last = text.slice(text.lastIndexOf("\n") + 1);
    this.#open = widthOf(last) + (last.length === text.length ? this.#open : 0);
    return back + text.replaceAll("\n", "\r\n") + this.show(rows, cursor);
  }

  /**
   * Replaces the live rows. None may be wider than the terminal. The cursor is hidden if absent.
   */
  show(rows: readonly string[], cursor?: Cursor): string {
    const old = this.#live;
    let text = this.#setCursor(cursor !== undefined || rows.length === 0);
    if (rows.length === 0) return text + this.#erase();
    // Behind a line without an end, the live rows begin on the next row.
    text += old.length > 0 ? this.#toFirstRow() : this.#open > 0 ? "\r\n" : "\r";
    for (const [at, row] of rows.entries()) {
      if (at > 0) text += "\r\n";
      if (row !== old[at]) text += row + CLEAR_LINE;
    }
    if (old.length > rows.length) text += `\r\n${CLEAR_BELOW}\x1b[A`;
    this.#live = rows;
    this.#cursor = cursor ?? { row: rows.length - 1, column: 0 };
    return text + up(rows.length - 1 - this.#cursor.row) + toColumn(this.#cursor.column);
  }

  /**
   * Adapts to another width: removes the live rows, which the caller shows again. Terminals break
   * rows that are too wide, so the rows above the cursor may have become more.
   */
  resize(columns: number): string {
    const rows = this.#live;
    this.#columns = columns;
    if (rows.length === 0) return "";
    const above = rows.slice(0, this.#cursor.row)
      .reduce((sum, row) => sum + Math.max(1, Math.ceil(widthOf(row) / columns)), 0);
    this.#live = [];
    // The live rows began on a new row, so the line before them has ended.
    this.#open = 0;
    return `\r${up(above + Math.floor(this.#cursor.column / columns))}${CLEAR_BELOW}`;
  }

  /** Clears the screen and redraws the live rows at its top. */
  clear(): string {
    const rows = this.#live;
    const cursor = this.#hidden ? undefined : this.#cursor;
    this.#live = [];
    this.#open = 0;
    return `\x1b[H\x1b[2J${this.show(rows, cursor)}`;
  }

  /** Removes the live rows and ends an open line, so that others can write to the terminal. */
  leave(): string {
    const text = this.#setCursor(true) + this.#erase() + (this.#open > 0 ? "\r\n" : "");
    this.#open = 0;
    return text;
  }

  /** Removes the live rows and moves the cursor behind the printed text. */
  #erase(): string {
    if (this.#live.length === 0) return "";
    const text = this.#toFirstRow() + CLEAR_BELOW;
    this.#live = [];
    if (this.#open === 0) return text;
    // A line that is wider than the terminal ends in the last of its rows.
    return `${text}\x1b[A${toColumn((this.#open - 1) % this.#columns + 1)}`;
  }

  #toFirstRow(): string {
    return `\r${up(this.#cursor.row)}`;
  }

  #setCursor(visible: boolean): string {
    if (visible !== this.#hidden) return "";
    this.#hidden = !visible;
    return visible ? SHOW_CURSOR : HIDE_CURSOR;
  }
}

function up(rows: number): string {
  return rows > 0 ? `\x1b[${rows}A` : "";
}

function toColumn(column: number): string {
  return column > 0 ? `\r\x1b[${column}C` : "\r";
}

/** Columns of text that may have colours. */
export function widthOf(text: string): number {
  return unicodeWidth(withoutColours(text));
}
