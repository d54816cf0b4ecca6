import { LimitError } from "../../../streams/mod.ts";

/** What the lines of one hunk may take, in bytes; each counts for its overhead too. */
const MAX_HUNK = 48 * 1024 * 1024;
const LINE_OVERHEAD = 64;

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
  /** What follows the heading of a unified hunk, or the stars of a context diff's. */
  readonly heading: string;
}

/** The lines of one hunk or of a side of it, which are held in memory. */
export class HunkLines<Line extends { readonly text: string }> {
  /** The lines. */
  readonly all: Line[] = [];
  #size = 0;

  /**
   * Adds a line.
   *
   * @throws {LimitError} If the hunk becomes too large.
   */
  add(line: Line): void {
    this.all.push(line);
    this.#size += line.text.length + LINE_OVERHEAD;
    if (this.#size <= MAX_HUNK) return;
    throw new LimitError(
      { name: "hunk size", max: MAX_HUNK },
      `A hunk of the patch takes more than ${MAX_HUNK} bytes; make the patch with fewer lines of context ` +
        "or in several steps",
    );
  }
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
  const flush = (): void => {
    for (const line of added) ordered.push(line);
    added = [];
  };
  for (const line of lines) {
    if (line.kind === " ") flush();
    (line.kind === "+" ? added : ordered).push(line);
  }
  flush();
  return ordered;
}

/** How many lines of context a hunk starts and ends with. */
export function contexts({ lines }: Hunk): readonly [number, number] {
  const changed = (line: HunkLine): boolean => line.kind !== " ";
  const first = lines.findIndex(changed);
  return first < 0
    ? [lines.length, lines.length]
    : [first, lines.length - 1 - lines.findLastIndex(changed)];
}

/** How many lines the two sides of a hunk have. */
export function sidesOf({ lines }: Hunk): readonly [number, number] {
  const count = (other: string): number =>
    lines.reduce((sum, { kind }) => kind === other ? sum : sum + 1, 0);
  return [count("+"), count("-")];
}
