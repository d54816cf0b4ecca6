/** Lines around a change that a hunk shows, as `diff -u` does. */
const CONTEXT = 3;
/** Most pairs of lines that are compared; a larger change is shown as a whole. */
const MOST_PAIRS = 1_000_000;

/** A line of the diff: kept, removed or added. */
interface Step {
  mark: " " | "-" | "+";
  line: string;
}

/**
 * The unified diff that leads from one text to another; empty when they are the same. For showing
 * an edit: where thousands of lines changed, they come as one block.
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
  const steps = script(lines(before), lines(after));
  return `--- ${path}\n+++ ${path}\n${hunks(steps).join("")}`;
}

/** Lines with their line ends. */
function lines(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

function script(before: string[], after: string[]): Step[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const kept = (line: string): Step => ({ mark: " ", line });
  return [
    ...before.slice(0, head).map(kept),
    ...changes(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(kept),
  ];
}

/** The shortest way from some lines to others, by the longest common subsequence. */
function changes(before: string[], after: string[]): Step[] {
  const removed = (line: string): Step => ({ mark: "-", line });
  const added = (line: string): Step => ({ mark: "+", line });
  if (before.length * after.length > MOST_PAIRS) {
    return [...before.map(removed), ...after.map(added)];
  }
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] as number;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      common[i * width + j] = before[i] === after[j]
        ? at(i + 1, j + 1) + 1
        : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const steps: Step[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const old = before[i];
    const made = after[j];
    if (old !== undefined && old === made) {
      steps.push({ mark: " ", line: old });
      i++;
      j++;
    } else if (old !== undefined && (made === undefined || at(i + 1, j) >= at(i, j + 1))) {
      steps.push(removed(old));
      i++;
    } else if (made !== undefined) {
      steps.push(added(made));
      j++;
    }
  }
  return steps;
}

function hunks(steps: Step[]): string[] {
  const changed = steps.flatMap(({ mark }, index) => mark === " " ? [] : [index]);
  const ranges: { from: number; to: number }[] = [];
  for (const index of changed) {
    const last = ranges.at(-1);
    const to = Math.min(steps.length, index + CONTEXT + 1);
    if (last !== undefined && index - CONTEXT <= last.to) last.to = to;
    else ranges.push({ from: Math.max(0, index - CONTEXT), to });
  }
  let before = 0;
  let after = 0;
  let done = 0;
  return ranges.map(({ from, to }) => {
    // Between two hunks everything is kept.
    before += from - done;
    after += from - done;
    const part = steps.slice(from, to);
    const old = part.filter(({ mark }) => mark !== "+").length;
    const made = part.filter(({ mark }) => mark !== "-").length;
    const header = `@@ -${range(before, old)} +${range(after, made)} @@\n`;
    before += old;
    after += made;
    done = to;
    return header + part.map(render).join("");
  });
}

/** `start,count` counted from 1; an empty range names the line before it. */
function range(before: number, count: number): string {
  if (count === 1) return `${before + 1}`;
  return `${count === 0 ? before : before + 1},${count}`;
}

function render({ mark, line }: Step): string {
  return line.endsWith("\n") ? `${mark}${line}` : `${mark}${line}\n\\ No newline at end of file\n`;
}
