import { LimitError } from "../../../streams/mod.ts";

/** Maximum size of one hunk's lines in bytes, with an overhead for each. */
const MAX_HUNK = 48 * 1024 * 1024;
const LINE_OVERHEAD = 64;

/** One line of a hunk; the text keeps its newline, if it has one. */
export interface HunkLine {
  readonly kind: " " | "-" | "+";
  readonly text: string;
}

/**
 * One hunk. Line numbers count from 1; for an empty side, they name the line after. Removed lines
 * precede their replacements.
 */
export interface Hunk {
  readonly first: number;
  readonly newFirst: number;
  readonly lines: readonly HunkLine[];
  /** The text after the heading of a unified hunk, or after the stars of a context diff's. */
  readonly heading: string;
}

/** The lines of one hunk, or of one side of it, held in memory. */
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
      `A hunk of the patch takes more than ${MAX_HUNK} bytes; create the patch with less context ` +
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

/** Moves removed lines before their replacements. */
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

/** Numbers of context lines at the start and the end of a hunk. */
export function contexts({ lines }: Hunk): readonly [number, number] {
  const changed = (line: HunkLine): boolean => line.kind !== " ";
  const first = lines.findIndex(changed);
  return first < 0
    ? [lines.length, lines.length]
    : [first, lines.length - 1 - lines.findLastIndex(changed)];
}

/** Numbers of lines on both sides of a hunk. */
export function sidesOf({ lines }: Hunk): readonly [number, number] {
  const count = (other: string): number =>
    lines.reduce((sum, { kind }) => kind === other ? sum : sum + 1, 0);
  return [count("+"), count("-")];
}
