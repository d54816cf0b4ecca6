import { type DiffFormats, formatNumber, type FormatPart } from "./format.ts";
import type { Changes } from "./lines.ts";
import { type LinePrinter, type Pieces, printLines, type Views } from "./print.ts";
import type { LineView } from "../../hold/mod.ts";

/** Lines `from` to before `to` of both files, as numbers from 0. */
interface Group {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
}

/** Both files merged, by formats of lines and groups (`-D`, `--line-format` and the like). */
export async function* printGroups(
  changes: Changes,
  views: Views,
  out: LinePrinter,
  formats: DiffFormats,
): Pieces {
  const printer = new GroupPrinter(views, out, formats);
  let [i, j] = [0, 0];
  const common = async function* (end0: number, end1: number): Pieces {
    if (i >= end0 && j >= end1) return;
    yield* printer.print(formats.groups.unchanged, { from: [i, j], to: [end0, end1] });
  };
  for (const { line0, deleted, line1, inserted } of changes.shown()) {
    yield* common(line0, line1);
    const kind = deleted === 0 ? "new" : inserted === 0 ? "old" : "changed";
    [i, j] = [line0 + deleted, line1 + inserted];
    yield* printer.print(formats.groups[kind], { from: [line0, line1], to: [i, j] });
  }
  yield* common(views[0].file.count, views[1].file.count);
}

class GroupPrinter {
  readonly #views: Views;
  readonly #out: LinePrinter;
  readonly #formats: DiffFormats;

  constructor(views: Views, out: LinePrinter, formats: DiffFormats) {
    this.#views = views;
    this.#out = out;
    this.#formats = formats;
  }

  async *print(format: readonly FormatPart[], group: Group): Pieces {
    const out = this.#out;
    for (const part of format) {
      if (out.full) yield out.take();
      if (part.kind === "text") out.put(part.bytes);
      else if (part.kind === "number") {
        out.text(formatNumber(valueOf(part.spec.letter, group), part.spec));
      } else if (part.kind === "lines") yield* this.#lines(part.of, group);
      else {
        const [a, b] = part.sides.map((side) =>
          typeof side === "number" ? side : valueOf(side, group)
        );
        yield* this.print(a === b ? part.then : part.otherwise, group);
      }
    }
  }

  async *#lines(of: string, { from, to }: Group): Pieces {
    const { lines } = this.#formats;
    const format = of === "<" ? lines.old : of === ">" ? lines.new : lines.unchanged;
    if (format.length === 0) return;
    const side = of === ">" ? 1 : 0;
    const print = (view: LineView): void => this.#line(view, format);
    yield* printLines(this.#out, this.#views[side], from[side], to[side], print);
  }

  #line(view: LineView, format: readonly FormatPart[]): void {
    const out = this.#out;
    for (const part of format) {
      if (part.kind === "text") out.put(part.bytes);
      else if (part.kind === "number") out.text(formatNumber(view.line + 1, part.spec));
      else if (part.kind === "lines") out.bare(view, part.of === "L");
    }
  }
}

/** What a letter stands for: the number of a line, from 1, or how many lines a group has. */
function valueOf(letter: string, { from, to }: Group): number {
  const side = letter === letter.toLowerCase() ? 0 : 1;
  const [first, end] = [from[side], to[side]];
  switch (letter.toLowerCase()) {
    case "e":
      return first;
    case "f":
      return first + 1;
    case "l":
      return end;
    case "m":
      return end + 1;
    default:
      return end - first;
  }
}
