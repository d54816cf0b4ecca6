import type { Chunk } from "../streams/mod.ts";
import type { Change } from "./_diff_lines.ts";
import type { DiffSettings } from "./_diff_options.ts";
import { type LinePrinter, range } from "./_diff_print.ts";
import { latin1Text, type TextFile } from "./_diff_text.ts";

type Pieces = Generator<Chunk, void, void>;
type Files = readonly [TextFile, TextFile];

/** Changes that stand near enough to share their context, and the lines shown. */
interface Hunk {
  readonly changes: readonly Change[];
  readonly start0: number;
  readonly end0: number;
  readonly start1: number;
  readonly end1: number;
}

/** Groups changes as GNU does: ignorable ones must stand nearer to be shown with their neighbour. */
function* hunks(changes: readonly Change[], [a, b]: Files, context: number): Generator<Hunk> {
  for (let i = 0; i < changes.length;) {
    const group: Change[] = [];
    let more = true;
    while (more) {
      const change = changes[i++] as Change;
      group.push(change);
      const next = changes[i];
      const near = next?.ignore === true ? context : 2 * context + 1;
      more = next !== undefined && next.line0 - (change.line0 + change.deleted) < near;
    }
    if (group.every(({ ignore }) => ignore)) continue;
    const first = group[0] as Change;
    const last = group[group.length - 1] as Change;
    yield {
      changes: group,
      start0: Math.max(0, first.line0 - context),
      end0: Math.min(a.count, last.line0 + last.deleted + context),
      start1: Math.max(0, first.line1 - context),
      end1: Math.min(b.count, last.line1 + last.inserted + context),
    };
  }
}

/** Finds the heading of each hunk (`-p`, `-F`): the nearest line before it that matches. */
class Headings {
  readonly #file: TextFile;
  readonly #matches: DiffSettings["heading"];
  #searched = 0;
  #found: string | undefined;

  constructor(file: TextFile, matches: DiffSettings["heading"]) {
    this.#file = file;
    this.#matches = matches;
  }

  before(line: number): string {
    if (this.#matches === undefined) return "";
    const { bytes, starts } = this.#file;
    for (let i = line - 1; i >= this.#searched; i--) {
      const start = starts[i] as number;
      const end = (starts[i + 1] as number) - 1;
      if (!this.#matches(bytes, start, end)) continue;
      const text = latin1Text(bytes, start, end).replace(/^[ \t\v\f\r]+/, "");
      this.#found = text.slice(0, 40).replace(/[ \t\v\f\r]+$/, "");
      break;
    }
    this.#searched = line;
    return this.#found === undefined ? "" : ` ${this.#found}`;
  }
}

/** The unified style. `header` is put out before the first hunk. */
export function* printUnified(
  changes: readonly Change[],
  files: Files,
  out: LinePrinter,
  { context, heading }: DiffSettings,
  header: string,
): Pieces {
  const [a, b] = files;
  const headings = new Headings(a, heading);
  const numbers = (start: number, end: number): string => {
    const count = end - start;
    return count === 1 ? String(end) : `${count === 0 ? end : start + 1},${count}`;
  };
  let started = false;
  for (const { changes: group, start0, end0, start1, end1 } of hunks(changes, files, context)) {
    if (!started) yield* out.text(header);
    started = true;
    yield* out.text(`@@ -${numbers(start0, end0)} +${numbers(start1, end1)} @@`);
    yield* out.latin1(headings.before(start0));
    yield* out.text("\n");
    let i = start0;
    for (const { line0, deleted, line1, inserted } of group) {
      for (; i < line0; i++) yield* out.unified(a, i, " ");
      for (; i < line0 + deleted; i++) yield* out.unified(a, i, "-");
      for (let j = line1; j < line1 + inserted; j++) yield* out.unified(b, j, "+");
    }
    for (; i < end0; i++) yield* out.unified(a, i, " ");
  }
}

/** The context style. `header` is put out before the first hunk. */
export function* printContext(
  changes: readonly Change[],
  files: Files,
  out: LinePrinter,
  { context, heading }: DiffSettings,
  header: string,
): Pieces {
  const [a, b] = files;
  const headings = new Headings(a, heading);
  let started = false;
  for (const { changes: group, start0, end0, start1, end1 } of hunks(changes, files, context)) {
    if (!started) yield* out.text(header);
    started = true;
    yield* out.text("***************");
    yield* out.latin1(headings.before(start0));
    yield* out.text(`\n*** ${range(start0, end0 - start0)} ****\n`);
    if (group.some(({ deleted }) => deleted > 0)) {
      let i = start0;
      for (const { line0, deleted, inserted } of group) {
        for (; i < line0; i++) yield* out.line(a, i, " ");
        for (; i < line0 + deleted; i++) yield* out.line(a, i, inserted > 0 ? "!" : "-");
      }
      for (; i < end0; i++) yield* out.line(a, i, " ");
    }
    yield* out.text(`--- ${range(start1, end1 - start1)} ----\n`);
    if (group.some(({ inserted }) => inserted > 0)) {
      let j = start1;
      for (const { line1, deleted, inserted } of group) {
        for (; j < line1; j++) yield* out.line(b, j, " ");
        for (; j < line1 + inserted; j++) yield* out.line(b, j, deleted > 0 ? "!" : "+");
      }
      for (; j < end1; j++) yield* out.line(b, j, " ");
    }
  }
}
