/** One line of a hunk; the text keeps its newline, if it has one. */
export interface HunkLine {
  readonly kind: " " | "-" | "+";
  readonly text: string;
}

/**
 * One hunk. Line numbers count from 1; where a side is empty, they name the line after. Removed
 * lines stand before those that take their place.
 */
export interface Hunk {
  readonly first: number;
  readonly newFirst: number;
  readonly lines: readonly HunkLine[];
  /** What follows the heading of a unified hunk. */
  readonly heading: string;
}

/** A hunk with its sides swapped. */
export function swapHunk({ first, newFirst, lines, heading }: Hunk): Hunk {
  const swapped = lines.map(({ kind, text }): HunkLine => ({
    kind: kind === " " ? " " : kind === "-" ? "+" : "-",
    text,
  }));
  return { first: newFirst, newFirst: first, lines: inOrder(swapped), heading };
}

/** Puts removed lines before those that take their place. */
export function inOrder(lines: readonly HunkLine[]): HunkLine[] {
  const ordered: HunkLine[] = [];
  let added: HunkLine[] = [];
  for (const line of lines) {
    if (line.kind === "+") {
      added.push(line);
      continue;
    }
    if (line.kind === " ") {
      for (const each of added) ordered.push(each);
      added = [];
    }
    ordered.push(line);
  }
  for (const each of added) ordered.push(each);
  return ordered;
}

/** How many lines of context a hunk starts and ends with. */
export function contexts(lines: readonly HunkLine[]): [number, number] {
  const changed = (line: HunkLine): boolean => line.kind !== " ";
  const first = lines.findIndex(changed);
  return first < 0
    ? [lines.length, lines.length]
    : [first, lines.length - 1 - lines.findLastIndex(changed)];
}

/** How many lines the two sides of a hunk have. */
export function sidesOf({ lines }: Hunk): [number, number] {
  let [old, fresh] = [0, 0];
  for (const { kind } of lines) {
    if (kind !== "+") old++;
    if (kind !== "-") fresh++;
  }
  return [old, fresh];
}
