import { currentFolder } from "../sys/mod.ts";
import type { BwrapPlace } from "./_bwrap.ts";
import { CommandRun, type Outcome } from "./_command_run.ts";
import { confinedEnvironment } from "./_confined_environment.ts";
import { type Keeper, type Marks, newMarks, sweep } from "./_keeper.ts";
import { SessionFolders } from "./_session_folders.ts";
import { checkSurvivors } from "./_survivors.ts";
import { startAtTerminal, type TerminalRun } from "./_terminal_run.ts";
import { asStartError, checkCommand, TreeStarter } from "./_tree_starter.ts";
import {
  type CommandOptions,
  type CommandResult,
  defaultOutputLimits,
  type KillDesign,
  type OutputLimits,
  signalOf,
  type Survivors,
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
   * Folder for files with output that was too long, absolute; it must exist. If absent, a temporary
   * folder that is removed when the session ends.
   */
  readonly outputFolder?: string | undefined;
  /** Leave the temporary files with output in place when the session ends; false if absent. */
  readonly keepOutput?: boolean | undefined;
  /** How much output is kept; 2,000 lines, 50,000 bytes and files of 1 GiB if absent. */
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
 * Runs commands of the system's shell and owns every process they start. A process that a command
 * leaves in the background (`npm start &`) keeps running for later commands. All of them are killed
 * when the session is disposed of, or when this process ends in whatever way.
 *
 * Commands may run at the same time. Needs `--allow-run=bash` (`sh` where there is no bash), better
 * also `python3` and `bwrap`; `--allow-env` to pass the environment on; `--allow-read` and
 * `--allow-write` for temporary files when output is long or a command stays in the background, and
 * for the private /tmp of a sandbox.
 *
 * The design `marks` may miss a process that forks faster than it can be found; the result then
 * says that survivors are unknown. No design kills what another service starts for a command
 * (`systemd-run`, `docker run -d`, `at`).
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
  readonly #options: CommandSessionOptions;
  readonly #folders: SessionFolders;
  readonly #sandbox: Sandbox;
  readonly #limits: OutputLimits;
  readonly #runs = new Set<{ kill(): Promise<Survivors> }>();
  readonly #starting = new Set<Promise<unknown>>();
  readonly #end = new AbortController();
  readonly #marks: Marks[] = [];
  readonly #starter: TreeStarter;
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
  }

  /** Commands that run, and those that left something in the background. */
  get running(): number {
    return this.#runs.size;
  }

  /**
   * Runs a command line with `bash -c` (`sh -c` where there is no bash), without input. Whatever
   * the command does is in the result, also when it is killed: what it wrote until then is kept.
   *
   * It settles when the shell has ended, and what is in the pipe then was read: a process in the
   * background that holds the pipe delays it by 100 ms at most.
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
    const starting = this.#begin(command, options, signals);
    const { place, run } = await this.#whileStarting(starting);
    const outcome = run === undefined
      ? NEVER_STARTED
      : await run.wait(Math.max(0, timeout - (performance.now() - begin)), signals);
    return {
      ...outcome,
      sandbox: appliedSandbox(this.#sandbox, place.writable),
      killDesign: this.#starter.design,
      duration: performance.now() - begin,
    };
  }

  /**
   * Runs a command line for the person at this process's terminal, in the same sandbox: it has the
   * terminal and gets its keys and Ctrl+C, so that editors and other interactive programs work. There
   * is no time limit, and nothing is kept of its output. This process must not read from the terminal
   * meanwhile, and has to set its modes again afterwards.
   *
   * What it leaves in the background is killed at the end of the session.
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
    const { place, run } = await this.#whileStarting(
      this.#beginAtTerminal(command, options, signal),
    );
    const outcome = run === undefined
      ? { exitCode: null, signal: null, aborted: true, survivors: 0 }
      : await endAtTerminal(run, signal).finally(() => this.#runs.delete(run));
    return {
      ...outcome,
      sandbox: appliedSandbox(this.#sandbox, place.writable),
      duration: performance.now() - begin,
    };
  }

  /**
   * Kills everything that the session's commands started and removes its temporary files. Commands
   * that run settle as aborted.
   *
   * @throws {Error} Processes are left that could not be killed, or (Linux) may be.
   */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#disposed ??= this.#dispose();
  }

  async #dispose(): Promise<void> {
    this.#end.abort(new Error("The session has ended"));
    await Promise.allSettled(this.#starting);
    const left = await Promise.all([...this.#runs].map((run) => run.kill()));
    // Looks once more for commands whose processes seemed to be gone, because marks give no
    // certainty.
    if (this.#marks.length > 0) left.push(await sweep(this.#marks, this.#environment()));
    await this.#folders.remove();
    checkSurvivors(left);
  }

  /** Waits for a start, which the end of the session waits for, too. */
  async #whileStarting<Started>(starting: Promise<Started>): Promise<Started> {
    this.#starting.add(starting);
    return await starting.finally(() => this.#starting.delete(starting));
  }

  async #beginAtTerminal(
    line: string,
    options: TerminalOptions,
    signal: AbortSignal,
  ): Promise<{ place: BwrapPlace; run?: TerminalRun }> {
    try {
      const place = await this.#folders.place(options.cwd);
      if (signal.aborted) return { place };
      const env = {
        ...confinedEnvironment(this.#sandbox, { ...this.#options, attended: true }),
        ...options.env,
      };
      const marks = newMarks();
      const run = await startAtTerminal({ line, place, sandbox: this.#sandbox, env, marks });
      this.#remember(marks);
      this.#runs.add(run);
      return { place, run };
    } catch (error) {
      throw asStartError(error);
    }
  }

  /** Starts a command, unless it has been stopped already. */
  async #begin(
    command: string,
    options: CommandOptions,
    signals: readonly AbortSignal[],
  ): Promise<{ place: BwrapPlace; run?: CommandRun }> {
    const place = await this.#folders.place(options.cwd).catch((error) => {
      throw asStartError(error);
    });
    if (signals.some((signal) => signal.aborted)) return { place };
    const run = new CommandRun(await this.#start(command, place, options), {
      limits: this.#limits,
      outputPath: () => this.#folders.outputPath(),
      onOutput: options.onOutput,
    });
    this.#runs.add(run);
    run.ended.then(() => this.#runs.delete(run));
    return { place, run };
  }

  async #start(command: string, place: BwrapPlace, options: CommandOptions): Promise<Keeper> {
    const env = { ...this.#environment(), ...options.env };
    const keeper = await this.#starter.start(command, place, env, MERGED);
    if (keeper.design === "marks") this.#remember(keeper.marks);
    return keeper;
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

/** Waits until a command at the terminal has ended, or kills it when the signal fires. */
async function endAtTerminal(run: TerminalRun, signal: AbortSignal) {
  let survivors: Promise<Survivors> | undefined;
  const kill = () => void (survivors = run.kill().catch(() => "unknown" as const));
  if (signal.aborted) kill();
  signal.addEventListener("abort", kill, { once: true });
  const exitCode = await run.status.finally(() => signal.removeEventListener("abort", kill));
  return survivors === undefined
    ? { exitCode, signal: signalOf(exitCode), aborted: false, survivors: 0 }
    : { exitCode: null, signal: null, aborted: true, survivors: await survivors };
}

/** Commands of a session have no input and one output. */
const MERGED = { stdin: "null", stderr: "merge", duplex: false } as const;

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
