import { toUnicode } from "./text.ts";

/** The name of a file in a patch, less its first parts. */
export interface PatchName {
  /** For the file ports. */
  readonly name: string;
  /** As it stands in the patch, each character a byte. */
  readonly text: string;
}

/** What a line that names a file says. */
export interface NameLine {
  readonly name: PatchName;
  /** What follows the name, as rejects repeat it: white space and a time. */
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

/** A name in double quotes at the start of a text, with the escapes of C, and what follows it. */
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

/** An unquoted name: to a tab where there may be one, else to white space. */
function plainName(text: string, mayHaveTab: boolean): readonly [name: string, rest: string] {
  const form = mayHaveTab && text.includes("\t") ? /^[^\t]*?(?=\s*\t)/ : /^\S*/;
  const [name = ""] = form.exec(text) ?? [];
  return [name, text.slice(name.length)];
}

/** Takes `count` leading parts off a name, all but the last if that is -1. */
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
 * Reads what follows `---`, `+++` or `***`: a name and maybe a time. `"null"` is `/dev/null`;
 * `undefined` means that the line names nothing.
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
 * Whether a time in a heading, in the form of git and diff (`1970-01-01 00:00:00 +0000`), is that
 * of the epoch in some zone: `diff -N` so marks a file that does not exist.
 */
export function isEpoch(time: string): boolean {
  const [, date, clock = "00:00:00", hours = "+00", minutes = "00"] =
    /^\s*(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)(?:[.,]\d+)?(?: ?([+-]\d\d):?(\d\d))?)?$/
      .exec(time) ?? [];
  return Math.abs(Date.parse(`${date}T${clock}${hours}:${minutes}`)) <= DAY;
}

const DAY = 24 * 60 * 60 * 1000;
