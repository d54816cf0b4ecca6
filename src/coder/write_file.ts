import * as z from "zod";
import { randomAccessSource } from "../streams/mod.ts";
import { defineTool, type Tool } from "../tool/mod.ts";
import { isMissing, readFile, type Vfs, writeFile } from "../vfs/mod.ts";
import { linkNotes } from "./_text.ts";
import { unifiedDiff } from "./diff.ts";
import { expandHome } from "./home_path.ts";
import {
  decodeText,
  encodeText,
  formatOf,
  legible,
  plainFormat,
  rewrite,
  type TextFormat,
  TextScan,
} from "./text/mod.ts";
import { exclusively, type Toolbox } from "./toolbox.ts";

/** Details of a `write_file` call for people who watch. */
export interface WriteDetails {
  /** The path as the model gave it. */
  path: string;
  /** True where the file did not exist before. */
  created: boolean;
  /** Bytes written. */
  bytes: number;
  /**
   * The diff from the old contents to the new; absent when the old ones are not text or too large
   * to compare.
   */
  diff?: string;
}

/** The input of `write_file`. */
export interface WriteInput {
  /** The file. */
  path: string;
  /** All of its new contents. */
  content: string;
}

/** Most bytes of old contents for which a diff is made. */
const COMPARED = 1024 * 1024;

/**
 * The tool `write_file`: creates or overwrites a file, with the folders that it needs. A text file
 * keeps its encoding, its byte order mark and its line ends.
 */
export function writeFileTool({ vfs, home }: Toolbox): Tool<WriteInput> {
  return defineTool({
    name: "write_file",
    description: "Write content to a file (creates or overwrites)",
    input: z.object({
      path: z.string().describe("File path to write"),
      content: z.string().describe("Content to write"),
    }),
    execute: ({ path, content }, { signal }) => {
      const place = expandHome(path, home);
      return exclusively(vfs, place, async () => {
        const old = await oldFile(vfs, place, signal);
        const { text, format, notes } = rewrite(content, old?.format ?? plainFormat);
        const bytes = encodeText(text, format, path);
        const folder = /^(.*\/)[^/]+$/s.exec(place)?.[1];
        if (folder !== undefined && old === undefined) await vfs.mkdir(folder, { parents: true });
        signal.throwIfAborted();
        await writeFile(vfs, place, bytes);
        const before = old === undefined ? "" : old.text;
        const details: WriteDetails = {
          path,
          created: old === undefined,
          bytes: bytes.length,
          ...(before === undefined ? {} : { diff: legible(unifiedDiff(path, before, text)) }),
        };
        const told = old === undefined ? [] : [...notes, ...linkNotes(old.links)];
        return { content: ["OK", ...told.map((note) => `[${note}]`)].join("\n"), details };
      });
    },
  });
}

/** A file that is replaced. */
interface OldFile {
  /** The format of its text; `undefined` if it is binary or cannot be read. */
  readonly format?: TextFormat | undefined;
  /** Its text; absent if it is binary or too large to compare. */
  readonly text?: string;
  /** The number of its names (hard links). */
  readonly links?: number | undefined;
}

async function oldFile(vfs: Vfs, path: string, signal: AbortSignal): Promise<OldFile | undefined> {
  try {
    const { size, links } = await vfs.stat(path);
    if (size > COMPARED) return { format: await scanned(vfs, path, signal), links };
    const bytes = await readFile(vfs, path);
    const format = formatOf(bytes);
    return format === undefined ? { links } : { format, text: decodeText(bytes, format), links };
  } catch (error) {
    signal.throwIfAborted();
    return isMissing(error) ? undefined : {};
  }
}

async function scanned(
  vfs: Vfs,
  path: string,
  signal: AbortSignal,
): Promise<TextFormat | undefined> {
  const file = await vfs.read(path);
  try {
    const scan = new TextScan();
    for await (const chunk of randomAccessSource(file.at)) {
      signal.throwIfAborted();
      scan.push(chunk);
      if (scan.binary) return undefined;
    }
    return scan.end();
  } finally {
    await file.return();
  }
}
