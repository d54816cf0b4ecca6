import * as z from "zod";
import { readFully } from "../streams/mod.ts";
import { defineTool, type Tool, type ToolResult } from "../tool/mod.ts";
import { VfsError, type VfsFile } from "../vfs/mod.ts";
import { binary, size } from "./_text.ts";
import { expandHome } from "./home_path.ts";
import { findLines, type FoundLines, type LineRange } from "./line_range.ts";
import { decodeText, legible, readNotes, type TextFormat, wholeCharacters } from "./text/mod.ts";
import type { Toolbox } from "./toolbox.ts";

/** Details of a `read_file` call for people who watch. */
export interface ReadDetails {
  /** The file, as it was named. */
  path: string;
  /** First and last line given, from 1; 0 for an empty file. */
  from: number;
  /** The last line given. */
  to: number;
  /** Lines of the file; absent where it is so large that they were not counted. */
  lines?: number;
  /** True where more lines follow. */
  more: boolean;
}

/** The input of `read_file`. */
export interface ReadInput {
  /** The file. */
  path: string;
  /** The first line, from 1. */
  offset?: number | undefined;
  /** Lines at most. */
  limit?: number | undefined;
}

/**
 * The tool `read_file`: gives a range of lines of a text file. Files of more than `fileBytes` are
 * read no further than these lines.
 */
export function readFileTool({ vfs, limits, home }: Toolbox): Tool<ReadInput> {
  return defineTool({
    name: "read_file",
    description: "Read the contents of a file",
    input: z.object({
      path: z.string().describe("File path to read"),
      offset: z.int().min(0).optional().describe("First line to read, from 1"),
      limit: z.int().min(1).optional().describe(
        `Lines to read, ${limits.readLines} at most`,
      ),
    }),
    async execute({ path, offset = 1, limit = limits.readLines }, { signal }) {
      const place = expandHome(path, home);
      const file = await open(() => vfs.read(place), path);
      try {
        const range: LineRange = {
          // Some models count from 0 when they mean the beginning.
          offset: Math.max(1, offset),
          lines: Math.min(limit, limits.readLines),
          bytes: limits.readBytes,
        };
        const toEnd = file.info.size <= limits.fileBytes;
        const found = await findLines(file, range, { toEnd, signal });
        return await excerpt(file, path, range, found);
      } finally {
        await file.return();
      }
    },
  });
}

async function open(read: () => Promise<VfsFile>, path: string): Promise<VfsFile> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof VfsError && error.code === "EISDIR") {
      throw new RangeError(`${path} is a folder: list it with bash, such as ls -la`);
    }
    throw error;
  }
}

async function excerpt(
  file: VfsFile,
  path: string,
  { offset }: LineRange,
  found: FoundLines,
): Promise<ToolResult> {
  const { start, count, total, longLine, format } = found;
  const refused = () =>
    binary(path, file.info.size, "look at it with bash, such as file, iconv or xxd");
  if (format === undefined) throw refused();
  if (start === undefined) return nothing(path, offset, total ?? 0);
  const { text, bytes } = await decodeLines(file, found, format);
  if (text === "") return empty(path, "[The file is empty but for a byte order mark]");
  if (text.includes("\0")) throw refused();
  const wide = format.encoding.startsWith("UTF-16");
  const to = offset + count - 1;
  const more = total === undefined || to < total;
  const lines = total === undefined ? {} : { lines: total };
  const details: ReadDetails = { path, from: offset, to, ...lines, more };
  const notes = [
    ...readNotes(format),
    ...longLine === undefined ? [] : [longNote(longLine, to, bytes, wide ? text : undefined)],
    ...more
      ? [
        `Lines ${offset}-${to} of ${total ?? `a file of ${size(file.info.size)}`}; ` +
        `to read on, use offset ${to + 1}`,
      ]
      : [],
  ];
  const gap = /[\n\r]$/.test(text) ? "\n" : "\n\n";
  return { content: notes.length === 0 ? text : `${text}${gap}[${notes.join(". ")}]`, details };
}

function nothing(path: string, offset: number, lines: number): ToolResult {
  if (lines > 0 || offset > 1) {
    throw new RangeError(
      `There is no line ${offset} in ${path}: it has ${lines} ${lines === 1 ? "line" : "lines"}`,
    );
  }
  return empty(path, "[The file is empty]");
}

function empty(path: string, content: string): ToolResult {
  const details: ReadDetails = { path, from: 0, to: 0, lines: 0, more: false };
  return { content, details };
}

/** The text of lines that were found, and how many bytes it is. */
async function decodeLines(
  file: VfsFile,
  { start = 0, end, longLine }: FoundLines,
  format: TextFormat,
): Promise<{ text: string; bytes: number }> {
  const block = new Uint8Array(end - start);
  const read = block.subarray(0, await readFully(file.at, start, block));
  // A line that is cut may end within a character.
  const bytes = longLine === undefined ? read.length : wholeCharacters(read, format.encoding);
  const bom = format.bom && start === 0;
  return { text: legible(decodeText(read.subarray(0, bytes), { ...format, bom })), bytes };
}

/** `wide` is what is shown of UTF-16, which has to be converted before it can be cut. */
function longNote(
  { bytes, more }: NonNullable<FoundLines["longLine"]>,
  line: number,
  shown: number,
  wide: string | undefined,
): string {
  const rest = wide === undefined
    ? `sed -n ${line}p FILE | cut -b ${shown + 1}-`
    : `iconv -f UTF-16 -t UTF-8 FILE | sed -n ${line}p | cut -b ${utf8Length(wide) + 1}-`;
  return `Line ${line} has ${
    more ? "more than " : ""
  }${bytes} bytes, of which ${shown} are shown; ` +
    `for the rest use bash: ${rest}`;
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}
