import { plainText, unmistakable } from "./_look_alikes.ts";
import { differencesOf, INDENTATION, LOOKS, partOf, plainLine, RUNS, TRAILING } from "./_pieces.ts";
import { lineEndsOf } from "./line_ends.ts";

/** Kinds of differences, the least first, with the words for them. */
const LEVELS: readonly (readonly [level: number, name: string])[] = [
  [LOOKS, "look-alike characters"],
  [TRAILING, "blanks at the ends of lines"],
  [INDENTATION, "indentation"],
  [RUNS, "the number of blanks"],
];
/** Most places, and most differences, that are described. */
const MOST = 5;
/** Most characters of an exact text that is quoted. */
const MOST_TEXT = 4000;

/** Characters of a text in which it is not worth the time to search. */
const MOST_SEARCHED = 2 * 1024 * 1024;
/** Characters of a line from which on it is not looked at. */
const MOST_LINE = 100_000;

/** A place that is nearly what was searched. */
interface Near {
  /** Its first and its last line, from 1. */
  readonly from: number;
  readonly to: number;
  /** The text of the file, with LF for line ends. */
  readonly exact: string;
  /** The differences, in words. */
  readonly differences: readonly string[];
}

/** Lines as they are, and as they are compared. */
interface Lines {
  readonly lines: readonly string[];
  readonly plain: readonly string[];
}

/**
 * Describes where `text`, which does not contain `wanted`, has something that differs from it only
 * in look-alike characters (spaces, quotes, dashes, composed letters) or in blanks. A single place
 * is quoted exactly, as an unambiguous JSON string.
 *
 * @returns `undefined` where nothing is near.
 */
export function describeNearMatch(text: string, wanted: string): string | undefined {
  if (text.length > MOST_SEARCHED || !hasLongestWord(text, wanted)) return undefined;
  const lines = linesOf(text);
  const wantedLines = linesOf(wanted);
  for (const [level, name] of LEVELS) {
    const found = nearMatches(compared(lines, level), compared(wantedLines, level), level);
    const [only] = found;
    if (only === undefined) continue;
    return found.length === 1 ? describe(only, name) : describeAll(found, name);
  }
  return undefined;
}

/** Most of what is not there is ruled out by one word. */
function hasLongestWord(text: string, wanted: string): boolean {
  const words = plainText(wanted).split(/\s+/);
  const longest = words.reduce((a, b) => b.length > a.length ? b : a, "");
  return longest !== "" && plainText(text).includes(longest);
}

function linesOf(text: string): string[] {
  return lineEndsOf(text).most === "\r" ? text.split("\r") : text.split(/\r?\n/);
}

function compared(lines: readonly string[], level: number): Lines {
  return { lines, plain: lines.map((line) => plainLine(line, level)) };
}

function describe({ from, to, exact, differences }: Near, kind: string): string {
  const where = from === to ? `line ${from} differs` : `lines ${from}-${to} differ`;
  const shown = differences.slice(0, MOST);
  if (shown.length < differences.length) shown.push("...");
  const told = unmistakable(exact);
  const way = told.length > MOST_TEXT
    ? "Read them again and copy them exactly"
    : `The exact text, as JSON: ${told}`;
  return `${where} from it only in ${kind}: ${shown.join("; ")}. ${way}`;
}

function describeAll(found: readonly Near[], kind: string): string {
  const places = found.slice(0, MOST).map(({ from, to }) => from === to ? from : `${from}-${to}`);
  const more = found.length > MOST ? ", ..." : "";
  return `lines ${places.join(", ")}${more} differ from it only in ${kind}: read them again and ` +
    "copy exactly those that you mean, with more of the text around them";
}

function nearMatches(text: Lines, wanted: Lines, level: number): Near[] {
  const needle = wanted.plain.join("\n");
  if (needle.trim() === "") return [];
  const hay = text.plain.join("\n");
  const found: Near[] = [];
  let line = 0;
  let lineStart = 0;
  const lengthOf = (index: number) => text.plain[index]?.length ?? 0;
  for (let at = hay.indexOf(needle); at >= 0; at = hay.indexOf(needle, at + 1)) {
    while (lineStart + lengthOf(line) < at) lineStart += lengthOf(line++) + 1;
    const near = nearAt(text, wanted, level, line, at - lineStart);
    if (near !== undefined) found.push(near);
    if (found.length > MOST) break;
  }
  return found;
}

/** The place at a column of a line as it is compared; `undefined` if it only seems to be one. */
function nearAt(
  text: Lines,
  wanted: Lines,
  level: number,
  line: number,
  column: number,
): Near | undefined {
  const last = wanted.lines.length - 1;
  const firstWanted = wanted.lines[0] ?? "";
  const lastWanted = wanted.lines[last] ?? "";
  const endColumn = (last === 0 ? column : 0) + (wanted.plain[last]?.length ?? 0);
  // Blanks at the edges were left out, so they must be at the edge of a line here, too.
  const indented = level >= INDENTATION && /^\s/.test(firstWanted);
  if (indented && column > 0) return undefined;
  const onlyBlanks = last > 0 && lastWanted.trim() === "";
  const trailing = level >= TRAILING && /\s$/.test(lastWanted) && !onlyBlanks;
  if (trailing && endColumn < (text.plain[line + last]?.length ?? 0)) return undefined;
  const parts: string[] = [];
  for (let index = 0; index <= last; index++) {
    const whole = text.lines[line + index] ?? "";
    if (whole.length > MOST_LINE) return undefined;
    const from = index === 0 ? column : 0;
    const to = index === last ? endColumn : text.plain[line + index]?.length ?? 0;
    const part = partOf(whole, level, from, to);
    if (part === undefined) return undefined;
    const start = index > 0 || indented ? 0 : part.start;
    const blankEnd = /^\s*/.exec(whole)?.[0].length ?? 0;
    const edge = lastWanted === "" ? 0 : blankEnd;
    const end = index < last || trailing ? whole.length : onlyBlanks ? edge : part.end;
    parts.push(whole.slice(start, end));
  }
  const exact = parts.join("\n");
  const differences = parts.flatMap((part, index) =>
    differencesOf(part, wanted.lines[index] ?? "", level, line + index + 1)
  );
  return {
    ...{ from: line + 1, exact, differences: [...new Set(differences)] },
    to: line + last + (lastWanted === "" && last > 0 ? 0 : 1),
  };
}
