import { readContextHunk } from "./context.ts";
import type { FilePatch } from "./heading.ts";
import { type Hunk, type HunkLine, HunkLines, inOrder } from "./hunk.ts";
import type { PatchLines } from "./lines.ts";
import { PatchError } from "./talk.ts";

/** The start of a hunk in each style, and the function that reads the rest. */
const READERS = {
  unified: [/^@@ -/, readUnifiedHunk],
  context: [/^\*{8}/, readContextHunk],
  normal: [/^\d/, readNormalHunk],
} as const;

/**
 * Reads the next hunk of a patch; `undefined` if no hunk follows.
 *
 * @throws {PatchError} If it is malformed.
 */
export async function readHunk(
  lines: PatchLines,
  { style, stripCr }: FilePatch,
): Promise<Hunk | undefined> {
  if (style === "binary") return undefined;
  const [begins, read] = READERS[style];
  const { at } = lines;
  const heading = await lines.next(stripCr);
  if (heading !== undefined && begins.test(heading)) return await read(lines, heading, stripCr);
  lines.at = at;
  return undefined;
}

async function readUnifiedHunk(
  lines: PatchLines,
  heading: string,
  stripCr: boolean,
): Promise<Hunk> {
  const match = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@?( [^\n]*)?/.exec(heading);
  if (match === null) throw lines.malformed(heading);
  const [first = 0, oldSize = 1, newFirst = 0, newSize = 1] = lines.numbers(
    heading,
    match.slice(1, 5),
  );
  let [old, fresh] = [oldSize, newSize];
  const read = new HunkLines<HunkLine>();
  let last = heading;
  while (old > 0 || fresh > 0) {
    const line = await lines.next(stripCr);
    // Blank lines at the end may have been lost in transport.
    if (line === undefined && fresh > 3) throw new PatchError("unexpected end of file in patch");
    // An editor may have removed the space from a blank line of context.
    const text = last = line === undefined || line === "\n" ? " \n" : line;
    const kind = text[0];
    if (kind === "-" && old > 0) {
      old--;
    } else if (kind === "+" && fresh > 0) {
      fresh--;
    } else if (kind === " " && old > 0 && fresh > 0) {
      old--;
      fresh--;
    } else {
      throw lines.malformed(text);
    }
    // Only the last line of a side can lack its newline.
    const ends = kind === "-" ? old === 0 : kind === "+" ? fresh === 0 : old === 0 || fresh === 0;
    const lacks = ends && await lines.takesNote();
    read.add({ kind, text: text.slice(1, lacks ? -1 : undefined) });
  }
  // A hunk without changes is malformed.
  if (read.all.every(({ kind }) => kind === " ")) throw lines.malformed(last);
  return {
    first: first + (oldSize === 0 ? 1 : 0),
    newFirst: newFirst + (newSize === 0 ? 1 : 0),
    lines: inOrder(read.all),
    heading: match[5] ?? "",
  };
}

async function readNormalHunk(
  lines: PatchLines,
  heading: string,
  stripCr: boolean,
): Promise<Hunk> {
  const match = /^(\d+)(?:,(\d+))?([acd])(\d+)(?:,(\d+))?[ \t]*\n$/.exec(heading);
  if (match === null) throw lines.malformed(heading);
  const [, from, to, command, newFrom, newTo] = match;
  const [first = 0, last = first, newFirst = 0, newLast = newFirst] = lines.numbers(heading, [
    from,
    to,
    newFrom,
    newTo,
  ]);
  const read = new HunkLines<HunkLine>();
  const next = async (): Promise<string> => {
    const line = await lines.next(stripCr);
    if (line !== undefined) return line;
    throw new PatchError(`unexpected end of file in patch at line ${lines.at}`);
  };
  const side = async (mark: "<" | ">", kind: "-" | "+", count: number): Promise<void> => {
    if (count < 0) throw lines.malformed(heading);
    for (let left = count; left > 0; left--) {
      const line = await next();
      if (line[0] !== mark || !/^[ \t]$/.test(line[1] ?? "")) {
        throw new PatchError(
          `'${mark}' followed by space or tab expected at line ${lines.at} of patch`,
        );
      }
      const lacks = left === 1 && await lines.takesNote();
      read.add({ kind, text: line.slice(2, lacks ? -1 : undefined) });
    }
  };
  if (command !== "a") await side("<", "-", last - first + 1);
  if (command === "c" && !(await next()).startsWith("-")) {
    throw new PatchError(`'---' expected at line ${lines.at} of patch`);
  }
  if (command !== "d") await side(">", "+", newLast - newFirst + 1);
  return {
    first: first + (command === "a" ? 1 : 0),
    newFirst: newFirst + (command === "d" ? 1 : 0),
    lines: read.all,
    heading: "",
  };
}
