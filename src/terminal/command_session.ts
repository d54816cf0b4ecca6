import type { ApartResult, CommandSandbox, Survivors } from "../ports/mod.ts";
import { currentFolder } from "../sys/mod.ts";
import { ApartRun } from "./_apart_run.ts";
import type { BwrapPlace } from "./_bwrap.ts";
import { withChanges } from "./_changed_variables.ts";
import { CommandRun, type Outcome } from "./_command_run.ts";
import { confinedEnvironment } from "./_confined_environment.ts";
import type { Connections, Keeper } from "./_keeper.ts";
import { type Marks, newMarks, sweep } from "./_marks.ts";
import type { NamespaceHolder } from "./_namespace_holder.ts";
import { type SeenFolder, SessionFolders } from "./_session_folders.ts";
import { SharedNamespaces } from "./_shared_namespaces.ts";
import { checkSurvivors } from "./_survivors.ts";
import { endAtTerminal, startAtTerminal, type TerminalRun } from "./_terminal_run.ts";
import { asStartError, checkCommand, type TreeCommand, TreeStarter } from "./_tree_starter.ts";
import type { ApartOptions } from "./apart.ts";
import {
  type CommandOptions,
  type CommandResult,
  defaultOutputLimits,
  type KillDesign,
  type OutputLimits,
  type TerminalOptions,
  type TerminalResult,
} from "./command.ts";
import { CommandStartError } from "./command_start_error.ts";
import type { EnvironmentOptions } from "./environment.ts";
import { appliedSandbox, type Sandbox } from "./sandbox.ts";

/** The options that all commands of a session share. */
export interface CommandSessionOptions extends EnvironmentOptions {
  /** The folder that commands run in, absolute; the current one if absent. */
  readonly cwd?: string | undefined;
  /** The sandbox from `chooseSandbox()`; none if absent. */
  readonly sandbox?: Sandbox | undefined;
  /**
   * Folder for files with too long output, absolute; it must exist. If absent, a temporary folder
   * that is removed when the session ends.
   */
  readonly outputFolder?: string | undefined;
  /** Leave the temporary files with output in place when the session ends; false if absent. */
  readonly keepOutput?: boolean | undefined;
  /** Limits of the kept output; 2,000 lines, 50,000 bytes and files of 1 GiB if absent. */
  readonly limits?: Partial<OutputLimits> | undefined;
  /**
   * Without a sandbox: the kill designs to try, in this order; `subreaper`, then `marks` if absent.
   * A sandbox brings its own, `namespace`.
   */
  readonly killDesigns?: readonly KillDesign[] | undefined;
}

const DEFAULT_TIMEOUT = 30_000;
/**
 * Most commands whose marks are searched once more at the end; an argument holds about 3,000 ids.
 */
const MOST_MARKS = 2000;
/** The longest time that `setTimeout()` can wait for. */
const MOST_TIMEOUT = 2 ** 31 - 1;

/**
 * The folders of a command of a session. For this room only: terminals share the session's /tmp.
 */
export let placeOf: (session: CommandSession, cwd: string | undefined) => Promise<BwrapPlace>;

/**
 * Runs commands of the system's shell and owns every process they start. A process that a command
 * leaves in the background (`npm start &`) keeps running for later commands. All of them are killed
 * when the session is disposed of, or when this process ends, however it ends.
 *
 * Commands may run at the same time. Needs `--allow-run=bash` (`sh` if there is no bash), better
 * also `python3` and `bwrap`; `--allow-env` to pass the environment on; `--allow-read` and
 * `--allow-write` for temporary files when output is long or a command stays in the background, and
 * for the private /tmp of a sandbox.
 *
 * The design `marks` may miss a process that forks faster than it can be found; the result then
 * says that survivors are unknown. No design kills processes that another service starts for a
 * command (`systemd-run`, `docker run -d`, `at`).
 *
 * @example
 * ```ts
 * import { CommandSession } from "@llmcmd/llmcmd/terminal";
 *
 * await using session = new CommandSession();
 * const { text, exitCode } = await session.run("echo out; echo err >&2; exit 3");
 * if (text !== "out\nerr\n" || exitCode !== 3) throw new Error("unexpected");
 * const { timedOut } = await session.run("sleep 60 & sleep 60", { timeout: 100 });
 * if (!timedOut) throw new Error("unexpected");
 * ```
 */
export class CommandSession implements AsyncDisposable {
  static {
    placeOf = async (session, cwd) => {
      // The holder removes the session's /tmp if this process is killed.
      const [place] = await Promise.all([session.#folders.place(cwd), session.#shared?.holder()])
        .catch((error) => {
          throw asStartError(error);
        });
      return place;
    };
  }

  readonly #options: CommandSessionOptions;
  readonly #folders: SessionFolders;
  readonly #sandbox: Sandbox;
  readonly #limits: OutputLimits;
  readonly #runs = new Set<{ kill(): Promise<Survivors> }>();
  readonly #starting = new Set<Promise<unknown>>();
  readonly #end = new AbortController();
  readonly #marks: Marks[] = [];
  readonly #starter: TreeStarter;
  /** Absent without a sandbox. */
  readonly #shared: SharedNamespaces | undefined;
  #disposed: Promise<void> | undefined;

  /** Makes a session; nothing starts before the first command. */
  constructor(options: CommandSessionOptions = {}) {
    this.#options = options;
    this.#sandbox = options.sandbox ?? { kind: "none", reason: "no sandbox was asked for" };
    this.#folders = new SessionFolders({
      cwd: options.cwd ?? currentFolder(),
      sandbox: this.#sandbox,
      output: options.outputFolder,
      keepOutput: options.keepOutput ?? false,
    });
    this.#limits = { ...defaultOutputLimits, ...options.limits };
    this.#starter = new TreeStarter(this.#sandbox, options.killDesigns);
    if (this.#sandbox.kind === "bwrap") {
      const { network } = this.#sandbox;
      this.#shared = new SharedNamespaces(network, () => this.#folders.temporary());
    }
  }

  /** The variables that commands get. */
  get environment(): Readonly<Record<string, string>> {
    return this.#environment();
  }

  /** Number of commands that run or have left processes in the background. */
  get running(): number {
    return this.#runs.size;
  }

  /**
   * Folders of the host that commands see at another path (the session's own `/tmp`), and folders
   * that they see at their own path, even within such a folder. Empty without a sandbox. For
   * programs that must find the same files at the same paths.
   */
  seenFolders(): Promise<readonly SeenFolder[]> {
    return this.#folders.seen();
  }

  /**
   * Runs a command line with `bash -c` (`sh -c` if there is no bash), without input. Every end of
   * the command is a result, also a kill: the output until then is kept.
   *
   * Settles when the shell has ended and the rest of the pipe was read: a background process that
   * holds the pipe delays it by at most 100 ms.
   *
   * @throws {CommandStartError} It could not be started: the folder is missing, the command is too
   * long or has a NUL, the sandbox does not work, or the session has ended.
   * @throws {PermissionError} `--allow-run` covers no shell.
   */
  async run(command: string, options: CommandOptions = {}): Promise<CommandResult> {
    const timeout = checkTimeout(options.timeout ?? DEFAULT_TIMEOUT);
    checkCommand(command);
    this.#checkOpen();
    const begin = performance.now();
    const signals = [this.#end.signal, ...options.signal === undefined ? [] : [options.signal]];
    const { sandbox, run } = await this.#whileStarting(this.#begin(options, signals, {
      command,
      env: options.env ?? {},
      connections: MERGED,
      run: (keeper) =>
        new CommandRun(keeper, {
          limits: this.#limits,
          outputPath: () => this.#folders.outputPath(),
          onOutput: options.onOutput,
        }),
    }));
    const outcome = run === undefined
      ? NEVER_STARTED
      : await run.wait(Math.max(0, timeout - (performance.now() - begin)), signals);
    return {
      ...outcome,
      sandbox,
      killDesign: this.#starter.design,
      duration: performance.now() - begin,
    };
  }

  /**
   * Runs a command line as `run()` does, but keeps its outputs separately: the beginning and the
   * end of each. Settles when the shell has ended; background processes continue.
   *
   * @throws {CommandStartError} It could not be started.
   * @throws {PermissionError} `--allow-run` covers no shell.
   * @throws The reason of the signal, once everything is killed.
   */
  async runApart(command: string, options: ApartOptions): Promise<ApartResult> {
    const timeout = checkTimeout(options.timeout);
    checkCommand(command);
    this.#checkOpen();
    const begin = performance.now();
    const signals = [this.#end.signal, options.signal];
    const { line, env } = withChanges(command, options.shell, options.env ?? {});
    const { run } = await this.#whileStarting(
      this.#begin({ cwd: options.workingDirectory, writable: options.writable }, signals, {
        command: line,
        env,
        connections: APART,
        run: (keeper) => new ApartRun(keeper, options),
      }),
    );
    if (run === undefined) {
      for (const signal of signals) signal.throwIfAborted();
      throw new CommandStartError("The command was not started");
    }
    const outcome = await run.wait(Math.max(0, timeout - (performance.now() - begin)), signals);
    return { ...outcome, duration: performance.now() - begin };
  }

  /**
   * Runs a command line for the person at this process's terminal, in the same sandbox. It uses the
   * terminal and gets its keys and Ctrl+C, so that editors and other interactive programs work. It
   * has no time limit, and its output is not kept. Meanwhile this process must not read from the
   * terminal, and afterwards it must set the terminal's modes again.
   *
   * Its background processes are killed at the end of the session.
   *
   * @throws {CommandStartError} It could not be started, as with `run()`.
   * @throws {PermissionError} `--allow-run` covers no shell.
   */
  async runAtTerminal(command: string, options: TerminalOptions = {}): Promise<TerminalResult> {
    checkCommand(command);
    this.#checkOpen();
    const begin = performance.now();
    const signal = AbortSignal.any([
      this.#end.signal,
      ...options.signal === undefined ? [] : [options.signal],
    ]);
    const { sandbox, run } = await this.#whileStarting(
      this.#beginAtTerminal(command, options, signal),
    );
    const outcome = run === undefined
      ? { exitCode: null, signal: null, aborted: true, survivors: 0 }
      : await endAtTerminal(run, signal).finally(() => this.#runs.delete(run));
    return { ...outcome, sandbox, duration: performance.now() - begin };
  }

  /**
   * Kills everything that the session's commands started and removes its temporary files. Running
   * commands settle as aborted.
   *
   * @throws {Error} Processes that could not be killed are left or, on Linux, may be left.
   */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#disposed ??= this.#dispose();
  }

  async #dispose(): Promise<void> {
    this.#end.abort(new Error("The session has ended"));
    await Promise.allSettled(this.#starting);
    await this.#shared?.end();
    const left = await Promise.all([...this.#runs].map((run) => run.kill()));
    // Looks once more for commands whose processes seemed to be gone, because marks give no
    // certainty.
    if (this.#marks.length > 0) left.push(await sweep(this.#marks, this.#environment()));
    await this.#folders.remove();
    checkSurvivors(left);
  }

  /** Waits for a start; disposing waits for it, too. */
  async #whileStarting<Started>(starting: Promise<Started>): Promise<Started> {
    this.#starting.add(starting);
    return await starting.finally(() => this.#starting.delete(starting));
  }

  async #beginAtTerminal(
    line: string,
    options: TerminalOptions,
    signal: AbortSignal,
  ): Promise<{ sandbox: CommandSandbox; run?: TerminalRun }> {
    try {
      const [place, found] = await this.#place(options);
      if (signal.aborted) return { sandbox: this.#applied(place, found) };
      const holder = await this.#proved(place, found);
      const env = {
        ...confinedEnvironment(this.#sandbox, { ...this.#options, attended: true }),
        ...options.env,
      };
      const marks = newMarks();
      const command = { line, place, sandbox: this.#sandbox, env, marks, holder };
      const run = await startAtTerminal(command);
      if (this.#shared === undefined) this.#remember(marks);
      this.#runs.add(run);
      return { sandbox: this.#applied(place, holder), run };
    } catch (error) {
      throw asStartError(error);
    }
  }

  /**
   * The holder if a trial command can join it. At the terminal, a failure to join could not be
   * distinguished from a failure of the command itself.
   */
  async #proved(
    place: BwrapPlace,
    holder: NamespaceHolder | undefined,
  ): Promise<NamespaceHolder | undefined> {
    if (holder === undefined || holder.joined) return holder;
    const trial = { command: ":", env: {}, connections: MERGED };
    const keeper = await this.#start(trial, place, holder);
    await keeper.ended;
    keeper.release();
    return keeper.holder;
  }

  /** Starts a command, unless a signal has already fired. */
  async #begin<Run extends StartedRun>(
    where: Pick<CommandOptions, "cwd" | "writable">,
    signals: readonly AbortSignal[],
    what: ToStart<Run>,
  ): Promise<{ sandbox: CommandSandbox; run?: Run }> {
    const [place, holder] = await this.#place(where).catch((error) => {
      throw asStartError(error);
    });
    if (signals.some((signal) => signal.aborted)) {
      return { sandbox: this.#applied(place, holder) };
    }
    const keeper = await this.#start(what, place, holder);
    const run = what.run(keeper);
    this.#runs.add(run);
    run.ended.then(() => this.#runs.delete(run));
    return { sandbox: this.#applied(place, keeper.holder), run };
  }

  /** The folders of a command, and the holder that it joins. */
  async #place(
    { cwd, writable }: Pick<CommandOptions, "cwd" | "writable">,
  ): Promise<[BwrapPlace, NamespaceHolder | undefined]> {
    return await Promise.all([this.#folders.place(cwd, writable), this.#shared?.holder()]);
  }

  #applied(place: BwrapPlace, holder: NamespaceHolder | undefined): CommandSandbox {
    return appliedSandbox(this.#sandbox, place.writable, this.#shared?.apart(holder));
  }

  async #start(
    { command, connections, ...what }: Omit<ToStart<StartedRun>, "run">,
    place: BwrapPlace,
    holder: NamespaceHolder | undefined,
  ): Promise<Keeper> {
    const env = { ...this.#environment(), ...what.env };
    const start = (joins?: NamespaceHolder) =>
      this.#starter.start(command, place, env, connections, joins);
    try {
      const keeper = await start(holder);
      if (holder !== undefined) holder.joined = true;
      if (keeper.design === "marks") this.#remember(keeper.marks);
      return keeper;
    } catch (error) {
      if (holder === undefined) throw error;
      const keeper = await start();
      await this.#shared?.doubt(holder);
      return keeper;
    }
  }

  #remember(marks: Marks): void {
    this.#marks.push(marks);
    if (this.#marks.length > MOST_MARKS) this.#marks.shift();
  }

  #environment(): Record<string, string> {
    return confinedEnvironment(this.#sandbox, this.#options);
  }

  #checkOpen(): void {
    if (this.#disposed !== undefined) {
      throw new CommandStartError("Cannot run a command: the session has ended");
    }
  }
}

/** A command to start. */
interface ToStart<Run> {
  readonly command: TreeCommand;
  /** Variables to add to the session's environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly connections: Connections;
  /** Makes the reader of its outputs. */
  readonly run: (keeper: Keeper) => Run;
}

/** A command that runs, or has left background processes. */
interface StartedRun {
  /** Settles when no process of it is left. */
  readonly ended: Promise<void>;
  kill(): Promise<Survivors>;
}

/** Commands of a session have no input, and one merged output or two. */
const MERGED = { stdin: "null", stderr: "merge", duplex: false } as const;
const APART = { stdin: "null", stderr: "pipe", duplex: false } as const;

const NEVER_STARTED: Outcome = {
  text: "",
  truncated: undefined,
  exitCode: null,
  signal: null,
  timedOut: false,
  aborted: true,
  background: undefined,
  survivors: 0,
};

function checkTimeout(timeout: number): number {
  if (timeout > 0 && timeout <= MOST_TIMEOUT) return timeout;
  throw new RangeError(
    `Time-out must be more than 0 and at most ${MOST_TIMEOUT} milliseconds, not ${timeout}`,
  );
}
