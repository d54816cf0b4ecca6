import type { CommandSandbox, Survivors } from "../ports/mod.ts";
import { currentFolder, type Duplex } from "../sys/mod.ts";
import { confinedEnvironment } from "./_confined_environment.ts";
import type { Keeper } from "./_keeper.ts";
import { sweep } from "./_marks.ts";
import { SessionFolders } from "./_session_folders.ts";
import { checkSurvivors } from "./_survivors.ts";
import { asStartError, checkCommand, TreeStarter } from "./_tree_starter.ts";
import type { KillDesign } from "./command.ts";
import type { EnvironmentOptions } from "./environment.ts";
import type { ProcessTree, TreeStatus } from "./process_tree.ts";
import { appliedSandbox, type Sandbox } from "./sandbox.ts";

/** Options of {@linkcode spawnTree}. */
export interface SpawnTreeOptions extends EnvironmentOptions {
  /** The folder to run it in, absolute; the current one if absent. */
  readonly cwd?: string | undefined;
  /** Its standard input: a pipe, empty, or this process's own; empty if absent. */
  readonly stdin?: "null" | "pipe" | "inherit" | undefined;
  /** Its standard output and error: pipes, or this process's own; pipes if absent. */
  readonly outputs?: "pipe" | "inherit" | undefined;
  /**
   * Its standard error: a pipe of its own, or standard output, in the order of writing; a pipe if
   * absent.
   */
  readonly stderr?: "pipe" | "merge" | undefined;
  /** True if its descriptor 3 is a socket to this process; false if absent. */
  readonly duplex?: boolean | undefined;
  /** The sandbox from `chooseSandbox()`; none if absent. `cwd` can be written to in it. */
  readonly sandbox?: Sandbox | undefined;
  /**
   * Without a sandbox: the kill designs to try, in this order; `subreaper`, then `marks` if absent.
   * A sandbox brings its own, `namespace`.
   */
  readonly killDesigns?: readonly KillDesign[] | undefined;
  /** Kills it with everything it started; `status` reports that end, not an error. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Starts a command whose input and outputs are byte streams, and owns every process that it starts:
 * all are killed by `kill()`, by disposing, and when this process ends, however it ends.
 *
 * The command is a line for the system's shell, or a program with its arguments, which are passed
 * on unchanged. It has no terminal. Resolves when the program was found and is about to start.
 *
 * Needs `--allow-run=bash` (`sh` if there is no bash), better also `python3` and `bwrap`, and
 * `--allow-env` to pass the environment on; with a sandbox `--allow-read` and `--allow-write` for
 * the folder that is its /tmp. The limits of the kill designs are those of
 * {@linkcode CommandSession}.
 *
 * @throws {ProgramMissingError} The program is not installed, not on the PATH or not executable.
 * @throws {CommandStartError} It could not be started: the folder is missing, the command is too
 * long or has a NUL, or the sandbox does not work.
 * @throws {PermissionError} `--allow-run` covers no shell.
 * @throws The reason of the signal, if that fires before it has started.
 *
 * @example
 * ```ts
 * import { spawnTree } from "@llmcmd/llmcmd/terminal";
 *
 * await using tree = await spawnTree(["cat", "-"], { stdin: "pipe" });
 * const writer = tree.stdin.getWriter();
 * await writer.write(new TextEncoder().encode("hello"));
 * await writer.close();
 * const text = await new Response(tree.stdout).text();
 * const { exitCode } = await tree.status;
 * if (text !== "hello" || exitCode !== 0) throw new Error("unexpected");
 * ```
 */
export async function spawnTree(
  command: string | readonly string[],
  options: SpawnTreeOptions = {},
): Promise<ProcessTree> {
  checkCommand(command);
  const { signal, sandbox = { kind: "none", reason: "no sandbox was asked for" } } = options;
  signal?.throwIfAborted();
  const cwd = options.cwd ?? currentFolder();
  const folders = new SessionFolders({ cwd, sandbox, output: null, keepOutput: false });
  try {
    const place = await folders.place(undefined).catch((error) => {
      throw asStartError(error);
    });
    const starter = new TreeStarter(sandbox, options.killDesigns);
    const env = confinedEnvironment(sandbox, options);
    const { stdin = "null", outputs = "pipe", stderr = "pipe", duplex = false } = options;
    const connections = { stdin, outputs, stderr, duplex };
    const keeper = await starter.start(command, place, env, connections);
    const tree = new KeptTree(keeper, folders, env, appliedSandbox(sandbox, place.writable));
    if (signal?.aborted) {
      await tree[Symbol.asyncDispose]();
      throw signal.reason;
    }
    if (signal !== undefined) tree.killOn(signal);
    return tree;
  } catch (error) {
    await folders.remove();
    throw error;
  }
}

class KeptTree implements ProcessTree {
  readonly sandbox: CommandSandbox;
  readonly #keeper: Keeper;
  readonly #folders: SessionFolders;
  readonly #env: Readonly<Record<string, string>>;
  #disposed: Promise<void> | undefined;

  constructor(
    keeper: Keeper,
    folders: SessionFolders,
    env: Readonly<Record<string, string>>,
    sandbox: CommandSandbox,
  ) {
    this.#keeper = keeper;
    this.#folders = folders;
    this.#env = env;
    this.sandbox = sandbox;
  }

  get stdin(): WritableStream<Uint8Array> {
    return this.#keeper.stdin;
  }

  get stdout(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return this.#keeper.stdout;
  }

  get stderr(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return this.#keeper.stderr;
  }

  get duplex(): Duplex | undefined {
    return this.#keeper.duplex;
  }

  get status(): Promise<TreeStatus> {
    return this.#keeper.status;
  }

  get ended(): Promise<void> {
    return this.#keeper.ended;
  }

  get killDesign(): KillDesign {
    return this.#keeper.design;
  }

  /** Kills it when the signal fires. */
  killOn(signal: AbortSignal): void {
    const kill = () => void this.kill();
    signal.addEventListener("abort", kill, { once: true });
    this.ended.then(() => signal.removeEventListener("abort", kill));
  }

  kill(): Promise<Survivors> {
    return this.#keeper.kill();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#disposed ??= this.#dispose();
  }

  async #dispose(): Promise<void> {
    const left = [await this.kill()];
    this.#keeper.release();
    // Marks give no certainty, so look once more for processes that seemed to be gone.
    if (this.killDesign === "marks") left.push(await sweep([this.#keeper.marks], this.#env));
    await this.#folders.remove();
    checkSurvivors(left);
  }
}
