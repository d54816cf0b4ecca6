import * as z from "zod";
import { randomAccessSource, readFully } from "../streams/mod.ts";
import { defineTool, type Tool, type ToolResult } from "../tool/mod.ts";
import { VfsError, type VfsFile } from "../vfs/mod.ts";
import { decodeText, looksBinary, size } from "./_text.ts";
import type { CoderLimits } from "./limits.ts";
import type { Toolbox } from "./toolbox.ts";

/** What watchers are told of a `read_file`. */
export interface ReadDetails {
  /** The file, as it was named. */
  path: string;
  /** First and last line given, from 1; 0 for an empty file. */
  from: number;
  /** The last line given. */
  to: number;
  /** Lines of the file. */
  lines: number;
  /** Whether lines follow that were not given. */
  more: boolean;
}

/** What the model gives to `read_file`. */
export interface ReadInput {
  /** The file. */
  path: string;
  /** The first line, from 1. */
  offset?: number | undefined;
  /** Lines at most. */
  limit?: number | undefined;
}

/** The tool `read_file`: gives a range of lines of a text file. */
export function readFileTool({ vfs, limits }: Toolbox): Tool<ReadInput> {
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
    async execute({ path, offset = 1, limit = limits.readLines }) {
      // Some models count from 0 when they mean the beginning.
      const first = Math.max(1, offset);
      const file = await open(() => vfs.read(path), path);
      try {
        if (file.info.size > limits.fileBytes) {
          throw new RangeError(
            `${path} is too large (${size(file.info.size)}): look at it with bash, such as ` +
              "grep -n, sed -n 1,100p, head or tail",
          );
        }
        const most = Math.min(limit, limits.readLines);
        return await excerpt(file, path, { offset: first, lines: most, bytes: limits.readBytes });
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

/** Which lines to give. */
interface Range {
  /** The first, from 1. */
  offset: number;
  /** How many at most. */
  lines: number;
  /** Bytes at most. */
  bytes: CoderLimits["readBytes"];
}

/** Where in the file the lines of a range are. */
interface Found {
  /** The byte where they begin; `undefined` when the file ends before. */
  start: number | undefined;
  /** The byte after them. */
  end: number;
  /** The number of lines. */
  count: number;
  /** The whole first line has this many bytes, too many to give. */
  longLine: number | undefined;
  /** Lines of the file. */
  total: number;
}

async function excerpt(file: VfsFile, path: string, range: Range): Promise<ToolResult> {
  const found = await locate(file, path, range);
  const { start, end, count, total } = found;
  if (start === undefined) {
    if (total > 0 || range.offset > 1) {
      throw new RangeError(
        `There is no line ${range.offset} in ${path}: it has ${total} ${plural("line", total)}`,
      );
    }
    const details: ReadDetails = { path, from: 0, to: 0, lines: 0, more: false };
    return { content: "[The file is empty]", details };
  }
  const text = await textBetween(file, path, start, end, found.longLine !== undefined);
  const to = range.offset + count - 1;
  const more = to < total;
  const details: ReadDetails = { path, from: range.offset, to, lines: total, more };
  const notes: string[] = [];
  if (found.longLine !== undefined) {
    notes.push(
      `Line ${to} has ${found.longLine} bytes, of which ${end - start} are shown; for the rest ` +
        `use bash: sed -n ${to}p FILE | cut -b ${end - start + 1}-`,
    );
  }
  if (more) {
    notes.push(`Lines ${range.offset}-${to} of ${total}; to read on, use offset ${to + 1}`);
  }
  const gap = text.endsWith("\n") ? "\n" : "\n\n";
  return { content: notes.length === 0 ? text : `${text}${gap}[${notes.join(". ")}]`, details };
}

/** Finds the lines of a range in one pass over the file. */
async function locate(file: VfsFile, path: string, range: Range): Promise<Found> {
  let position = 0;
  let line = 1;
  let lineStart = 0;
  let start: number | undefined;
  let end: number | undefined;
  let count = 0;
  let longLine: number | undefined;
  const endLine = (after: number) => {
    if (line >= range.offset && end === undefined) {
      start ??= lineStart;
      if (after - start <= range.bytes) {
        count++;
        if (count === range.lines) end = after;
      } else if (count > 0) {
        end = lineStart;
      } else {
        count = 1;
        longLine = after - lineStart;
        end = start + range.bytes;
      }
    }
    line++;
    lineStart = after;
  };
  for await (const chunk of randomAccessSource(file.at)) {
    if (position === 0 && looksBinary(chunk)) throw binary(path, file.info.size);
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) {
      endLine(position + at + 1);
    }
    position += chunk.length;
  }
  if (position > lineStart) endLine(position);
  return { start, end: end ?? position, count, longLine, total: line - 1 };
}

async function textBetween(
  file: VfsFile,
  path: string,
  start: number,
  end: number,
  cut: boolean,
): Promise<string> {
  const bytes = new Uint8Array(end - start);
  const length = await readFully(file.at, start, bytes);
  // A line that is cut may end within a character.
  for (let less = 0; less <= (cut ? 3 : 0); less++) {
    const text = decodeText(bytes.subarray(0, length - less));
    if (text !== undefined && !text.includes("\0")) {
      return start === 0 ? text.replace(/^\ufeff/, "") : text;
    }
  }
  throw binary(path, file.info.size);
}

function binary(path: string, bytes: number): Error {
  return new TypeError(
    `${path} is binary, not UTF-8 text (${size(bytes)}): look at it with bash, such as file or xxd`,
  );
}

function plural(word: string, count: number): string {
  return count === 1 ? word : `${word}s`;
}
