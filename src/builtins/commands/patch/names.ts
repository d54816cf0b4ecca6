import { toUnicode } from "./text.ts";
import { isEpoch } from "./time.ts";

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
  /** Whether the time is that of a file which does not exist; `undefined` if it is none. */
  readonly epoch: boolean | undefined;
}

const SPACE = /[ \t\n\v\f\r]/;
const LETTERS: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  '"': '"',
};

/** A name in double quotes at the start of a text, and what follows it. */
function quotedName(text: string): { readonly name: string; readonly rest: string } | undefined {
  const match = /^"((?:[^"\\]|\\(?:[abfnrtv\\"]|[0-3][0-7]{2}))*)"/.exec(text);
  if (match === null) return undefined;
  const name = (match[1] ?? "").replace(
    /\\([0-7]{3}|[^])/g,
    (_, escape: string) => LETTERS[escape] ?? String.fromCharCode(parseInt(escape, 8)),
  );
  return { name, rest: text.slice(match[0].length) };
}

/** Takes `count` leading parts off a name, all but the last if that is -1. */
function strip(name: string, count: number): PatchName | undefined {
  let rest = name;
  for (let left = count; left !== 0; left--) {
    const [, after] = /^[^/]*\/+([^]*)$/.exec(rest) ?? [];
    if (after === undefined) {
      if (count < 0) break;
      return undefined;
    }
    rest = after;
  }
  return rest === "" ? undefined : { name: toUnicode(rest), text: rest };
}

/** Where an unquoted name ends: at white space, but for spaces before a tab, or in a whole line. */
function endOfName(text: string, dated: boolean): number {
  for (let at = 0; at < text.length; at++) {
    if (!SPACE.test(text[at] as string)) continue;
    let last = at;
    while (text[last] !== "\t" && SPACE.test(text[last + 1] ?? "x")) last++;
    if (text[last] === "\t" || !text.includes(dated ? "\t" : "\n", last + 1)) return at;
  }
  return text.length;
}

/**
 * Reads what follows `---`, `+++` or `Index:` (`dated` is false for the latter, which has no time).
 * `"null"` is `/dev/null`; `undefined` means that the line names nothing.
 */
export function readNameLine(
  line: string,
  count: number,
  dated: boolean,
): NameLine | "null" | undefined {
  // As in C, a NUL ends the line.
  const text = line.replace(/\0[^]*/, "").replace(/^[ \t\n\v\f\r]+/, "");
  let name: string;
  let rest: string;
  if (text.startsWith('"')) {
    const quoted = quotedName(text);
    if (quoted === undefined) return undefined;
    ({ name, rest } = quoted);
  } else {
    const end = endOfName(text, dated);
    name = text.slice(0, end);
    rest = text.slice(end);
  }
  if (name === "/dev/null") return "null";
  const stripped = strip(name, count);
  if (stripped === undefined || (!dated && rest !== "\n")) return undefined;
  return { name: stripped, time: rest.replace(/\r?\n?$/, ""), epoch: isEpoch(rest) };
}

/** The two names after `diff --git`. */
export function readGitNames(line: string, count: number): [PatchName, PatchName] | undefined {
  const names: PatchName[] = [];
  let text = line;
  for (let i = 0; i < 2; i++) {
    text = text.replace(/^[ \t\n\v\f\r]+/, "");
    const { name, rest } = (text.startsWith('"') ? quotedName(text) : plainName(text)) ??
      { name: "", rest: "" };
    const stripped = strip(name, count);
    if (stripped === undefined || (i === 0 && !SPACE.test(rest[0] ?? ""))) return undefined;
    names.push(stripped);
    text = rest;
  }
  const [old, fresh] = names;
  if (old === undefined || fresh === undefined || text.trim() !== "") return undefined;
  return [old, fresh];
}

function plainName(text: string): { readonly name: string; readonly rest: string } {
  const [name = ""] = /^[^ \t\n\v\f\r]*/.exec(text) ?? [];
  return { name, rest: text.slice(name.length) };
}
