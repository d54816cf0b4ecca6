import { Registry, type Tool } from "../tool/mod.ts";
import type { BoundedVfs, Vfs, VfsAccess } from "../vfs/mod.ts";
import { Access } from "./_access.ts";
import type { ApprovalOptions } from "./approval.ts";
import { bashTool } from "./bash.ts";
import type { CommandRunner } from "./command_runner.ts";
import { editFileTool } from "./edit_file.ts";
import { checkedLimits, type CoderLimits } from "./limits.ts";
import { readFileTool } from "./read_file.ts";
import { shareLock, type Toolbox } from "./toolbox.ts";
import { writeFileTool } from "./write_file.ts";

/** The options of the four tools. */
export interface CoderToolsOptions {
  /** The files. */
  readonly vfs: Vfs;
  /** Runs commands, in the folder `vfs.root`. */
  readonly runner: CommandRunner;
  /**
   * The absolute path of the home folder, for `~` at the beginning of a path. Without it such paths
   * are refused.
   */
  readonly home?: string | undefined;
  /** Budgets. */
  readonly limits?: Partial<CoderLimits> | undefined;
  /**
   * Is called with a command's output as it comes, and the id of its call. A slow receiver slows
   * the command. `run()` takes it also with tools that were made without it.
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
  return new Registry(TOOLS.map(({ make }) => make(toolbox)));
}

/** The options of {@linkcode approvedTools}. */
export interface ApprovedToolsOptions extends CoderToolsOptions {
  /** The files, within a boundary. */
  readonly vfs: BoundedVfs;
  /** Asks for approval of paths outside the boundary and of other calls. */
  readonly approvals: ApprovalOptions;
  /**
   * Tools with the same limits, from `coderTools()`, whose schemas are taken: to make new ones takes
   * a millisecond.
   */
  readonly like: Registry;
  /** Tools that run commands in place of `bash`. */
  readonly commands?: readonly CommandTool[] | undefined;
}

/** A tool that may run commands. */
export interface CommandTool {
  /** The tool. */
  readonly tool: Tool;
  /** The command of a call, which the user may want to approve; `undefined` if it runs nothing. */
  readonly commandOf: (input: unknown) => string | undefined;
}

/**
 * The four tools for one turn, with a person's approval of files outside the boundary and of calls.
 */
export function approvedTools(
  { like, approvals, commands, ...options }: ApprovedToolsOptions,
): Registry {
  const access = new Access(options.vfs, approvals, options.home);
  shareLock(access.vfs, options.vfs);
  const { vfs, writable } = access;
  const toolbox = { ...options, vfs, writable, limits: checkedLimits(options.limits) };
  const own = TOOLS.flatMap(({ name, make, access: kind }) => {
    const shared = like.get(name);
    if (shared === undefined || kind === undefined && commands !== undefined) return [];
    let own: Tool | undefined;
    const tool: Tool = {
      ...shared,
      execute: (input, context) => (own ??= make(toolbox)).execute(input, context),
    };
    return [access.guard(tool, kind)];
  });
  const others = commands?.map(({ tool, commandOf }) => access.guard(tool, undefined, commandOf));
  return new Registry([...own, ...others ?? []]);
}

/** Makes a tool, and the access to its file that it needs. */
interface ToolMaker {
  readonly name: string;
  readonly make: (toolbox: Toolbox) => Tool;
  readonly access?: VfsAccess;
}

const TOOLS: readonly ToolMaker[] = [
  { name: "read_file", make: readFileTool, access: "read" },
  { name: "write_file", make: writeFileTool, access: "write" },
  { name: "edit_file", make: editFileTool, access: "write" },
  { name: "bash", make: bashTool },
];
