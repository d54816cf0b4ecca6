import { type ScratchFolder, scratchFolder } from "../sys/mod.ts";
import type { BwrapPlace } from "./_bwrap.ts";
import { type ExistingPath, existingPaths } from "./_existing_paths.ts";
import { CommandStartError } from "./command_start_error.ts";
import type { Sandbox } from "./sandbox.ts";

/** A folder of the host as commands see it. */
export interface SeenFolder {
  /** Its path inside the sandbox; the same as on the host if absent. */
  readonly at?: string | undefined;
  /** Its path on the host. */
  readonly folder: string;
}

/**
 * The folders of a session: its working folder, and temporary folders that are created when first
 * needed.
 */
export class SessionFolders {
  readonly #cwd: string;
  readonly #sandbox: Sandbox;
  readonly #given: string | undefined | null;
  readonly #keepOutput: boolean;
  #output: Promise<ScratchFolder> | undefined;
  #tmp: Promise<ScratchFolder> | undefined;
  #writable: Promise<string[]> | undefined;
  #files = 0;
  /** All paths that hidden links have led to: a command may have made them lead elsewhere. */
  readonly #everHidden: Set<string> = new Set();

  constructor(options: {
    readonly cwd: string;
    readonly sandbox: Sandbox;
    /** The folder for output files; `undefined`: a temporary one, `null`: no output files. */
    readonly output: string | undefined | null;
    readonly keepOutput: boolean;
  }) {
    this.#cwd = options.cwd;
    this.#sandbox = options.sandbox;
    this.#given = options.output;
    this.#keepOutput = options.keepOutput;
  }

  /**
   * Folders that commands see at another path than on the host, then folders that keep their own
   * path.
   */
  async seen(): Promise<SeenFolder[]> {
    if (this.#sandbox.kind === "none") return [];
    const output = this.#given ?? (await this.#output)?.path;
    return [
      { at: "/tmp", folder: (await this.#tmpFolder()).path },
      ...[this.#cwd, ...this.#sandbox.writable].map((folder) => ({ folder })),
      ...output === undefined ? [] : [{ folder: output }],
    ];
  }

  /** The folders of a command that asked for `cwd`; it may also write to `more`. */
  async place(cwd: string | undefined, more: readonly string[] = []): Promise<BwrapPlace> {
    const folder = this.#resolve(cwd);
    if (this.#sandbox.kind === "none") return { cwd: folder, writable: [], binds: [], hidden: [] };
    const { visible } = this.#sandbox;
    if (visible !== undefined) {
      return { cwd: "/", writable: [], binds: await visiblePaths(visible), hidden: [] };
    }
    const paths = new Set([...this.#sandbox.hidden, ...this.#everHidden]);
    const [real, ...all] = await existingPaths([folder, ...more, ...paths]);
    const opened = all.slice(0, more.length).flatMap((it) => it?.folder ? [it.path] : []);
    const found = all.slice(more.length);
    const hidden = new Map(found.flatMap((it) => it === undefined ? [] : [[it.path, it]]));
    for (const path of hidden.keys()) this.#everHidden.add(path);
    const own = await (this.#writable ??= this.#writableFolders(this.#sandbox.writable));
    return {
      cwd: folderAt(real, folder),
      writable: [
        ...own,
        ...opened.filter((path) => path !== "/"),
      ],
      tmp: (await this.#tmpFolder()).path,
      binds: this.#given === null ? [] : [this.#given ?? (await this.#outputFolder()).path],
      hidden: [...hidden.values()],
      shown: own,
    };
  }

  /** The temporary folders to remove after the session, created if necessary. */
  async temporary(): Promise<string[]> {
    const output = this.#given === undefined && !this.#keepOutput;
    const folders = [this.#tmp ??= scratchFolder(), ...output ? [this.#outputFolder()] : []];
    return (await Promise.all(folders)).map(({ path }) => path);
  }

  /** Path of a new output file. */
  async outputPath(): Promise<string> {
    const folder = this.#given ?? (await this.#outputFolder()).path;
    const unique = this.#given === undefined ? "" : `-${crypto.randomUUID().slice(0, 8)}`;
    return `${folder}/output-${++this.#files}${unique}.txt`;
  }

  /** Removes the temporary folders. */
  async remove(): Promise<void> {
    const output = await this.#output?.catch(() => undefined);
    if (this.#keepOutput && this.#files > 0) output?.keep();
    await output?.[Symbol.asyncDispose]();
    const tmp = await this.#tmp?.catch(() => undefined);
    await tmp?.[Symbol.asyncDispose]();
  }

  #resolve(cwd: string | undefined): string {
    if (cwd === undefined || cwd === "") return this.#cwd;
    return cwd.startsWith("/") ? cwd : `${this.#cwd}/${cwd}`;
  }

  #tmpFolder(): Promise<ScratchFolder> {
    return this.#tmp ??= scratchFolder();
  }

  #outputFolder(): Promise<ScratchFolder> {
    return this.#output ??= scratchFolder();
  }

  async #writableFolders(more: readonly string[]): Promise<string[]> {
    const folders: string[] = [];
    const paths = [this.#cwd, ...more];
    const found = await existingPaths(paths);
    for (const [index, path] of paths.entries()) {
      const folder = folderAt(found[index], path);
      if (folder === "/") {
        throw new CommandStartError(
          "Cannot confine commands to /: choose a working folder, or --sandbox none",
        );
      }
      folders.push(folder);
    }
    return folders;
  }
}

/** Checks that all paths exist, and returns them. */
async function visiblePaths(paths: readonly string[]): Promise<string[]> {
  const found = await existingPaths(paths);
  return paths.map((path, index) => {
    if (found[index] !== undefined) return path;
    throw new CommandStartError(`Cannot show ${path} to commands: there is no such file or folder`);
  });
}

function folderAt(found: ExistingPath | undefined, path: string): string {
  if (found?.folder === true) return found.path;
  throw new CommandStartError(`Cannot run commands in ${path}: there is no such folder`);
}
