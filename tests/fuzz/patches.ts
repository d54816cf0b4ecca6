import type { Random } from "../../src/regex/_testing.ts";

/**
 * The place of a hunk: changed lines of two texts from `start` on, and the lines shown around them.
 */
export interface HunkPlace {
  readonly start: number;
  readonly old: number;
  readonly fresh: number;
  readonly context: number;
  readonly shift: number;
}

/** A hunk of a context diff, sometimes with an odd part. */
export function contextHunk(
  random: Random,
  before: readonly string[],
  after: readonly string[],
  { start, old, fresh, context, shift }: HunkPlace,
): string {
  const from = Math.max(0, start - context);
  const leading = before.slice(from, start);
  const trailing = before.slice(start + old, start + old + context);
  const range = (size: number): string => {
    const first = from + 1 + shift;
    const last = first + leading.length + size + trailing.length - 1;
    return last < first ? `${last}` : last === first ? `${first}` : `${first},${last}`;
  };
  const both = old > 0 && fresh > 0;
  const side = (lines: readonly string[], mark: string): string =>
    leading.map((line) => `  ${line}\n`).join("") +
    lines.map((line) => `${both ? "!" : mark} ${line}\n`).join("") +
    trailing.map((line) => `  ${line}\n`).join("");
  const whole = random.chance(15);
  const removed = both || whole || old > 0 ? side(before.slice(start, start + old), "-") : "";
  const added = both || whole || fresh > 0 ? side(after.slice(start, start + fresh), "+") : "";
  const text = random.chance(90) ? "" : " f()";
  return `***************${text}\n*** ${range(old)} ****\n${removed}` +
    `--- ${range(fresh)} ----\n${added}`;
}

/** Names for git's patches: files that exist, and those in folders that do not. */
const NAMES = [["f", "f", "n/x"], ["g", "d/x"], ["d/f", "n/m/x"]];

/** The lines that git writes before hunks of one of those files, or of two. */
function gitHeading(random: Random, names: readonly string[]): string {
  const from = random.pick(names);
  const to = random.chance(60) ? from : random.pick(names);
  const mode = random.pick(["100644", "100644", "100644", "100755"]);
  const hash = (): string =>
    random.chance(80) ? random.pick(["814f4a4", "f719efd"]) : random.pick(["0000000", "e69de29"]);
  let text = `diff --git a/${from} b/${to}\n`;
  const kind = random.int(10);
  if (kind < 2) text += `similarity index 90%\nrename from ${from}\nrename to ${to}\n`;
  if (kind === 2) text += `similarity index 90%\ncopy from ${from}\ncopy to ${to}\n`;
  if (kind === 3) text += `new file mode ${mode}\n`;
  if (kind === 4) text += `deleted file mode ${mode}\n`;
  if (kind === 5) text += `old mode 100644\nnew mode ${mode}\n`;
  if (random.chance(70)) {
    text += `index ${hash()}..${hash()}${random.chance(60) ? ` ${mode}` : ""}\n`;
  }
  if (random.chance(4)) return `${text}GIT binary patch\nliteral 4\nLcmZQzWMT#Y01f~L\n\n`;
  if (random.chance(20)) return text;
  return `${text}--- ${kind === 3 ? "/dev/null" : `a/${from}`}\n` +
    `+++ ${kind === 4 ? "/dev/null" : `b/${to}`}\n`;
}

/** Several patches in git's format; `hunk` makes one for a file. */
export function gitPatches(random: Random, hunk: () => string): string {
  let text = "";
  // Each is about other files: GNU's patch depends on inode numbers, which may be reused.
  for (const names of NAMES.slice(random.int(NAMES.length))) {
    const heading = gitHeading(random, names);
    text += heading;
    if (heading.includes("+++ ") && random.chance(95)) {
      const wanted = random.int(6);
      text += wanted === 0 ? "@@ -0,0 +1,2 @@\n+a\n+b\n" : hunk();
    }
  }
  return text;
}

/** A name in a folder, for a heading. */
export function nameInFolder(random: Random): string {
  return random.pick([
    "d/f",
    "d/f",
    "d/f",
    "n/x",
    "n/m/x",
    "d/x",
    "./d/f",
    "d//f",
    "n/../f",
    "g/x",
  ]);
}
