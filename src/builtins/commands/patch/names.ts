import { toUnicode } from "./text.ts";

/** The name of a file in a patch, without its first components. */
export interface PatchName {
  /** For the file ports. */
  readonly name: string;
  /** The spelling in the patch, with one character for each byte. */
  readonly text: string;
}

/** The contents of a line that names a file. */
export interface NameLine {
  readonly name: PatchName;
  /** The text after the name, which rejects repeat: white space and a time. */
  readonly time: string;
}

const LETTERS: { readonly [letter: string]: string } = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** A name in double quotes, with C's escapes, at the start of a text, and the rest of the text. */
function quotedName(text: string): readonly [name: string, rest: string] | undefined {
  const match = /^"((?:[^"\\]|\\(?:[abfnrtv\\"]|[0-3][0-7]{2}))*)"/.exec(text);
  if (match === null) return undefined;
  const name = (match[1] ?? "").replace(
    /\\(?:([0-7]{3})|(.))/g,
    (_, octal?: string, letter = "") =>
      octal === undefined ? LETTERS[letter] ?? letter : String.fromCharCode(parseInt(octal, 8)),
  );
  return [name, text.slice(match[0].length)];
}

/** An unquoted name, which ends at a tab (if `mayHaveTab`) or at white space. */
function plainName(text: string, mayHaveTab: boolean): readonly [name: string, rest: string] {
  const form = mayHaveTab && text.includes("\t") ? /^[^\t]*?(?=\s*\t)/ : /^\S*/;
  const [name = ""] = form.exec(text) ?? [];
  return [name, text.slice(name.length)];
}

/** Strips `count` leading components from a name; -1 means all but the last. */
function strip(name: string, count: number): PatchName | undefined {
  let rest = name;
  for (let left = count; left !== 0; left--) {
    const [, after] = /^[^/]*\/+([^]*)$/.exec(rest) ?? [];
    if (after === undefined && count >= 0) return undefined;
    if (after === undefined) break;
    rest = after;
  }
  return rest === "" ? undefined : { name: toUnicode(rest), text: rest };
}

/**
 * Reads the text after `---`, `+++` or `***`: a name and possibly a time. `"null"` is `/dev/null`;
 * `undefined` means that the line has no name.
 */
export function readNameLine(line: string, count: number): NameLine | "null" | undefined {
  const text = line.trimStart();
  const read = text.startsWith('"') ? quotedName(text) : plainName(text, true);
  if (read === undefined) return undefined;
  if (read[0] === "/dev/null") return "null";
  const name = strip(read[0], count);
  return name && { name, time: read[1].replace(/\r?\n?$/, "") };
}

/** The two names after `diff --git`. */
export function readGitNames(line: string, count: number): [PatchName, PatchName] | undefined {
  const names: PatchName[] = [];
  let text = line.trim();
  for (let i = 0; i < 2; i++) {
    const [name, rest] = (text.startsWith('"') ? quotedName(text) : plainName(text, false)) ??
      ["", ""];
    const stripped = strip(name, count);
    if (stripped === undefined || (i === 0 && rest.trimStart() === rest)) return undefined;
    names.push(stripped);
    text = rest.trimStart();
  }
  const [old, fresh] = names;
  return old === undefined || fresh === undefined || text !== "" ? undefined : [old, fresh];
}

/**
 * True if a time in a heading, as git and diff write it (`1970-01-01 00:00:00 +0000`), is the epoch
 * in some time zone: `diff -N` marks a missing file like this.
 */
export function isEpoch(time: string): boolean {
  const [, date, clock = "00:00:00", hours = "+00", minutes = "00"] =
    /^\s*(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)(?:[.,]\d+)?(?: ?([+-]\d\d):?(\d\d))?)?$/
      .exec(time) ?? [];
  return Math.abs(Date.parse(`${date}T${clock}${hours}:${minutes}`)) <= DAY;
}

const DAY = 24 * 60 * 60 * 1000;
