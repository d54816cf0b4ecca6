import { type LineEnds, lineEndsOf, withLineEnd } from "./line_ends.ts";

/** A part of a text: where it begins, and where what follows it does. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** So many places are searched; where there is one more, that is all that is known. */
export const MOST_PLACES = 100_000;

/** A line end of either kind, whole. */
const EITHER = "(?:\\r\\n|(?<!\\r)\\n)";

/**
 * Finds a string in a text, where its line ends may differ from those of the text. With `all` these
 * are the parts to replace, one after the other. Else they may overlap, as that is ambiguous too.
 *
 * In a text with line ends of both kinds, those of the string count if they make it unique.
 */
export function occurrencesOf(
  text: string,
  ends: LineEnds,
  wanted: string,
  { all }: { all: boolean },
): Span[] {
  if (!ends.mixed) return exactly(text, fitted(wanted, ends), all);
  const either = ofEitherKind(text, fitted(wanted, { most: "\n", mixed: false }), all);
  if (all || either.length < 2) return either;
  const given = exactly(text, withoutHalfEnd(wanted), all);
  return given.length === 1 ? given : either;
}

/**
 * A replacement with line ends of the text: those of the part that it replaces, or else those of
 * the lines around it, so that it adds none of another kind.
 */
export function replacementFor(
  text: string,
  ends: LineEnds,
  { start, end }: Span,
  replacement: string,
): string {
  if (!ends.mixed) return fitted(replacement, ends);
  const there = text.slice(start, end).match(/\r?\n/g) ?? [lineEndAt(text, end)];
  let count = 0;
  const next = () => there[Math.min(count++, there.length - 1)] ?? "\n";
  return withoutHalfEnd(replacement).replace(/\r?\n/g, next);
}

/** A string with the line ends of a text that has one kind. */
function fitted(given: string, { most }: LineEnds): string {
  if (most === undefined) {
    const own = lineEndsOf(given);
    return own.mixed && own.most !== undefined ? withLineEnd(given, own.most) : given;
  }
  return withLineEnd(most === "\r\n" ? withoutHalfEnd(given) : given, most);
}

/** A string that was cut between the two characters of a line end is taken without it. */
function withoutHalfEnd(given: string): string {
  return given.replace(/\r$/, "");
}

function exactly(text: string, wanted: string, all: boolean): Span[] {
  const found: Span[] = [];
  if (wanted === "") return found;
  const step = all ? wanted.length : 1;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + step)) {
    if (found.length > MOST_PLACES) break;
    found.push({ start: at, end: at + wanted.length });
  }
  return found;
}

function ofEitherKind(text: string, wanted: string, all: boolean): Span[] {
  const found: Span[] = [];
  if (wanted === "") return found;
  const lines = wanted.split("\n").map((line) => line.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
  const pattern = new RegExp(lines.join(EITHER), "g");
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (found.length > MOST_PLACES) break;
    const end = match.index + match[0].length;
    found.push({ start: match.index, end });
    pattern.lastIndex = all ? end : match.index + 1;
  }
  return found;
}

/** The line end of the line that a place is in, or of the line before it. */
function lineEndAt(text: string, place: number): string {
  const next = text.indexOf("\n", place);
  const at = next >= 0 ? next : text.lastIndexOf("\n", place);
  return text[at - 1] === "\r" ? "\r\n" : "\n";
}
