import { namedCharacters, plainForm, plainText, unmistakable } from "./_look_alikes.ts";

/** Level of comparison: only the looks of characters may differ. */
export const LOOKS = 0;
/** Blanks at the ends of lines may differ, too. */
export const TRAILING = 1;
/** Blanks at the beginnings of lines may differ, too. */
export const INDENTATION = 2;
/** Everywhere in a line there may be more or fewer blanks, if there are any. */
export const RUNS = 3;

/** A piece of a line: where it is, and what it is taken for. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly plain: string;
}

/** A line as it is compared at a level. */
export function plainLine(line: string, level: number): string {
  const plain = plainText(line);
  if (level === LOOKS) return plain;
  const trimmed = level === TRAILING ? plain.trimEnd() : plain.trim();
  return level === RUNS ? trimmed.replace(/\s+/g, " ") : trimmed;
}

/**
 * Finds the part of a line that is `from` to `to` of its {@linkcode plainLine}; `undefined` if that
 * is ambiguous.
 */
export function partOf(
  line: string,
  level: number,
  from: number,
  to: number,
): { start: number; end: number } | undefined {
  const pieces = piecesOf(line, level);
  let length = 0;
  let start: number | undefined;
  let end: number | undefined;
  for (const piece of pieces) {
    const before = length;
    length += piece.plain.length;
    if (length > from) start ??= piece.start;
    if (before < to) end = piece.end;
  }
  if (pieces.map(({ plain }) => plain).join("") !== plainLine(line, level)) return undefined;
  start ??= pieces.at(-1)?.end ?? line.length;
  return { start, end: Math.max(start, end ?? start) };
}

/** Describes in words the differences between two lines that compare as equal. */
export function differencesOf(
  line: string,
  wanted: string,
  level: number,
  number: number,
): string[] {
  const found: string[] = [];
  const edge = (side: "begins" | "ends", pattern: RegExp) => {
    const [there = ""] = pattern.exec(line) ?? [];
    const [given = ""] = pattern.exec(wanted) ?? [];
    if (there === given) return;
    found.push(`line ${number} ${side} with ${blanks(there)}, in old_string with ${blanks(given)}`);
  };
  if (level >= INDENTATION) edge("begins", /^\s*/);
  // A line of blanks alone is indentation, where that is looked at.
  if (level >= TRAILING) edge("ends", level >= INDENTATION ? /(?<=\S)\s*$/ : /(?<!\s)\s*$/);
  const trim = (text: string) =>
    level === LOOKS ? text : level === TRAILING ? text.trimEnd() : text.trim();
  return [...found, ...within(trim(line), trim(wanted), level)];
}

/** Pairs of what is in one line and not in the other. */
function within(line: string, wanted: string, level: number): string[] {
  const there = piecesOf(line, level);
  const given = piecesOf(wanted, level);
  const found: string[] = [];
  const left = new Walk(line, there);
  const right = new Walk(wanted, given);
  while (left.more || right.more) {
    if (left.more && (left.length <= right.length || !right.more)) left.take();
    else right.take();
    // Both must have moved on: pieces without width are compared with what is beside them.
    const apart = left.length !== right.length || left.length === 0;
    if (apart && (left.more || right.more)) continue;
    const [a, b] = [left.part(), right.part()];
    if (a !== b) found.push(`${namedCharacters(a)} where old_string has ${namedCharacters(b)}`);
  }
  return found;
}

/** Goes through the pieces of a line, and gives what it passed. */
class Walk {
  readonly #line: string;
  readonly #pieces: readonly Piece[];
  #from = 0;
  #to = 0;
  /** The length of the part's compared form. */
  length = 0;

  constructor(line: string, pieces: readonly Piece[]) {
    this.#line = line;
    this.#pieces = pieces;
  }

  get more(): boolean {
    return this.#to < this.#pieces.length;
  }

  take(): void {
    this.length += this.#pieces[this.#to++]?.plain.length ?? 0;
  }

  /** Returns the text that was taken since the last part. */
  part(): string {
    const start = this.#pieces[this.#from]?.start ?? this.#line.length;
    const end = this.#pieces[this.#to - 1]?.end ?? start;
    this.#from = this.#to;
    this.length = 0;
    return this.#line.slice(start, end);
  }
}

function blanks(text: string): string {
  return text === "" ? "no blanks" : unmistakable(text);
}

function piecesOf(line: string, level: number): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  for (const character of line) {
    const end = start + character.length;
    const plain = plainForm(character);
    const last = pieces.at(-1);
    const run = level === RUNS && last?.plain === " " && plain.trim() === "";
    if (run) pieces[pieces.length - 1] = { ...last, end };
    else pieces.push({ start, end, plain: level === RUNS && /^\s+$/.test(plain) ? " " : plain });
    start = end;
  }
  const blank = ({ plain }: Piece) => plain.trim() === "";
  if (level >= TRAILING) pieces.splice(pieces.findLastIndex((piece) => !blank(piece)) + 1);
  if (level < INDENTATION) return pieces;
  const first = pieces.findIndex((piece) => !blank(piece));
  return first < 0 ? [] : pieces.slice(first);
}
