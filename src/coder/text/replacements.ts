import { type LineEnds, lineEndsOf } from "./line_ends.ts";
import { describeNearMatch } from "./near_match.ts";
import { MOST_PLACES, occurrencesOf, replacementFor, type Span } from "./occurrences.ts";

/** Something to replace in a text. */
export interface Replacement {
  /** The text to replace. */
  readonly old_string: string;
  /** The new text. */
  readonly new_string: string;
  /** Replace every occurrence; else it must occur exactly once. */
  readonly replace_all?: boolean | undefined;
}

/** A text in which something was replaced. */
export interface Replaced {
  /** The new text. */
  readonly text: string;
  /** The line of the first change, from 1. */
  readonly line: number;
  /** The number of places that were changed. */
  readonly places: number;
}

/** Most line numbers that an error names. */
const MOST_LINES = 20;

/** A part of the text and its replacement. */
interface Change extends Span {
  readonly text: string;
  /** Which of the replacements it is of, from 1. */
  readonly edit: number;
}

/**
 * Replaces all of `edits`, or none: each `old_string` is searched in the original text, and must
 * occur exactly once or have `replace_all`.
 *
 * Line ends never decide whether a string is found, and the new text gets those of the text that it
 * replaces, or of the file.
 *
 * @throws {RangeError} A string is missing or occurs several times, or two edits overlap. The
 * message has the places, and text that is nearly the same.
 */
export function replaceIn(
  path: string,
  text: string,
  edits: readonly Replacement[],
): Replaced {
  const ends = lineEndsOf(text);
  const changes: Change[] = [];
  const problems: string[] = [];
  for (const [index, edit] of edits.entries()) {
    const name = edits.length === 1 ? "old_string" : `old_string of edit ${index + 1}`;
    const found = changesOf(text, ends, edit, index + 1);
    const problem = problemOf(path, text, ends, edit, found);
    if (problem === undefined) changes.push(...found);
    else problems.push(`${name} ${problem}`);
  }
  changes.sort((a, b) => a.start - b.start);
  if (problems.length === 0) problems.push(...overlaps(text, ends, changes));
  if (problems.length > 0) {
    if (edits.length > 1) problems.push("No edit was made: each is searched in the original file");
    throw new RangeError(problems.join("\n"));
  }
  const made = applied(text, changes);
  if (made === text) {
    throw new RangeError(
      "old_string and new_string differ only in line ends, and those of the file are kept: " +
        "to change them use bash, such as sed -i 's/\\r$//'",
    );
  }
  return {
    text: made,
    line: lineNumbers(text, ends, [changes[0]?.start ?? 0])[0] ?? 1,
    places: changes.length,
  };
}

function applied(text: string, changes: readonly Change[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const change of changes) {
    parts.push(text.slice(from, change.start), change.text);
    from = change.end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

function problemOf(
  path: string,
  text: string,
  ends: LineEnds,
  { old_string: old, new_string: replacement, replace_all: all = false }: Replacement,
  found: readonly Change[],
): string | undefined {
  if (old === "") return "is empty: give the text to replace, or use write_file";
  if (old === replacement) return "and new_string are the same: there is nothing to change";
  if (found.length === 0) {
    const near = describeNearMatch(text, old) ?? "read the file again and copy the text exactly";
    return `does not occur in ${path}: ${near}`;
  }
  if (found.length > MOST_PLACES) {
    return `occurs more than ${MOST_PLACES} times in ${path}: ` +
      (all
        ? "change it with bash, such as sed -i"
        : "give more of the text around the one you mean");
  }
  if (found.length === 1 || all) return undefined;
  const places = found.slice(0, MOST_LINES).map(({ start }) => start);
  const lines = [...new Set(lineNumbers(text, ends, places))];
  const more = found.length > MOST_LINES ? ", ..." : "";
  const where = `${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}${more}`;
  return `occurs ${found.length} times in ${path} (${where}): ` +
    "give more of the text around the one you mean, or set replace_all";
}

function overlaps(text: string, ends: LineEnds, changes: readonly Change[]): string[] {
  return changes.slice(1).flatMap(({ start, edit }, index) => {
    const before = changes[index];
    if (before === undefined || start >= before.end) return [];
    const [line] = lineNumbers(text, ends, [start]);
    return [`edits ${before.edit} and ${edit} overlap in line ${line}: make one of them`];
  });
}

function changesOf(text: string, ends: LineEnds, edit: Replacement, number: number): Change[] {
  const { old_string: old, new_string: replacement, replace_all: all = false } = edit;
  if (old === replacement) return [];
  return occurrencesOf(text, ends, old, { all }).map((span) => ({
    ...span,
    text: replacementFor(text, ends, span, replacement),
    edit: number,
  }));
}

/** The line numbers, from 1, of ascending offsets in a text. */
function lineNumbers(text: string, ends: LineEnds, places: readonly number[]): number[] {
  const end = ends.most === "\r" ? "\r" : "\n";
  let line = 1;
  let from = 0;
  return places.map((place) => {
    for (let at = text.indexOf(end, from); at >= 0 && at < place; at = text.indexOf(end, from)) {
      line++;
      from = at + 1;
    }
    return line;
  });
}
