import type { Chunk } from "../../../streams/mod.ts";
import type { Change, Changes } from "./lines.ts";
import type { DiffSettings } from "./options.ts";
import type { LineView } from "../../hold/mod.ts";
import { LineOutput, utf8 } from "../../text/mod.ts";

/** Output of a style, piece by piece. */
export type Pieces = AsyncGenerator<Chunk, void, void>;
/** Views of both files, for output. */
export type Views = readonly [LineView, LineView];

/** Kinds of text that are coloured. */
export type Paint = keyof typeof SGR;

/** Terminal attributes of the kinds (ECMA-48, SGR). */
const SGR = { plain: "0", heading: "1", deleted: "31", added: "32", range: "36" };

const NO_NEWLINE = utf8("\n\\ No newline at end of file\n");
const LF = 10;

/**
 * Prints what all output styles share: lines with their marks, tabs, and the note on a missing
 * newline. Lines are those that a view points to.
 */
export class LinePrinter extends LineOutput {
  readonly #settings: DiffSettings;

  /** Creates a printer. */
  constructor(settings: DiffSettings) {
    super();
    this.#settings = settings;
  }

  /** Prints ASCII, or text of which each character is one byte. */
  text(text: string): void {
    for (let i = 0; i < text.length; i++) this.putByte(text.charCodeAt(i));
  }

  /** Begins text of a kind, if output is coloured; `plain` ends it. */
  paint(kind: Paint): void {
    if (this.#settings.colors) this.text(`\x1b[${SGR[kind]}m`);
  }

  /** Prints text of one kind. */
  painted(kind: Paint, text: string): void {
    this.paint(kind);
    this.text(text);
    this.paint("plain");
  }

  /** Prints one line. A space follows `mark` (`<`, `-`), or a tab with `-T`. */
  line(view: LineView, mark: string, kind: Paint): void {
    const { initialTab, suppressBlankEmpty } = this.#settings;
    this.paint(kind);
    let flag = mark + (initialTab ? "\t" : " ");
    if (suppressBlankEmpty && view.start === view.end) flag = mark === " " ? "" : mark;
    this.text(flag);
    this.#rest(view, flag, true);
  }

  /** Prints the text after a mark, and the note on a missing newline. */
  #rest(view: LineView, flag: string, isPainted: boolean): void {
    if (this.#settings.expandTabs) this.#expanded(view, flag);
    else this.put(view.bytes, view.start, view.end);
    if (isPainted) this.paint("plain");
    if (view.incomplete) this.put(NO_NEWLINE);
    else this.putByte(LF);
  }

  /** Prints one line of a unified hunk. No space follows the mark, but a tab does with `-T`. */
  unified(view: LineView, mark: " " | "+" | "-"): void {
    const { initialTab, suppressBlankEmpty } = this.#settings;
    const blank = view.start === view.end && suppressBlankEmpty;
    if (mark !== " ") this.paint(mark === "-" ? "deleted" : "added");
    if (mark !== " ") this.text(initialTab && !blank ? `${mark}\t` : mark);
    else if (!blank) this.text(initialTab ? "\t" : " ");
    this.#rest(view, "", mark !== " ");
  }

  #expanded({ bytes, start, end }: LineView, flag: string): void {
    const { tabSize } = this.#settings;
    let column = 0;
    for (let at = start; at < end; at++) {
      const byte = bytes[at] as number;
      if (byte === 9) {
        const spaces = tabSize - column % tabSize;
        this.fill(32, spaces);
        column += spaces;
        continue;
      }
      if (byte === 8) {
        if (column === 0) continue;
        column--;
      } else if (byte >= 32 && byte < 127) {
        column++;
      }
      this.putByte(byte);
      if (byte === 13) {
        if (flag !== "" && at + 1 < end) this.text(flag);
        column = 0;
      }
    }
  }
}

const NOTHING: readonly Chunk[] = [];

/** Prints the lines `from` to before `to` by `print`, at once if they are in memory. */
export function printLines(
  out: LinePrinter,
  view: LineView,
  from: number,
  to: number,
  print: (view: LineView) => void,
): Pieces | readonly Chunk[] {
  let line = from;
  for (; line < to && !out.full && view.has(line); line++) print(view);
  return line === to && !out.full ? NOTHING : loadAndPrint(out, view, line, to, print);
}

async function* loadAndPrint(
  out: LinePrinter,
  view: LineView,
  from: number,
  to: number,
  print: (view: LineView) => void,
): Pieces {
  for (let line = from; line < to; line++) {
    if (out.full) yield out.take();
    if (!view.has(line)) await view.load(line);
    print(view);
  }
  if (out.full) yield out.take();
}

/**
 * A range of lines, numbered from 1: `3,5`; for one line its number; for none that of the line
 * before.
 */
export function range(line: number, count: number): string {
  return count > 1 ? `${line + 1},${line + count}` : String(count === 0 ? line : line + 1);
}

function letter({ deleted, inserted }: Change): string {
  return deleted === 0 ? "a" : inserted === 0 ? "d" : "c";
}

/** Prints the default style. */
export async function* printNormal(changes: Changes, [a, b]: Views, out: LinePrinter): Pieces {
  for (const change of changes.shown()) {
    const { line0, deleted, line1, inserted } = change;
    out.painted("range", `${range(line0, deleted)}${letter(change)}${range(line1, inserted)}`);
    out.text("\n");
    yield* printLines(out, a, line0, line0 + deleted, (view) => out.line(view, "<", "deleted"));
    if (deleted > 0 && inserted > 0) out.text("---\n");
    yield* printLines(out, b, line1, line1 + inserted, (view) => out.line(view, ">", "added"));
  }
}
