import type { Chunk } from "../streams/mod.ts";
import type { Change } from "./_diff_lines.ts";
import type { DiffSettings } from "./_diff_options.ts";
import type { LinePrinter } from "./_diff_print.ts";
import { columnsTable, NOT_PRINTABLE } from "./_columns.ts";
import { latin1Text, type TextFile } from "./_diff_text.ts";

type Pieces = Generator<Chunk, void, void>;

/** The least width of the gutter between the columns. */
const GUTTER = 3;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The style of two columns (`-y`). */
export function* printSideBySide(
  changes: readonly Change[],
  [a, b]: readonly [TextFile, TextFile],
  out: LinePrinter,
  settings: DiffSettings,
): Pieces {
  const row = new Row(settings);
  const { leftColumn, suppressCommon } = settings;
  let i = 0;
  let j = 0;
  const common = function* (end0: number, end1: number): Pieces {
    while (!suppressCommon && i < end0 && j < end1) {
      yield* out.latin1(leftColumn ? row.print(a, i, "(") : row.print(a, i, " ", b, j));
      i++;
      j++;
    }
    // Lines that differ, but may be ignored.
    while (!suppressCommon && j < end1) yield* out.latin1(row.print(undefined, 0, ")", b, j++));
    while (!suppressCommon && i < end0) yield* out.latin1(row.print(a, i++, "("));
    i = end0;
    j = end1;
  };
  for (const { line0, deleted, line1, inserted, ignore } of changes) {
    if (ignore) continue;
    yield* common(line0, line1);
    const end0 = line0 + deleted;
    const end1 = line1 + inserted;
    while (i < end0 && j < end1) yield* out.latin1(row.print(a, i++, "|", b, j++));
    while (i < end0) yield* out.latin1(row.print(a, i++, "<"));
    while (j < end1) yield* out.latin1(row.print(undefined, 0, ">", b, j++));
  }
  yield* common(a.count, b.count);
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

  print(
    left: TextFile | undefined,
    i: number,
    mark: string,
    right?: TextFile,
    j = 0,
  ): string {
    let text = "";
    let column = 0;
    const leftWhole = left !== undefined && !(left.incomplete && i === left.count - 1);
    const rightWhole = right !== undefined && !(right.incomplete && j === right.count - 1);
    if (left !== undefined) [text, column] = this.#halfLine(left, i, 0);
    let shown = mark;
    if (mark === "|" && leftWhole !== rightWhole) shown = leftWhole ? "/" : "\\";
    if (shown !== " ") {
      const gutter = Math.floor((this.#half + this.#column2 - 1) / 2);
      text += this.#tab(column, gutter) + shown;
      column = gutter + 1;
    }
    if (right !== undefined) {
      const start = right.starts[j] as number;
      if ((right.starts[j + 1] as number) - 1 > start) {
        text += this.#tab(column, this.#column2);
        text += this.#halfLine(right, j, this.#column2)[0];
      }
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
  #halfLine(file: TextFile, line: number, indent: number): [string, number] {
    const { bytes } = file;
    const end = (file.starts[line + 1] as number) - 1;
    const half = this.#half;
    let text = "";
    /** The column that the input is at, and the one that the output is at. */
    let at = 0;
    let shown = 0;
    for (let i = file.starts[line] as number; i < end;) {
      const { length, columns } = symbolAt(bytes, i, end);
      const symbol = latin1Text(bytes, i, i + length);
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
