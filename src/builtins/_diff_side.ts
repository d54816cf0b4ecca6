import type { Changes } from "./_diff_lines.ts";
import type { DiffSettings } from "./_diff_options.ts";
import type { LinePrinter, Pieces, Views } from "./_diff_print.ts";
import { columnsTable, NOT_PRINTABLE } from "./_columns.ts";
import type { LineView } from "./_line_file.ts";

/** The least width of the gutter between the columns. */
const GUTTER = 3;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The style of two columns (`-y`). */
export async function* printSideBySide(
  changes: Changes,
  [a, b]: Views,
  out: LinePrinter,
  settings: DiffSettings,
): Pieces {
  const row = new Row(settings);
  const { leftColumn, suppressCommon } = settings;
  let i = 0;
  let j = 0;
  const left = async (mark: string): Promise<void> => {
    if (!a.has(i)) await a.load(i);
    i++;
    out.text(row.print(a, mark));
  };
  const right = async (mark: string): Promise<void> => {
    if (!b.has(j)) await b.load(j);
    j++;
    out.text(row.print(undefined, mark, b));
  };
  const both = async (mark: string): Promise<void> => {
    if (!a.has(i)) await a.load(i);
    if (!b.has(j)) await b.load(j);
    i++;
    j++;
    out.text(row.print(a, mark, b));
  };
  const common = async function* (end0: number, end1: number): Pieces {
    while (!suppressCommon && (i < end0 || j < end1)) {
      // Lines that differ, but may be ignored, stand alone.
      if (i === end0) await right(")");
      else if (j === end1) await left("(");
      else if (leftColumn) {
        await left("(");
        j++;
      } else await both(" ");
      if (out.full) yield out.take();
    }
    i = end0;
    j = end1;
  };
  for (const { line0, deleted, line1, inserted } of changes.shown()) {
    yield* common(line0, line1);
    const end0 = line0 + deleted;
    const end1 = line1 + inserted;
    while (i < end0 || j < end1) {
      if (i === end0) await right(">");
      else if (j === end1) await left("<");
      else await both("|");
      if (out.full) yield out.take();
    }
  }
  yield* common(a.file.count, b.file.count);
}

/** Lays out one row: half a line, the gutter with its mark, half a line. */
class Row {
  readonly #half: number;
  readonly #column2: number;
  readonly #tabSize: number;
  readonly #expand: boolean;

  constructor({ width, tabSize, expandTabs }: DiffSettings) {
    const tab = expandTabs ? 1 : tabSize;
    const tabPlusGutter = tab + GUTTER;
    const unaligned = Math.floor(width / 2) + Math.floor(tabPlusGutter / 2) +
      (width & tabPlusGutter & 1);
    const offset = unaligned - unaligned % tab;
    this.#half = Math.max(0, Math.min(offset - GUTTER, width - offset));
    this.#column2 = this.#half > 0 ? offset : width;
    this.#tabSize = tabSize;
    this.#expand = expandTabs;
  }

  print(left: LineView | undefined, mark: string, right?: LineView): string {
    let text = "";
    let column = 0;
    const leftWhole = left !== undefined && !left.incomplete;
    const rightWhole = right !== undefined && !right.incomplete;
    if (left !== undefined) [text, column] = this.#halfLine(left, 0);
    let shown = mark;
    if (mark === "|" && leftWhole !== rightWhole) shown = leftWhole ? "/" : "\\";
    if (shown !== " ") {
      const gutter = Math.floor((this.#half + this.#column2 - 1) / 2);
      text += this.#tab(column, gutter) + shown;
      column = gutter + 1;
    }
    if (right !== undefined && right.end > right.start) {
      text += this.#tab(column, this.#column2);
      text += this.#halfLine(right, this.#column2)[0];
    }
    return leftWhole || rightWhole ? `${text}\n` : text;
  }

  #tab(from: number, to: number): string {
    let text = "";
    if (!this.#expand) {
      for (let next = from + this.#tabSize - from % this.#tabSize; next <= to;) {
        text += "\t";
        from = next;
        next += this.#tabSize;
      }
    }
    return text + " ".repeat(Math.max(0, to - from));
  }

  /** Half a line, cut at the column's width; the columns it takes. */
  #halfLine({ bytes, start, end }: LineView, indent: number): [string, number] {
    const half = this.#half;
    let text = "";
    /** The column that the input is at, and the one that the output is at. */
    let at = 0;
    let shown = 0;
    for (let i = start; i < end;) {
      const { length, columns } = symbolAt(bytes, i, end);
      const symbol = String.fromCharCode(...bytes.subarray(i, Math.min(end, i + length)));
      i += length;
      if (symbol === "\t") {
        const spaces = this.#tabSize - at % this.#tabSize;
        if (at === shown) {
          const stop = at + spaces;
          if (this.#expand) {
            shown = Math.max(shown, Math.min(stop, half));
            text += " ".repeat(shown - at);
          } else if (stop < half) {
            shown = stop;
            text += symbol;
          }
        }
        at += spaces;
      } else if (symbol === "\r") {
        at = shown = 0;
        text += symbol + this.#tab(0, indent);
      } else if (symbol === "\b") {
        if (at === 0 || --at >= half) continue;
        text += shown <= at ? " ".repeat(at - shown) : symbol;
        shown = at;
      } else if (columns > 0) {
        at += columns;
        if (at > half) continue;
        shown = at;
        text += symbol;
      } else if (at < half) {
        text += symbol;
      }
    }
    return [text, shown];
  }
}

/** The character at `at`: its bytes and its columns; 0 of these if it is not printable. */
function symbolAt(
  bytes: Uint8Array,
  at: number,
  end: number,
): { readonly length: number; readonly columns: number } {
  const first = bytes[at] as number;
  if (first < 128) return { length: 1, columns: first >= 32 && first < 127 ? 1 : 0 };
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  try {
    const point = decoder.decode(bytes.subarray(at, Math.min(end, at + length))).codePointAt(0) ??
      0;
    const columns = columnsTable()[point] ?? 0;
    return { length, columns: columns === NOT_PRINTABLE ? 0 : columns };
  } catch {
    return { length: 1, columns: 0 };
  }
}
