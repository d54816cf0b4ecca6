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
    while (!suppressCommon && (i < end0 || (j < end1 && !leftColumn))) {
      // Lines that differ, but may be ignored, stand alone.
      if (leftColumn || j === end1) await left("(");
      else if (i === end0) await right(")");
      else await both(" ");
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
      const kind = i === end0 ? "added" : j === end1 ? "deleted" : undefined;
      if (kind !== undefined) out.paint(kind);
      if (kind === "added") await right(">");
      else if (kind === "deleted") await left("<");
      else await both("|");
      if (kind !== undefined) out.paint("plain");
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
  #halfLine({ bytes, start, end, incomplete }: LineView, indent: number): [string, number] {
    const half = this.#half;
    let text = "";
    /** The column that the input is at, and the one that the output is at. */
    let at = 0;
    let shown = 0;
    const symbols = new Symbols(bytes, end, incomplete);
    for (let i = start; i < end;) {
      const { length, columns } = symbols.at(i);
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
      } else if (columns !== undefined) {
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

/** A character: its bytes, and its columns, none if it is no character or stands for itself. */
interface Symbol {
  readonly length: number;
  readonly columns: number | undefined;
}

/** The characters of a line. */
class Symbols {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  readonly #incomplete: boolean;
  /** A character that the file ends within: GNU's looks whether its second byte completes it. */
  #cut: readonly number[] = [];

  constructor(bytes: Uint8Array, end: number, incomplete: boolean) {
    this.#bytes = bytes;
    this.#end = end;
    this.#incomplete = incomplete;
  }

  at(at: number): Symbol {
    const first = this.#bytes[at] as number;
    if (this.#cut.length > 0) {
      const columns = columnsOf(Uint8Array.of(...this.#cut, first));
      this.#cut = [];
      return { length: 1, columns };
    }
    if (first === 0 || first === 11 || first === 12) return { length: 1, columns: undefined };
    if (first < 128) return { length: 1, columns: first >= 32 && first < 127 ? 1 : 0 };
    const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    const stop = Math.min(this.#end, at + length);
    const columns = columnsOf(this.#bytes.subarray(at, stop));
    if (columns !== undefined) return { length, columns };
    if (this.#incomplete && stop < at + length && stop - at > 1) {
      this.#cut = [...this.#bytes.subarray(at, stop)];
    }
    return { length: 1, columns };
  }
}

/** The columns of a character, none if the bytes are no character. */
function columnsOf(bytes: Uint8Array): number | undefined {
  try {
    const columns = columnsTable()[decoder.decode(bytes).codePointAt(0) ?? 0] ?? 0;
    return columns === NOT_PRINTABLE ? 0 : columns;
  } catch {
    return undefined;
  }
}
