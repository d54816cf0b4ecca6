import * as z from "zod";
import { defineTool, type Tool } from "../tool/mod.ts";
import { isMissing, readFile, type Vfs, writeFile } from "../vfs/mod.ts";
import { decodeText, encodeText } from "./_text.ts";
import { unifiedDiff } from "./diff.ts";
import { exclusively, type Toolbox } from "./toolbox.ts";

/** Details of a `write_file` call for people who watch. */
export interface WriteDetails {
  /** The path as the model gave it. */
  path: string;
  /** Whether the file did not exist before. */
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

/** The tool `write_file`: creates or overwrites a file, with the folders that it needs. */
export function writeFileTool({ vfs }: Toolbox): Tool<WriteInput> {
  return defineTool({
    name: "write_file",
    description: "Write content to a file (creates or overwrites)",
    input: z.object({
      path: z.string().describe("File path to write"),
      content: z.string().describe("Content to write"),
    }),
    execute: ({ path, content }, { signal }) =>
      exclusively(vfs, path, async () => {
        const old = await oldText(vfs, path);
        const bytes = encodeText(content);
        const folder = path.replace(/[^/]*$/, "");
        if (folder !== "" && old === undefined) await vfs.mkdir(folder, { parents: true });
        signal.throwIfAborted();
        await writeFile(vfs, path, bytes);
        const details: WriteDetails = {
          path,
          created: old === undefined,
          bytes: bytes.length,
          ...(old === null ? {} : { diff: unifiedDiff(path, old ?? "", content) }),
        };
        return { content: "OK", details };
      }),
  });
}

/** The old text; `undefined` if there is no file, `null` if it can't be compared. */
async function oldText(vfs: Vfs, path: string): Promise<string | null | undefined> {
  try {
    return decodeText(await readFile(vfs, path, { limit: COMPARED })) ?? null;
  } catch (error) {
    return isMissing(error) ? undefined : null;
  }
}
