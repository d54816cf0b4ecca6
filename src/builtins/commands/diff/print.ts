import type { Chunk } from "../../../streams/mod.ts";
import type { Change, Changes } from "./lines.ts";
import type { DiffSettings } from "./options.ts";
import type { LineView } from "../../hold/mod.ts";
import { LineOutput, utf8 } from "../../text/mod.ts";

/** What a style puts out, piece by piece. */
export type Pieces = AsyncGenerator<Chunk, void, void>;
/** Both files, as they are looked at for output. */
export type Views = readonly [LineView, LineView];

/** Kinds of text that have colours. */
export type Paint = keyof typeof SGR;

/** The attributes of the kinds, as terminals know them (ECMA-48, SGR). */
const SGR = { plain: "0", heading: "1", deleted: "31", added: "32", range: "36" };

const NO_NEWLINE = utf8("\n\\ No newline at end of file\n");
const LF = 10;

/**
 * What all output styles share: lines with their marks, tabs, and the note on a missing newline.
 * Lines are those that a view looks at.
 */
export class LinePrinter extends LineOutput {
  readonly #settings: DiffSettings;

  /** Makes a printer. */
  constructor(settings: DiffSettings) {
    super();
    this.#settings = settings;
  }

  /** Puts out a text of ASCII or of which each character is one byte. */
  text(text: string): void {
    for (let i = 0; i < text.length; i++) this.putByte(text.charCodeAt(i));
  }

  /** Begins text of a kind, if output is coloured; `plain` ends it. */
  paint(kind: Paint): void {
    if (this.#settings.colors) this.text(`\x1b[${SGR[kind]}m`);
  }

  /** Puts out a text of one kind. */
  painted(kind: Paint, text: string): void {
    this.paint(kind);
    this.text(text);
    this.paint("plain");
  }

  /**
   * Puts out one line of a kind, if it has one. `mark` (`<`, `-`) is followed by a space, or by a tab with `-T`; an empty
   * one by nothing. Without a mark there is none, but the note on a missing newline.
   */
  line(view: LineView, mark?: string, kind?: Paint): void {
    const { initialTab, suppressBlankEmpty } = this.#settings;
    const { start, end } = view;
    if (kind !== undefined) this.paint(kind);
    let flag = "";
    if (mark !== undefined && mark !== "") {
      flag = mark + (initialTab ? "\t" : " ");
      if (suppressBlankEmpty && start === end) flag = mark === " " ? "" : mark;
      this.text(flag);
    }
    this.#rest(view, flag, mark !== "", kind !== undefined);
  }

  /** Puts out what follows a mark, and the note on a missing newline if that is told. */
  #rest(view: LineView, flag: string, tells: boolean, isPainted: boolean): void {
    if (this.#settings.expandTabs) this.#expanded(view, flag);
    else this.put(view.bytes, view.start, view.end);
    if (isPainted) this.paint("plain");
    if (!view.incomplete) this.putByte(LF);
    else if (tells) this.put(NO_NEWLINE);
  }

  /** Puts out the text of a line, with `newline` also its newline if it has one. */
  bare(view: LineView, newline: boolean): void {
    if (this.#settings.expandTabs) this.#expanded(view, "");
    else this.put(view.bytes, view.start, view.end);
    if (newline && !view.incomplete) this.putByte(LF);
  }

  /** Puts out one line of a unified hunk: the mark stands alone, tabs as `-T` wants them. */
  unified(view: LineView, mark: " " | "+" | "-"): void {
    const { initialTab, suppressBlankEmpty } = this.#settings;
    const blank = view.start === view.end && suppressBlankEmpty;
    if (mark !== " ") this.paint(mark === "-" ? "deleted" : "added");
    if (mark !== " ") this.text(initialTab && !blank ? `${mark}\t` : mark);
    else if (!blank) this.text(initialTab ? "\t" : " ");
    this.#rest(view, "", true, mark !== " ");
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

/** Puts out lines `from` to before `to`, as `print` does each; at once if they are in memory. */
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

/** Lines as a range of numbers that count from 1: `3,5`, or the one, or the one before none. */
export function range(line: number, count: number): string {
  return count > 1 ? `${line + 1},${line + count}` : String(count === 0 ? line : line + 1);
}

function letter({ deleted, inserted }: Change): string {
  return deleted === 0 ? "a" : inserted === 0 ? "d" : "c";
}

/** The default style. */
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

/** A script for `ed`: from the last change to the first, so that line numbers stay right. */
export async function* printEd(changes: Changes, [, b]: Views, out: LinePrinter): Pieces {
  for (let i = changes.count - 1; i >= 0; i--) {
    const change = changes.at(i);
    if (change.ignore) continue;
    const { line0, deleted, line1, inserted } = change;
    out.text(`${range(line0, deleted)}${letter(change)}\n`);
    if (inserted === 0) continue;
    let inserting = true;
    yield* printLines(out, b, line1, line1 + inserted, (view) => {
      if (!inserting) out.text("a\n");
      // A line of one dot would end the insertion: written as two, then mended.
      inserting = view.end !== view.start + 1 || view.bytes[view.start] !== 46;
      if (!inserting) {
        out.text("..\n.\ns/.//\n");
      } else {
        out.line(view, "");
        if (view.incomplete) out.putByte(LF);
      }
    });
    if (inserting) out.text(".\n");
  }
}

/** A script like that of `ed`, but from the first change to the last (`-f`): nothing can apply it. */
export async function* printForwardEd(changes: Changes, [, b]: Views, out: LinePrinter): Pieces {
  for (const change of changes.shown()) {
    const { line0, deleted, line1, inserted } = change;
    out.text(`${letter(change)}${range(line0, deleted).replace(",", " ")}\n`);
    if (inserted === 0) continue;
    yield* printLines(out, b, line1, line1 + inserted, (view) => {
      out.line(view, "");
      if (view.incomplete) out.putByte(LF);
    });
    out.text(".\n");
  }
}

/** The style of RCS. */
export async function* printRcs(changes: Changes, [, b]: Views, out: LinePrinter): Pieces {
  for (const { line0, deleted, line1, inserted } of changes.shown()) {
    if (deleted > 0) out.text(`d${line0 + 1} ${deleted}\n`);
    if (inserted === 0) continue;
    out.text(`a${line0 + deleted} ${inserted}\n`);
    yield* printLines(out, b, line1, line1 + inserted, (view) => out.line(view, ""));
  }
}
