import { Registry } from "../tool/mod.ts";
import type { Vfs } from "../vfs/mod.ts";
import { bashTool } from "./bash.ts";
import type { CommandRunner } from "./command_runner.ts";
import { editFileTool } from "./edit_file.ts";
import { checkedLimits, type CoderLimits } from "./limits.ts";
import { readFileTool } from "./read_file.ts";
import { writeFileTool } from "./write_file.ts";

/** The options of the four tools. */
export interface CoderToolsOptions {
  /** The files. */
  readonly vfs: Vfs;
  /** Runs commands, in the folder `vfs.root`. */
  readonly runner: CommandRunner;
  /**
   * The home folder, which `~` at the beginning of a path stands for, as in a shell; absolute.
   * Absent: such paths are refused.
   */
  readonly home?: string | undefined;
  /** Budgets. */
  readonly limits?: Partial<CoderLimits> | undefined;
  /**
   * Is called with a command's output as it comes, and the id of its call. A slow receiver slows
   * the command.
   */
  readonly onOutput?:
    | ((callId: string, chunk: Uint8Array<ArrayBuffer>) => void | Promise<void>)
    | undefined;
}

/**
 * The agent's four tools: `read_file`, `write_file`, `edit_file` and `bash`. docs/agent.md lists
 * their parameters.
 *
 * Changes of one file are made one after the other, even by several registries over one `Vfs`.
 *
 * @example
 * ```ts
 * import { coderTools } from "@llmcmd/llmcmd/coder";
 * import { memoryVfs } from "@llmcmd/llmcmd/vfs";
 *
 * const vfs = memoryVfs({ files: { "a.txt": "one\n" } });
 * const runner = { run: () => Promise.reject(new Error("There is no shell here")) };
 * const tools = coderTools({ vfs, runner });
 * const context = { signal: new AbortController().signal, callId: "call_1" };
 * const input = { path: "a.txt", old_string: "one", new_string: "two" };
 * const result = await tools.get("edit_file")?.execute(input, context);
 * const expected = "OK\n--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-one\n+two\n";
 * if (result?.content !== expected) throw new Error(result?.content);
 * ```
 */
export function coderTools(options: CoderToolsOptions): Registry {
  const toolbox = { ...options, limits: checkedLimits(options.limits) };
  return new Registry([
    readFileTool(toolbox),
    writeFileTool(toolbox),
    editFileTool(toolbox),
    bashTool(toolbox),
  ]);
}
