import type { Chunk } from "../streams/mod.ts";
import type { Change } from "./_diff_lines.ts";
import type { DiffSettings } from "./_diff_options.ts";
import type { TextFile } from "./_diff_text.ts";
import { Output, utf8 } from "./_output.ts";

type Pieces = Generator<Chunk, void, void>;

const NO_NEWLINE = utf8("\n\\ No newline at end of file\n");
const LF = 10;

/** What all output styles share: lines with their marks, tabs, and the note on a missing newline. */
export class LinePrinter {
  readonly #out = new Output();
  readonly #settings: DiffSettings;

  /** Makes a printer. */
  constructor(settings: DiffSettings) {
    this.#settings = settings;
  }

  /** Puts out a text of ours. */
  *text(text: string): Pieces {
    yield* this.#put(utf8(text));
  }

  /** Puts out a text of which each character is one byte. */
  *latin1(text: string): Pieces {
    yield* this.#put(Uint8Array.from(text, (character) => character.charCodeAt(0)));
  }

  /** Gives what has been collected. */
  *flush(): Pieces {
    if (this.#out.length > 0) yield this.#out.take();
  }

  /**
   * Puts out one line. `mark` (`<`, `-`) is followed by a space, or by a tab with `-T`; an empty
   * one by nothing. Without a mark there is none, but the note on a missing newline.
   */
  *line(file: TextFile, line: number, mark?: string): Pieces {
    const { initialTab, suppressBlankEmpty } = this.#settings;
    let start = file.starts[line] as number;
    const end = (file.starts[line + 1] as number) - 1;
    let flag = "";
    if (mark !== undefined && mark !== "") {
      flag = mark + (initialTab ? "\t" : " ");
      if (suppressBlankEmpty && start === end) flag = mark === " " ? "" : mark;
      yield* this.text(flag);
    }
    if (this.#settings.expandTabs) yield* this.#expanded(file, start, end, flag);
    else yield* this.#put(file.bytes, start, end);
    start = end;
    const noted = mark !== "" && file.incomplete && line === file.count - 1;
    if (noted) yield* this.#put(NO_NEWLINE);
    else if (!file.incomplete || line < file.count - 1) yield* this.#put(file.bytes, end, end + 1);
  }

  /** Puts out one line of a unified hunk: the mark stands alone, tabs as `-T` wants them. */
  *unified(file: TextFile, line: number, mark: " " | "+" | "-"): Pieces {
    const { initialTab, suppressBlankEmpty } = this.#settings;
    const blank = file.bytes[file.starts[line] as number] === LF && suppressBlankEmpty;
    if (mark === " ") {
      if (!blank) yield* this.text(initialTab ? "\t" : " ");
    } else {
      yield* this.text(initialTab && !blank ? `${mark}\t` : mark);
    }
    yield* this.line(file, line);
  }

  *#expanded(file: TextFile, start: number, end: number, flag: string): Pieces {
    const { tabSize } = this.#settings;
    let column = 0;
    for (let at = start; at < end; at++) {
      const byte = file.bytes[at] as number;
      if (byte === 9) {
        const spaces = tabSize - column % tabSize;
        yield* this.text(" ".repeat(spaces));
        column += spaces;
        continue;
      }
      if (byte === 8) {
        if (column === 0) continue;
        column--;
      } else if (byte >= 32 && byte < 127) {
        column++;
      }
      yield* this.#put(file.bytes, at, at + 1);
      if (byte === 13) {
        if (flag !== "" && at + 1 < end) yield* this.text(flag);
        column = 0;
      }
    }
  }

  *#put(bytes: Chunk, start = 0, end: number = bytes.length): Pieces {
    if (!this.#out.put(bytes, start, end)) yield* this.#out.spill(bytes, start, end);
  }
}

/** Lines as a range of numbers that count from 1: `3,5`, or the one, or the one before none. */
export function range(line: number, count: number): string {
  return count > 1 ? `${line + 1},${line + count}` : String(count === 0 ? line : line + 1);
}

function letter({ deleted, inserted }: Change): string {
  return deleted === 0 ? "a" : inserted === 0 ? "d" : "c";
}

/** The default style. */
export function* printNormal(
  changes: readonly Change[],
  [a, b]: readonly [TextFile, TextFile],
  out: LinePrinter,
): Pieces {
  for (const change of changes) {
    if (change.ignore) continue;
    const { line0, deleted, line1, inserted } = change;
    yield* out.text(`${range(line0, deleted)}${letter(change)}${range(line1, inserted)}\n`);
    for (let i = 0; i < deleted; i++) yield* out.line(a, line0 + i, "<");
    if (deleted > 0 && inserted > 0) yield* out.text("---\n");
    for (let i = 0; i < inserted; i++) yield* out.line(b, line1 + i, ">");
  }
}

/** A script for `ed`: from the last change to the first, so that line numbers stay right. */
export function* printEd(
  changes: readonly Change[],
  [, b]: readonly [TextFile, TextFile],
  out: LinePrinter,
): Pieces {
  for (const change of changes.toReversed()) {
    if (change.ignore) continue;
    const { line0, deleted, line1, inserted } = change;
    yield* out.text(`${range(line0, deleted)}${letter(change)}\n`);
    if (inserted === 0) continue;
    let inserting = true;
    for (let i = 0; i < inserted; i++) {
      if (!inserting) {
        yield* out.text("a\n");
        inserting = true;
      }
      // A line of one dot would end the insertion: written as two, then mended.
      const start = b.starts[line1 + i] as number;
      const dot = (b.starts[line1 + i + 1] as number) === start + 2 && b.bytes[start] === 46;
      if (!dot) {
        yield* out.line({ ...b, incomplete: false }, line1 + i, "");
        continue;
      }
      yield* out.text("..\n.\ns/.//\n");
      inserting = false;
    }
    if (inserting) yield* out.text(".\n");
  }
}

/** The style of RCS. */
export function* printRcs(
  changes: readonly Change[],
  [, b]: readonly [TextFile, TextFile],
  out: LinePrinter,
): Pieces {
  for (const { line0, deleted, line1, inserted, ignore } of changes) {
    if (ignore) continue;
    if (deleted > 0) yield* out.text(`d${line0 + 1} ${deleted}\n`);
    if (inserted === 0) continue;
    yield* out.text(`a${line0 + deleted} ${inserted}\n`);
    for (let i = 0; i < inserted; i++) yield* out.line(b, line1 + i, "");
  }
}
