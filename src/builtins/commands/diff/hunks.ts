import { LineView } from "../../hold/mod.ts";
import type { Changes } from "./lines.ts";
import type { DiffSettings } from "./options.ts";
import { type LinePrinter, type Pieces, printLines, range, type Views } from "./print.ts";

/** Changes near enough to share their context, and the lines shown. */
interface Hunk {
  /** Indexes of the first change and of the one after the last. */
  readonly from: number;
  readonly to: number;
  readonly start0: number;
  readonly end0: number;
  readonly start1: number;
  readonly end1: number;
}

/** Groups changes as GNU diff does: one that `-B` or `-I` ignores must be nearer to join a hunk. */
function* hunks(changes: Changes, [a, b]: Views, context: number): Generator<Hunk> {
  for (let i = 0; i < changes.count;) {
    const from = i;
    const first = changes.at(i++);
    let last = first;
    let ignored = first.ignore;
    for (; i < changes.count; i++) {
      const next = changes.at(i);
      const near = next.ignore ? context : 2 * context + 1;
      if (next.line0 - (last.line0 + last.deleted) >= near) break;
      last = next;
      ignored &&= next.ignore;
    }
    if (ignored) continue;
    yield {
      from,
      to: i,
      start0: Math.max(0, first.line0 - context),
      end0: Math.min(a.file.count, last.line0 + last.deleted + context),
      start1: Math.max(0, first.line1 - context),
      end1: Math.min(b.file.count, last.line1 + last.inserted + context),
    };
  }
}

/** Finds the heading of each hunk (`-p`, `-F`): the nearest line before it that matches. */
class Headings {
  readonly #view: LineView;
  readonly #matches: DiffSettings["heading"];
  #searched = 0;
  #found = "";

  constructor({ file }: LineView, matches: DiffSettings["heading"]) {
    this.#view = new LineView(file);
    this.#matches = matches;
  }

  async before(line: number): Promise<string> {
    const view = this.#view;
    if (this.#matches === undefined) return "";
    for (let i = line - 1; i >= this.#searched; i--) {
      if (!view.has(i)) await view.load(i);
      if (!this.#matches(view.bytes, view.start, view.end)) continue;
      let { start } = view;
      while (isBlank(view.bytes[start])) start++;
      start = Math.min(start, view.end);
      let end = Math.min(view.end, start + 40);
      while (end > start && isBlank(view.bytes[end - 1])) end--;
      this.#found = ` ${String.fromCharCode(...view.bytes.subarray(start, end))}`;
      break;
    }
    this.#searched = line;
    return this.#found;
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === 32 || byte === 9 || byte === 11 || byte === 12 || byte === 13;
}

/** Prints the unified style. `header` comes before the first hunk. */
export async function* printUnified(
  changes: Changes,
  views: Views,
  out: LinePrinter,
  { context, heading }: DiffSettings,
  header: Uint8Array,
): Pieces {
  const [a, b] = views;
  const headings = new Headings(a, heading);
  const numbers = (start: number, end: number): string => {
    const count = end - start;
    return count === 1 ? String(end) : `${count === 0 ? end : start + 1},${count}`;
  };
  let started = false;
  for (const { from, to, start0, end0, start1, end1 } of hunks(changes, views, context)) {
    if (!started) out.put(header);
    started = true;
    out.painted("range", `@@ -${numbers(start0, end0)} +${numbers(start1, end1)} @@`);
    out.text(`${await headings.before(start0)}\n`);
    let i = start0;
    for (const { line0, deleted, line1, inserted } of changes.between(from, to)) {
      yield* printLines(out, a, i, line0, (view) => out.unified(view, " "));
      i = line0 + deleted;
      yield* printLines(out, a, line0, i, (view) => out.unified(view, "-"));
      yield* printLines(out, b, line1, line1 + inserted, (view) => out.unified(view, "+"));
    }
    yield* printLines(out, a, i, end0, (view) => out.unified(view, " "));
  }
}

/** Properties of the two halves of a context hunk: the first file's and the second's. */
const HALVES = [
  {
    before: "*** ",
    after: " ****",
    mark: "-",
    kind: "deleted",
    start: "start0",
    end: "end0",
    line: "line0",
    own: "deleted",
    other: "inserted",
  },
  {
    before: "--- ",
    after: " ----",
    mark: "+",
    kind: "added",
    start: "start1",
    end: "end1",
    line: "line1",
    own: "inserted",
    other: "deleted",
  },
] as const;

/** Prints the context style. `header` comes before the first hunk. */
export async function* printContext(
  changes: Changes,
  views: Views,
  out: LinePrinter,
  { context, heading }: DiffSettings,
  header: Uint8Array,
): Pieces {
  const headings = new Headings(views[0], heading);
  let started = false;
  for (const hunk of hunks(changes, views, context)) {
    if (!started) out.put(header);
    started = true;
    out.text(`***************${await headings.before(hunk.start0)}\n`);
    yield* printHalf(changes, views[0], out, hunk, HALVES[0]);
    yield* printHalf(changes, views[1], out, hunk, HALVES[1]);
  }
}

/** Prints one half of a context hunk: its range, and its lines if the hunk changes any of them. */
async function* printHalf(
  changes: Changes,
  view: LineView,
  out: LinePrinter,
  hunk: Hunk,
  { before, after, mark, kind, start, end, line, own, other }: typeof HALVES[number],
): Pieces {
  const { [start]: first, [end]: last, from, to } = hunk;
  out.painted("range", `${before}${range(first, last - first)}${after}`);
  out.text("\n");
  if (!changesAny(changes, from, to, own)) return;
  let i = first;
  for (const change of changes.between(from, to)) {
    const { [line]: begin, [own]: count } = change;
    const shown = change[other] > 0 ? "!" : mark;
    yield* printLines(out, view, i, begin, (each) => out.line(each, " ", kind));
    i = begin + count;
    yield* printLines(out, view, begin, i, (each) => out.line(each, shown, kind));
  }
  yield* printLines(out, view, i, last, (each) => out.line(each, " ", kind));
}

function changesAny(
  changes: Changes,
  from: number,
  to: number,
  what: "deleted" | "inserted",
): boolean {
  for (const change of changes.between(from, to)) if (change[what] > 0) return true;
  return false;
}
