import type { Changes } from "./lines.ts";
import type { DiffSettings } from "./options.ts";
import type { LinePrinter, Pieces, Views } from "./print.ts";
import { columnsTable, NOT_PRINTABLE } from "../../text/mod.ts";
import type { LineView } from "../../hold/mod.ts";

/** The least width of the gutter between the columns. */
const GUTTER = 3;

/** Padding is put out in pieces of so many characters. */
const PIECE = 16 * 1024;

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
  const print = async function* (mark: string, left: boolean, right: boolean): Pieces {
    if (left && !a.has(i)) await a.load(i);
    if (right && !b.has(j)) await b.load(j);
    if (left) i++;
    if (right) j++;
    for (const piece of row.print(left ? a : undefined, mark, right ? b : undefined)) {
      out.text(piece);
      if (out.full) yield out.take();
    }
  };
  const common = async function* (end0: number, end1: number): Pieces {
    while (!suppressCommon && (i < end0 || (j < end1 && !leftColumn))) {
      // Lines that differ, but may be ignored, stand alone.
      if (leftColumn || j === end1) yield* print("(", true, false);
      else if (i === end0) yield* print(")", false, true);
      else yield* print(" ", true, true);
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
      if (kind === "added") yield* print(">", false, true);
      else if (kind === "deleted") yield* print("<", true, false);
      else yield* print("|", true, true);
      if (kind !== undefined) out.paint("plain");
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

  /** Gives a row in pieces: how wide it is has no limit. */
  *print(left: LineView | undefined, mark: string, right?: LineView): Generator<string> {
    let column = 0;
    const leftWhole = left !== undefined && !left.incomplete;
    const rightWhole = right !== undefined && !right.incomplete;
    if (left !== undefined) column = yield* this.#halfLine(left, 0);
    let shown = mark;
    if (mark === "|" && leftWhole !== rightWhole) shown = leftWhole ? "/" : "\\";
    if (shown !== " ") {
      const gutter = Math.floor((this.#half + this.#column2 - 1) / 2);
      yield* this.#tab(column, gutter);
      yield shown;
      column = gutter + 1;
    }
    if (right !== undefined && right.end > right.start) {
      yield* this.#tab(column, this.#column2);
      yield* this.#halfLine(right, this.#column2);
    }
    if (leftWhole || rightWhole) yield "\n";
  }

  *#tab(from: number, to: number): Generator<string> {
    let at = from;
    if (!this.#expand) {
      const size = this.#tabSize;
      const tabs = Math.floor(to / size) - Math.floor(from / size);
      if (tabs > 0) {
        yield* repeated("\t", tabs);
        at = to - to % size;
      }
    }
    yield* repeated(" ", to - at);
  }

  /** Gives half a line, cut at the column's width; returns the columns it takes. */
  *#halfLine(
    { bytes, start, end, incomplete }: LineView,
    indent: number,
  ): Generator<string, number> {
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
            yield text;
            yield* repeated(" ", shown - at);
            text = "";
          } else if (stop < half) {
            shown = stop;
            text += symbol;
          }
        }
        at += spaces;
      } else if (symbol === "\r") {
        at = shown = 0;
        yield text + symbol;
        yield* this.#tab(0, indent);
        text = "";
      } else if (symbol === "\b") {
        if (at === 0 || --at >= half) continue;
        yield text;
        if (shown <= at) yield* repeated(" ", at - shown);
        text = shown <= at ? "" : symbol;
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
    yield text;
    return shown;
  }
}

/** A text so many times, in pieces. */
function* repeated(text: string, count: number): Generator<string> {
  for (let left = count; left > 0; left -= PIECE) yield text.repeat(Math.min(left, PIECE));
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
