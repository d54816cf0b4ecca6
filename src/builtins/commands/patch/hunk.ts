/** One line of a hunk; the text keeps its newline, if it has one. */
export interface HunkLine {
  readonly kind: " " | "-" | "+";
  readonly text: string;
}

/** One line of a side of a context diff's hunk; `!` is a line that the other side changes. */
export interface SideLine {
  readonly mark: " " | "-" | "+" | "!";
  readonly text: string;
}

/** The two sides of a hunk as a context diff has them. */
export interface HunkSides {
  readonly old: readonly SideLine[];
  readonly new: readonly SideLine[];
  /** Whether a blank line stands before the new side. */
  readonly gap: boolean;
}

/** Where the sides of a context diff's hunk don't fit together. */
export interface Mangled {
  /** Numbers of the lines in the patch, as GNU's counts them. */
  readonly numbers: readonly [number, number];
  /** How many lines of the hunk are before it. */
  readonly at: number;
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
  /** How many lines of context it starts and ends with, where the lines don't tell. */
  readonly context?: readonly [number, number];
  /** The sides that the lines were made of, in a context diff. */
  readonly sides?: HunkSides;
  /** Where the sides don't fit together, if they don't. */
  readonly mangled?: Mangled;
  /** Number of the line after the stars of a context diff's hunk. */
  readonly begin?: number;
}

/** A hunk with its sides swapped. */
export function swapHunk(hunk: Hunk): Hunk {
  const { first, newFirst, lines, sides } = hunk;
  if (sides !== undefined) {
    return hunkOfSides({ ...hunk, first: newFirst, newFirst: first }, {
      old: sides.new.map(({ mark, text }) => ({ mark: mark === "+" ? "-" : mark, text })),
      new: sides.old.map(({ mark, text }) => ({ mark: mark === "-" ? "+" : mark, text })),
      gap: sides.gap,
    });
  }
  const swapped = lines.map(({ kind, text }): HunkLine => ({
    kind: kind === " " ? " " : kind === "-" ? "+" : "-",
    text,
  }));
  return { ...hunk, first: newFirst, newFirst: first, lines: inOrder(swapped) };
}

/** Makes a hunk of the two sides of a context diff's. */
export function hunkOfSides(
  hunk: Omit<Hunk, "lines" | "sides" | "mangled">,
  sides: HunkSides,
): Hunk {
  const { old, new: fresh } = sides;
  const lines: HunkLine[] = [];
  let [i, j] = [0, 0];
  const remove = (): void => void lines.push({ kind: "-", text: old[i++]?.text ?? "" });
  const insert = (): void => void lines.push({ kind: "+", text: fresh[j++]?.text ?? "" });
  let mangled: Mangled | undefined;
  while (i < old.length) {
    const mark = old[i]?.mark;
    const other = fresh[j]?.mark;
    if (mark === "-") {
      remove();
    } else if (other === undefined) {
      lines.push({ kind: " ", text: old[i++]?.text ?? "" });
    } else if (other === "+") {
      insert();
    } else if (mark !== other) {
      // As GNU's counts them: from the line of stars, the headings of both sides included.
      const begin = hunk.begin ?? 0;
      const after = begin + old.length + (sides.gap ? 1 : 0) + j + 2;
      mangled ??= { numbers: [begin + i + 1, after], at: lines.length };
      lines.push({ kind: " ", text: old[i++]?.text ?? "" });
    } else if (mark === "!") {
      while (old[i]?.mark === "!") remove();
      while (fresh[j]?.mark === "!") insert();
    } else {
      lines.push({ kind: " ", text: old[i++]?.text ?? "" });
      j++;
    }
  }
  while (fresh[j]?.mark === "+") insert();
  return { ...hunk, lines, sides, ...(mangled !== undefined && { mangled }) };
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
export function contexts({ lines, context }: Hunk): readonly [number, number] {
  if (context !== undefined) return context;
  const changed = (line: HunkLine): boolean => line.kind !== " ";
  const first = lines.findIndex(changed);
  return first < 0
    ? [lines.length, lines.length]
    : [first, lines.length - 1 - lines.findLastIndex(changed)];
}

/** How many lines the two sides of a hunk have. */
export function sidesOf({ lines, sides }: Hunk): readonly [number, number] {
  if (sides !== undefined) return [sides.old.length, sides.new.length];
  let [old, fresh] = [0, 0];
  for (const { kind } of lines) {
    if (kind !== "+") old++;
    if (kind !== "-") fresh++;
  }
  return [old, fresh];
}
