import { unicodeWidth } from "@std/cli/unicode-width";

/** Aligns rows of cells as lines with columns two blanks apart; lines have no line break. */
export function columnLines(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.entries()) {
      widths[at] = Math.max(widths[at] ?? 0, unicodeWidth(cell));
    }
  }
  const padded = (cell: string, at: number) =>
    cell + " ".repeat((widths[at] ?? 0) - unicodeWidth(cell));
  return rows.map((row) => row.map(padded).join("  ").trimEnd());
}
