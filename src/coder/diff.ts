import type { StructuredPatchHunk } from "diff";
import { structuredPatch } from "diff/lib/patch/create.js";

/** Lines around a change that a hunk shows, as `diff -u` does. */
const CONTEXT = 3;

/** Bounds on the search for a short diff; `timeout` is in milliseconds. */
const BOUNDS = { maxEditLength: 1000, timeout: 250 };

const NO_NEWLINE = "\\ No newline at end of file";

/**
 * Makes the unified diff from one text to another, for people who watch an edit; empty when the
 * texts are equal. A change of more than 1,000 lines, or one that takes too long to compare, is
 * shown as one block.
 *
 * @example
 * ```ts
 * import { unifiedDiff } from "./diff.ts";
 *
 * const diff = unifiedDiff("a.txt", "one\ntwo\n", "one\n2\n");
 * const expected = "--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n";
 * if (diff !== expected) throw new Error(diff);
 * ```
 */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return "";
  const options = { context: CONTEXT, ...BOUNDS };
  const patch = structuredPatch(path, path, before, after, undefined, undefined, options);
  const hunks = patch?.hunks ?? [oneBlock(splitLines(before), splitLines(after))];
  // The library's own text quotes a path that is not ASCII, and never shortens `1,1`.
  return `--- ${path}\n+++ ${path}\n${hunks.map(render).join("")}`;
}

/** Lines with their line ends. */
function splitLines(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

/** The change as one hunk: all lines between the equal ones at the start and at the end. */
function oneBlock(before: string[], after: string[]): StructuredPatchHunk {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const start = Math.max(0, head - CONTEXT);
  const more = Math.min(tail, CONTEXT);
  const marked = (mark: string, lines: string[]) =>
    lines.flatMap((line) =>
      line.endsWith("\n") ? [mark + line.slice(0, -1)] : [mark + line, NO_NEWLINE]
    );
  return {
    oldStart: start + 1,
    oldLines: before.length - tail + more - start,
    newStart: start + 1,
    newLines: after.length - tail + more - start,
    lines: [
      ...marked(" ", before.slice(start, head)),
      ...marked("-", before.slice(head, before.length - tail)),
      ...marked("+", after.slice(head, after.length - tail)),
      ...marked(" ", before.slice(before.length - tail, before.length - tail + more)),
    ],
  };
}

function render({ oldStart, oldLines, newStart, newLines, lines }: StructuredPatchHunk): string {
  const header = `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`;
  return [header, ...lines, ""].join("\n");
}

/** The lines of a hunk in its header: an empty range names the line before it. */
function range(start: number, count: number): string {
  if (count === 1) return `${start}`;
  return `${count === 0 ? start - 1 : start},${count}`;
}
