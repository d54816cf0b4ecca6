import { unicodeWidth } from "@std/cli/unicode-width";
import { withoutColours } from "../../../base/mod.ts";

/** Where the cursor is among the live rows. */
export interface Cursor {
  readonly row: number;
  readonly column: number;
}

const HIDE_CURSOR = "\x1b[?25l";
const SHOW_CURSOR = "\x1b[?25h";
const CLEAR_BELOW = "\x1b[J";
const CLEAR_LINE = "\x1b[K";

/**
 * The end of a terminal's text: what was printed stays, and below it are live rows, which are drawn
 * again in place. Every method gives what to write for that; writing it is the caller's.
 *
 * Nothing is asked of the terminal but to move its cursor and to clear what is below it, so that the
 * text above remains the terminal's own: it can be scrolled, selected and copied.
 */
export class Painter {
  #columns: number;
  #live: readonly string[] = [];
  #cursor: Cursor = { row: 0, column: 0 };
  #hidden = false;
  /** The columns of the line that was printed last, if it has no end yet. */
  #open = 0;

  /** Begins at the start of a line of a terminal with so many columns. */
  constructor(columns: number) {
    this.#columns = columns;
  }

  /** Whether what was printed ends within a line. */
  get open(): boolean {
    return this.#open > 0;
  }

  /** Prints text above the live rows. A last line without a line break is continued by the next. */
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
   * Shows live rows in the place of those before. None may be wider than the terminal. Without a
   * `cursor` none is shown.
   */
  show(rows: readonly string[], cursor?: Cursor): string {
    const old = this.#live;
    let text = this.#setCursor(cursor !== undefined || rows.length === 0);
    if (rows.length === 0) return text + this.#erase();
    // Behind a line without an end, the live rows begin on the next.
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
   * The terminal has another width now: removes the live rows, which are to be shown again. Terminals
   * break rows that are too wide, so that what is above the cursor may take more rows than before.
   */
  resize(columns: number): string {
    const rows = this.#live;
    this.#columns = columns;
    if (rows.length === 0) return "";
    const above = rows.slice(0, this.#cursor.row)
      .reduce((sum, row) => sum + Math.max(1, Math.ceil(widthOf(row) / columns)), 0);
    this.#live = [];
    // The live rows began on a row of their own: the line before them ends there.
    this.#open = 0;
    return `\r${up(above + Math.floor(this.#cursor.column / columns))}${CLEAR_BELOW}`;
  }

  /** Clears the screen; the live rows are drawn again at its top. */
  clear(): string {
    const rows = this.#live;
    const cursor = this.#hidden ? undefined : this.#cursor;
    this.#live = [];
    this.#open = 0;
    return `\x1b[H\x1b[2J${this.show(rows, cursor)}`;
  }

  /** Removes the live rows, and ends a line that has no end: others may write now. */
  leave(): string {
    const text = this.#setCursor(true) + this.#erase() + (this.#open > 0 ? "\r\n" : "");
    this.#open = 0;
    return text;
  }

  /** Removes the live rows; the cursor is behind what was printed last. */
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
