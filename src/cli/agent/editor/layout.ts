import type { Atom } from "./atoms.ts";

/** A row of the screen: the atoms from `from` up to `to`, without a line break at its end. */
export interface Row {
  readonly from: number;
  readonly to: number;
}

/** A position on the screen. */
export interface Position {
  readonly row: number;
  readonly column: number;
}

/**
 * Breaks atoms into rows of `width` columns, after a space or beside a wide character if possible.
 * Spaces at the end of a row take no column.
 */
export function rowsOf(atoms: readonly Atom[], width: number): Row[] {
  const rows: Row[] = [];
  let from = 0;
  let column = 0;
  /** The earliest place for the next row; `from` if there is none in this row. */
  let next = 0;
  for (const [at, atom] of atoms.entries()) {
    if (atom.text === "\n") {
      rows.push({ from, to: at });
      from = next = at + 1;
      column = 0;
      continue;
    }
    if (atom.columns === 2) next = at;
    if (atom.text === " ") {
      if (column < width) column++;
      next = at + 1;
      continue;
    }
    if (column + atom.columns > width && at > from) {
      const start = next > from ? next : at;
      rows.push({ from, to: start });
      from = next = start;
      column = columnsOf(atoms, start, at);
    }
    column += atom.columns;
    if (atom.columns === 2) next = at + 1;
  }
  rows.push({ from, to: atoms.length });
  return rows;
}

/** The position of a cursor that stands before atom `cursor`. */
export function positionOf(
  atoms: readonly Atom[],
  rows: readonly Row[],
  cursor: number,
  width: number,
): Position {
  const row = Math.max(0, rows.findLastIndex(({ from }) => from <= cursor));
  const from = rows[row]?.from ?? 0;
  return { row, column: Math.min(width, columnsOf(atoms, from, cursor)) };
}

/** The cursor in a row that is closest to a column. */
export function cursorAt(atoms: readonly Atom[], row: Row, column: number, last: boolean): number {
  let at = row.from;
  let columns = 0;
  // Behind the last atom of a wrapped row the cursor would be in the next row.
  const end = last || atoms[row.to]?.text === "\n" ? row.to : Math.max(row.from, row.to - 1);
  while (at < end) {
    columns += atoms[at]?.columns ?? 0;
    if (columns > column) break;
    at++;
  }
  return at;
}

function columnsOf(atoms: readonly Atom[], from: number, to: number): number {
  let columns = 0;
  for (let at = from; at < to; at++) columns += atoms[at]?.columns ?? 0;
  return columns;
}
