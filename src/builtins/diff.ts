import type { Chunk } from "../streams/mod.ts";
import type { BuiltinIo } from "./builtin.ts";
import { parseCommand } from "./_command.ts";
import { printContext, printUnified } from "./_diff_hunks.ts";
import { type Change, compareLines } from "./_diff_lines.ts";
import { diffCommand } from "./_diff_command.ts";
import { type DiffSettings, readDiffSettings } from "./_diff_options.ts";
import { LinePrinter, printEd, printNormal, printRcs } from "./_diff_print.ts";
import { printSideBySide } from "./_diff_side.ts";
import {
  classify,
  commonEnds,
  isBinary,
  readWhole,
  splitLines,
  type TextFile,
} from "./_diff_text.ts";
import { errorText, isFatal, openFile } from "./_operands.ts";
import { tryHelp } from "./options.ts";
import { utf8 } from "./_output.ts";

/** The status of trouble; 1 means that the files differ. */
const TROUBLE = 2;
const ABSENT = "No such file or directory";
const FOLDER = "Is a directory";

/**
 * The command `diff`; see {@linkcode Builtin}. Compares two files, of which each may be 64 MiB, not
 * folders. Headings carry no times: the file ports know none.
 */
export async function* diff(
  args: readonly string[],
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  const hint = tryHelp("diff");
  const warn = (message: string): void => io.warn(message === hint ? `diff: ${hint}` : message);
  const parsed = parseCommand(
    args,
    { ...io, warn },
    diffCommand,
    (items) => readDiffSettings(items, args),
    TROUBLE,
  );
  if (parsed.done) {
    yield* parsed.text;
    return parsed.status;
  }
  const { settings } = parsed;
  const names = [...settings.files] as [string, string];
  const data = await readBoth(names, settings, io);
  if (data === undefined) return TROUBLE;
  const [shown0, shown1] = names.map((name, i) => settings.labels[i] ?? name);
  const report = (verb: string): Chunk => utf8(`Files ${shown0} and ${shown1} ${verb}\n`);

  if (!settings.text && (isBinary(data[0]) || isBinary(data[1]))) {
    if (!sameBytes(data[0], data[1])) {
      yield settings.brief
        ? report("differ")
        : utf8(`Binary files ${shown0} and ${shown1} differ\n`);
      return 1;
    }
    if (settings.reportIdentical) yield report("are identical");
    return 0;
  }
  const files = [
    splitLines(data[0], settings.stripCr),
    splitLines(data[1], settings.stripCr),
  ] as const;
  const changes = findChanges(files, settings);
  const { ignoreCase, space } = settings.sameness;
  const exact = !ignoreCase && space === "exact" && !settings.stripCr;
  const differ = changes.some(({ ignore }) => !ignore) ||
    // An ed script cannot tell a missing newline, a brief report can.
    (settings.brief && exact && changes.length === 0 && !sameBytes(data[0], data[1]));
  if (settings.brief) {
    if (differ) yield report("differ");
  } else if (differ || settings.style === "side") {
    const out = new LinePrinter(settings);
    const header = headerOf(names, settings);
    const { style } = settings;
    if (style === "normal") yield* printNormal(changes, files, out);
    else if (style === "unified") yield* printUnified(changes, files, out, settings, header);
    else if (style === "context") yield* printContext(changes, files, out, settings, header);
    else if (style === "ed") yield* printEd(changes, files, out);
    else if (style === "rcs") yield* printRcs(changes, files, out);
    else yield* printSideBySide(changes, files, out, settings);
    yield* out.flush();
  }
  if (settings.style === "ed" && !settings.brief && names[0] !== names[1]) {
    const incomplete = [shown0, shown1].filter((_, i) => files[i]?.incomplete === true);
    for (const name of incomplete) io.warn(`diff: ${name}: No newline at end of file\n`);
    if (incomplete.length > 0) return TROUBLE;
  }
  if (!differ && settings.reportIdentical) yield report("are identical");
  return differ ? 1 : 0;
}

/** Reads both files; completes a folder's name; `undefined` after a report. */
async function readBoth(
  names: [string, string],
  settings: DiffSettings,
  io: BuiltinIo,
): Promise<readonly [Chunk, Chunk] | undefined> {
  const read = async (name: string): Promise<Chunk | string> => {
    try {
      if (name === "-") return await readWhole(io.stdin, name);
      const source = await openFile(name, io);
      try {
        return await readWhole(source, name);
      } finally {
        await source.return();
      }
    } catch (error) {
      if (isFatal(error, io.signal)) throw error;
      return errorText(error);
    }
  };
  if (names[0] === "-" && names[1] === "-") {
    const both = await read("-");
    if (typeof both !== "string") return [both, both];
    io.warn(`diff: -: ${both}`);
    return undefined;
  }
  const found = [await read(names[0]), await read(names[1])] as [Chunk | string, Chunk | string];
  for (const [i, other] of [[0, 1], [1, 0]] as const) {
    // A folder stands for the file in it that has the other's name.
    if (found[i] !== FOLDER || found[other] === FOLDER || names[other] === "-") continue;
    const base = names[other].replace(/\/+$/, "").split("/").at(-1) ?? "";
    names[i] = `${names[i].replace(/\/+$/, "")}/${base}`;
    found[i] = await read(names[i]);
  }
  const [first, second] = found;
  const empty = new Uint8Array(0);
  if (first === ABSENT && typeof second !== "string" && settings.newFirstFile) {
    return [empty, second];
  }
  if (second === ABSENT && typeof first !== "string" && settings.newFile) return [first, empty];
  if (typeof first !== "string" && typeof second !== "string") return [first, second];
  if (first === FOLDER && second === FOLDER) {
    io.warn(`diff: ${names[0]}, ${names[1]}: Folders cannot be compared here, only files`);
    return undefined;
  }
  names.forEach((name, i) => {
    if (typeof found[i] === "string") io.warn(`diff: ${name}: ${found[i]}`);
  });
  return undefined;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

function findChanges(files: readonly [TextFile, TextFile], settings: DiffSettings): Change[] {
  const { sameness, horizon } = settings;
  const ends = commonEnds(files, sameness.newline);
  const prefix = Math.max(0, ends.prefix - horizon);
  const suffix = Math.max(0, ends.suffix - horizon);
  const { lines, count } = classify(files, sameness);
  const [a, b] = lines;
  const changes = compareLines(
    a.subarray(prefix, a.length - suffix),
    b.subarray(prefix, b.length - suffix),
    count,
    prefix,
    settings,
  );
  if (settings.blankLines || settings.ignored !== undefined) {
    for (const change of changes) change.ignore = isIgnorable(change, files, settings);
  }
  return changes;
}

function isIgnorable(
  { line0, deleted, line1, inserted }: Change,
  [a, b]: readonly [TextFile, TextFile],
  { blankLines, ignored, sameness: { space } }: DiffSettings,
): boolean {
  const skipsSpace = space !== "exact" && space !== "tabs";
  const ignorable = ({ bytes, starts }: TextFile, line: number): boolean => {
    const start = starts[line] as number;
    const end = (starts[line + 1] as number) - 1;
    if (ignored?.(bytes, start, end) === true) return true;
    if (!blankLines) return false;
    return start === end ||
      (skipsSpace &&
        bytes.subarray(start, end).every((byte) => byte === 32 || (byte >= 9 && byte <= 13)));
  };
  for (let i = 0; i < deleted; i++) if (!ignorable(a, line0 + i)) return false;
  for (let i = 0; i < inserted; i++) if (!ignorable(b, line1 + i)) return false;
  return true;
}

function headerOf(names: readonly string[], { style, labels }: DiffSettings): string {
  const [first, second] = names.map((name, i) => labels[i] ?? quoteHeader(name));
  return style === "unified" ? `--- ${first}\n+++ ${second}\n` : `*** ${first}\n--- ${second}\n`;
}

const ESCAPES = ["a", "b", "t", "n", "v", "f", "r"];

/** Quotes a name as C would where it could not be read back from a heading. */
function quoteHeader(name: string): string {
  // deno-lint-ignore no-control-regex
  if (!/[\x00-\x20"\\\x7f]/.test(name)) return name;
  // deno-lint-ignore no-control-regex
  const escaped = name.replace(/[\x00-\x1f"\\\x7f]/g, (character) => {
    if (character === '"' || character === "\\") return `\\${character}`;
    const code = character.charCodeAt(0);
    return `\\${ESCAPES[code - 7] ?? code.toString(8).padStart(3, "0")}`;
  });
  return `"${escaped}"`;
}
