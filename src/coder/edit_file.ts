import * as z from "zod";
import { defineTool, type Tool } from "../tool/mod.ts";
import { readFile, VfsError, writeFile } from "../vfs/mod.ts";
import { binary, linkNotes } from "./_text.ts";
import { unifiedDiff } from "./diff.ts";
import { expandHome } from "./home_path.ts";
import {
  decodeText,
  encodeText,
  formatOf,
  legible,
  replaceIn,
  type Replacement,
} from "./text/mod.ts";
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

/** The input of `edit_file`: `old_string` and `new_string`, or `edits`. */
export interface EditInput {
  /** The file. */
  path: string;
  /** The text to replace. */
  old_string?: string | undefined;
  /** The new text. */
  new_string?: string | undefined;
  /** Replace every occurrence; else there must be exactly one. */
  replace_all?: boolean | undefined;
  /** Replacements that are made all together or fail together. */
  edits?: Replacement[] | undefined;
}

const BOM = "\ufeff";

/** The tool `edit_file`: replaces strings that must occur exactly once in the file, or all of them. */
export function editFileTool({ vfs, limits, home }: Toolbox): Tool<EditInput> {
  return defineTool({
    name: "edit_file",
    description: "Edit a file by replacing a specific string with another",
    input: z.object({
      path: z.string().describe("File path to edit"),
      old_string: z.string().optional().describe("Exact string to find and replace"),
      new_string: z.string().optional().describe("String to replace with"),
      replace_all: z.boolean().optional().describe("Replace every occurrence"),
      edits: z.array(z.object({
        old_string: z.string(),
        new_string: z.string(),
        replace_all: z.boolean().optional(),
      })).optional().describe("Several edits at once, all or none, each of the file as it is"),
    }),
    execute: (input, { signal }) => {
      const { path } = input;
      const edits = editsOf(input);
      const place = expandHome(path, home);
      return exclusively(vfs, place, async () => {
        const bytes = await readFile(vfs, place, { limit: limits.fileBytes }).catch(explain);
        const format = formatOf(bytes);
        if (format === undefined) throw binary(path, bytes.length, "change it with bash");
        const before = decodeText(bytes, format);
        const { text, line, places } = replaceIn(path, before, edits.map(withoutMark));
        const made = encodeText(text, format, path);
        const { links } = await vfs.stat(place);
        signal.throwIfAborted();
        await writeFile(vfs, place, made);
        const diff = legible(unifiedDiff(path, before, text));
        const details: EditDetails = { path, line, diff };
        const notes = [
          ...places > edits.length ? [`${places} places were changed`] : [],
          ...format.encoding === "UTF-8" ? [] : [`Written in ${format.encoding}, as the file was`],
          ...linkNotes(links),
        ];
        const told = notes.map((note) => `[${note}]\n`).join("");
        return { content: `OK\n${told}${shortened(diff, limits.diffCharacters)}`, details };
      });
    },
  });
}

/** The edits of a call. Some models fill parameters that they don't need with empty strings. */
function editsOf({ old_string, new_string, replace_all, edits = [] }: EditInput): Replacement[] {
  const list = edits.map((edit) => ({ replace_all, ...edit }));
  const unused = edits.length > 0 && !old_string && !new_string;
  if (unused) return list;
  if (old_string === undefined || new_string === undefined) {
    throw new TypeError("Cannot edit: give old_string and new_string, or edits");
  }
  // Last, so that errors count the others as they were given.
  return [...list, { old_string, new_string, replace_all }];
}

/** The byte order mark is not part of the text that is searched. */
function withoutMark({ old_string, new_string, replace_all }: Replacement): Replacement {
  if (!old_string.startsWith(BOM)) return { old_string, new_string, replace_all };
  return { old_string: old_string.slice(1), new_string: new_string.replace(BOM, ""), replace_all };
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
