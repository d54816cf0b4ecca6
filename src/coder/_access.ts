import { isRecord, isWithin } from "../base/mod.ts";
import type { Tool, ToolContext } from "../tool/mod.ts";
import { type BeyondRequest, type BoundedVfs, type VfsAccess, VfsError } from "../vfs/mod.ts";
import { type ApprovalOptions, refusalOf } from "./approval.ts";
import { expandHome } from "./home_path.ts";

/** A call that is being made. */
interface Call {
  readonly context: ToolContext;
  /** The access to its file that the tool needs. */
  readonly access: VfsAccess;
  /** The target of its path, once allowed although it is outside the boundary. */
  allowed: string | undefined;
  /** Refused paths with the reason, so that the user is asked only once. */
  readonly refused: Map<string, string>;
}

/**
 * Controls the access of one turn's tools: everything within the boundary, and outside it what a
 * person allows. Calls are made one after the other.
 */
export class Access {
  /** The files, as the tools see them. */
  readonly vfs: BoundedVfs;
  readonly #options: ApprovalOptions;
  readonly #home: string | undefined;
  #call: Call | undefined;

  /** Makes the access to files within a boundary; `home` is what `~` stands for. */
  constructor(vfs: BoundedVfs, options: ApprovalOptions, home?: string) {
    this.vfs = vfs.asking((request) => this.#beyond(request));
    this.#options = options;
    this.#home = home;
  }

  /** Folders that commands may write to besides their own. */
  readonly writable = (): readonly string[] => [...this.#options.grants.folders];

  /**
   * A tool whose calls need approval where the options say so; `access` is for a tool of files,
   * `commandOf` gives what another one runs.
   */
  guard<Input>(
    tool: Tool<Input>,
    access?: VfsAccess,
    commandOf: (input: unknown) => string | undefined = (input) => textField(input, "command"),
  ): Tool<Input> {
    const { name } = tool.spec;
    return {
      ...tool,
      execute: async (input, context) => {
        this.#call = {
          context,
          access: access ?? "write",
          allowed: undefined,
          refused: new Map(),
        };
        try {
          const refusal = access === undefined
            ? await this.#command(commandOf(input), context)
            : await this.#file(textField(input, "path"), access, context);
          if (refusal !== undefined) return { content: `${name}: ${refusal}`, error: true };
          return await tool.execute(input, context);
        } finally {
          this.#call = undefined;
        }
      },
    };
  }

  async #command(command: string | undefined, context: ToolContext): Promise<string | undefined> {
    const { calls = "never" } = this.#options;
    if (calls === "never" || command === undefined) return undefined;
    const no = await this.#again("command", command, "this command", context);
    return no === undefined ? undefined : `The command was not run: ${no}`;
  }

  async #file(
    path: string,
    access: VfsAccess,
    context: ToolContext,
  ): Promise<string | undefined> {
    if (this.#options.calls === "all") {
      const what = access === "read" ? "reading this file" : "changes of this file";
      const no = await this.#again(access, path, what, context);
      if (no !== undefined) return `Cannot ${access} ${path}: ${no}`;
    }
    try {
      // Before anything is done, so that what is asked for is the file and not a folder above it.
      await this.vfs.check(expandHome(path, this.#home), access);
    } catch (error) {
      context.signal.throwIfAborted();
      if (error instanceof VfsError && error.code === "EACCES") return error.message;
      // The tool itself reports other errors better.
    }
    return undefined;
  }

  /** Asks for a call within the boundary, unless the same was allowed for the session. */
  async #again(
    kind: "command" | VfsAccess,
    what: string,
    session: string,
    { signal, callId }: ToolContext,
  ): Promise<string | undefined> {
    const { calls } = this.#options.grants;
    const key = `${kind} ${what}`;
    if (calls.has(key)) return undefined;
    const request = { kind, what, session, callId };
    return await refusalOf(request, this.#options, signal, () => calls.add(key));
  }

  /** Answers the files' question about what is beyond the boundary. */
  async #beyond(request: BeyondRequest): Promise<string | undefined> {
    const call = this.#call;
    // A change is asked for as such, also where the file is read first.
    const access = call?.access ?? request.access;
    const { path, reason, why } = request;
    if (this.#granted(path, access, reason)) return undefined;
    // Work that goes on after the end of its call has no permission.
    if (call === undefined) return "";
    // The folders above it are made, where they are missing.
    if (call.allowed !== undefined && isWithin(call.allowed, path)) return undefined;
    const known = call.refused.get(path);
    if (known !== undefined) return known;
    const folder = access === "write" && reason === "outside" ? folderOf(path) : "/";
    const { folders, files } = this.#options.grants;
    const session = folder !== "/"
      ? `all changes in ${folder}, also by commands`
      : access === "read"
      ? "reading this file"
      : "changes of this file";
    const { signal, callId } = call.context;
    const no = await refusalOf(
      { kind: access, what: path, why, session, callId },
      this.#options,
      signal,
      () => folder === "/" ? files.set(path, access) : folders.add(folder),
    );
    if (no === undefined) call.allowed = path;
    else call.refused.set(path, no);
    return no;
  }

  #granted(path: string, access: VfsAccess, reason: BeyondRequest["reason"]): boolean {
    const { folders, files } = this.#options.grants;
    const file = files.get(path);
    if (file === "write" || file === access) return true;
    return reason === "outside" && [...folders].some((folder) => isWithin(path, folder));
  }
}

function textField(input: unknown, key: string): string {
  const text = isRecord(input) ? input[key] : undefined;
  return typeof text === "string" ? text : "";
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}
