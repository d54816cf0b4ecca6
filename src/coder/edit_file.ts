import * as z from "zod";
import { defineTool, type Tool } from "../tool/mod.ts";
import { readFile, VfsError, writeFile } from "../vfs/mod.ts";
import { decodeText, encodeText, looksBinary } from "./_text.ts";
import { unifiedDiff } from "./diff.ts";
import { replaceOnce } from "./replace_once.ts";
import { exclusively, type Toolbox } from "./toolbox.ts";

/** Details of an `edit_file` call for people who watch. */
export interface EditDetails {
  /** The path as the model gave it. */
  path: string;
  /** The line where the change begins, from 1. */
  line: number;
  /** The change as a unified diff, whole. */
  diff: string;
}

/** The input of `edit_file`. */
export interface EditInput {
  /** The file. */
  path: string;
  /** What to replace. */
  old_string: string;
  /** What takes its place. */
  new_string: string;
}

const BOM = "\ufeff";

/** The tool `edit_file`: replaces a string that must occur exactly once in the file. */
export function editFileTool({ vfs, limits }: Toolbox): Tool<EditInput> {
  return defineTool({
    name: "edit_file",
    description: "Edit a file by replacing a specific string with another",
    input: z.object({
      path: z.string().describe("File path to edit"),
      old_string: z.string().describe("Exact string to find and replace"),
      new_string: z.string().describe("String to replace with"),
    }),
    execute: ({ path, old_string, new_string }, { signal }) =>
      exclusively(vfs, path, async () => {
        const bytes = await readFile(vfs, path, { limit: limits.fileBytes }).catch(explain);
        const whole = looksBinary(bytes) ? undefined : decodeText(bytes);
        if (whole === undefined) {
          throw new TypeError(`${path} is binary, not UTF-8 text: change it with bash`);
        }
        const bom = whole.startsWith(BOM) ? BOM : "";
        const before = whole.slice(bom.length);
        const { text, line } = replaceOnce(path, before, old_string, new_string);
        signal.throwIfAborted();
        await writeFile(vfs, path, encodeText(bom + text));
        const diff = unifiedDiff(path, before, text);
        const details: EditDetails = { path, line, diff };
        return { content: `OK\n${shortened(diff, limits.diffCharacters)}`, details };
      }),
  });
}

function explain(error: unknown): never {
  if (error instanceof VfsError && error.code === "EFBIG") {
    throw new RangeError(`${error.message}: change it with bash, such as sed -i`);
  }
  if (error instanceof VfsError && error.code === "ENOENT") {
    throw new RangeError(`${error.message}; to make a new file use write_file`);
  }
  throw error;
}

function shortened(diff: string, limit: number): string {
  if (diff.length <= limit) return diff;
  const cut = diff.lastIndexOf("\n", limit) + 1;
  const left = diff.slice(cut).split("\n").length - 1;
  return `${diff.slice(0, cut)}[${left} more lines of the diff]\n`;
}
