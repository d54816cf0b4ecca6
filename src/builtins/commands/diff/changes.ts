import { turnEventLoop } from "../../../streams/mod.ts";
import type { BuiltinIo } from "../../builtin.ts";
import { defaultBuiltinLimits } from "../../limits.ts";
import { classify } from "./classes.ts";
import { differentPart, type LineFile, linesFrom, LineView, type Middle } from "../../hold/mod.ts";
import { Changes, compareLines } from "./lines.ts";
import type { DiffSettings } from "./options.ts";
import { CanonicalLine, isBlankLine, isExact, type Sameness } from "./sameness.ts";

type Files = readonly [LineFile, LineFile];

/** Most attempts to number the lines. One fails if two different lines get the same number. */
const ATTEMPTS = 4;

/** Finds the changes that turn the first file into the second. */
export async function findChanges(
  files: Files,
  settings: DiffSettings,
  io: BuiltinIo,
): Promise<Changes> {
  const { sameness, horizon, context } = settings;
  const middle = await differentPart(files, horizon);
  if (middle === undefined) return new Changes(0);
  const { diffLines: most, diffSteps: steps } = { ...defaultBuiltinLimits, ...io.limits };
  for (let attempt = 1;; attempt++) {
    const { lines: [a, b], count } = await classify(files, middle, sameness, most);
    if (attempt === 1) {
      const lines = [middle.line + a.length, middle.line + b.length] as const;
      // No more lines are shown as context.
      const more = await linesFrom(files[0], middle.ends[0], context);
      files.forEach((file, i) => file.count = (lines[i] as number) + more);
    }
    const options = { ...settings, steps };
    const changes = await compareLines(a, b, count, middle.line, options, () => rest(io));
    if (await areRight(changes, files, middle, a.length, sameness)) {
      await ignoreChanges(changes, files, settings);
      return changes;
    }
    if (attempt === ATTEMPTS) throw new Error("Lines cannot be told apart by their hashes");
  }
}

/** Lets the event loop turn, so that an abort is seen. */
async function rest(io: BuiltinIo): Promise<void> {
  await turnEventLoop();
  io.signal.throwIfAborted();
}

/** True if the lines found to be the same are: different lines may have the same hashes. */
async function areRight(
  changes: Changes,
  files: Files,
  middle: Middle,
  count: number,
  sameness: Sameness,
): Promise<boolean> {
  const [a, b] = [new LineView(files[0]), new LineView(files[1])];
  const [x, y] = [new CanonicalLine(sameness), new CanonicalLine(sameness)];
  const exact = isExact(sameness);
  const end = middle.line + count;
  let [i, j] = [middle.line, middle.line];
  if (count > 0) await a.loadAt(i, middle.start);
  for (let at = 0; at <= changes.count; at++) {
    const change = at < changes.count ? changes.at(at) : undefined;
    for (const stop = change?.line0 ?? end; i < stop; i++, j++) {
      if (!a.has(i)) await a.load(i);
      if (!b.has(j)) await b.load(j);
      if (exact) {
        if (!sameBytes(a.bytes, a.start, a.end, b.bytes, b.start, b.end)) return false;
        continue;
      }
      x.take(a.bytes, a.start, a.end);
      y.take(b.bytes, b.start, b.end);
      if (!sameBytes(x.bytes, 0, x.length, y.bytes, 0, y.length)) return false;
    }
    if (change === undefined) break;
    i += change.deleted;
    j += change.inserted;
  }
  return true;
}

function sameBytes(
  a: Uint8Array,
  from: number,
  end: number,
  b: Uint8Array,
  to: number,
  end1: number,
): boolean {
  if (end - from !== end1 - to) return false;
  const shift = to - from;
  for (let i = from; i < end; i++) if (a[i] !== b[i + shift]) return false;
  return true;
}

/** Marks the changes that `-B` and `-I` leave out. */
async function ignoreChanges(
  changes: Changes,
  files: Files,
  { blankLines, ignored, sameness }: DiffSettings,
): Promise<void> {
  if (!blankLines && ignored === undefined) return;
  const views = [new LineView(files[0]), new LineView(files[1])] as const;
  const ignorable = async (view: LineView, from: number, count: number): Promise<boolean> => {
    for (let line = from; line < from + count; line++) {
      if (!view.has(line)) await view.load(line);
      const { bytes, start, end } = view;
      if (ignored?.(bytes, start, end) === true) continue;
      if (!blankLines || !isBlankLine(bytes, start, end, sameness)) return false;
    }
    return true;
  };
  for (let i = 0; i < changes.count; i++) {
    const { line0, deleted, line1, inserted } = changes.at(i);
    if (!await ignorable(views[0], line0, deleted)) continue;
    if (await ignorable(views[1], line1, inserted)) changes.ignore(i);
  }
}
