import {
  type HostProcess,
  PermissionError,
  processHost,
  ProgramMissingError,
  startProcess,
} from "../sys/mod.ts";
import { bwrapArguments, type BwrapPlace } from "./_bwrap.ts";
import { ControlLines, survivorsOf } from "./_control.ts";
import { plainShell, runShell } from "./_run_shell.ts";
import type { KillDesign, Survivors } from "./command.ts";
import { CommandStartError } from "./command_start_error.ts";
import { newRunId } from "./environment.ts";
import {
  MARKS_KEEPER,
  MARKS_SWEEP,
  NAMESPACE_KEEPER,
  SUBREAPER_KEEPER,
} from "./keepers/keepers.ts";
import type { Sandbox } from "./sandbox.ts";

/** What a keeper is to run. */
export interface KeptCommand {
  /** The shell that runs the command, such as `bash`. */
  readonly shell: string;
  /** The command line. */
  readonly command: string;
  /** The folder to run it in, absolute. */
  readonly place: BwrapPlace;
  /** Its environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** Milliseconds that a keeper may take to kill everything. */
const KILL_TIME = 8000;

/**
 * A helper process that starts one command and answers for everything the command starts: it
 * outlives the command as long as anything of it is left, and when its standard input ends, also
 * because this process died, it kills it all.
 */
export class Keeper {
  readonly design: KillDesign;
  readonly control: ControlLines;
  readonly marks: Marks;
  readonly output: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Settles when the helper has ended, and all that it reported was read. */
  readonly ended: Promise<void>;
  readonly #process: HostProcess;
  readonly #env: Readonly<Record<string, string>>;
  #killed: Promise<Survivors> | undefined;

  private constructor(
    design: KillDesign,
    process: HostProcess,
    marks: Marks,
    env: KeptCommand["env"],
  ) {
    this.design = design;
    this.#process = process;
    this.marks = marks;
    this.#env = env;
    this.output = process.stdout;
    this.control = new ControlLines(process.stderr);
    this.ended = Promise.all([process.status, this.control.done]).then(() => {});
  }

  /** Starts a command under the given design. */
  static start(design: KillDesign, sandbox: Sandbox, kept: KeptCommand): Keeper {
    const { id, marker } = newRunId();
    const marks = { id, mark: newMark() };
    const args = [kept.shell, kept.command, marker, marks.mark];
    const start = (program: string, before: readonly string[]) =>
      new Keeper(
        design,
        startProcess({
          program,
          args: [...before, ...args],
          cwd: kept.place.cwd,
          env: kept.env,
        }),
        marks,
        kept.env,
      );
    if (design === "subreaper") return start("python3", ["-I", "-S", "-c", SUBREAPER_KEEPER]);
    const script = design === "namespace" ? NAMESPACE_KEEPER : MARKS_KEEPER;
    const shell = [...plainShell(kept.shell), "-c", script, "llmcmd-keeper"];
    if (design === "marks") return start(kept.shell, shell);
    if (sandbox.kind !== "bwrap") {
      throw new CommandStartError("Cannot kill by a namespace: there is no sandbox");
    }
    return start("bwrap", [...bwrapArguments(sandbox, kept.place), kept.shell, ...shell]);
  }

  /**
   * Kills everything that the command started. Gives the number of processes that are left, as far
   * as that can be known.
   */
  kill(): Promise<Survivors> {
    return this.#killed ??= this.#kill();
  }

  async #kill(): Promise<Survivors> {
    await this.#process.closeStdin();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => timer = setTimeout(resolve, KILL_TIME));
    await Promise.race([this.ended, late]);
    clearTimeout(timer);
    this.#process.kill();
    await this.#process.status;
    // Where it was late, something else may hold its standard error.
    await this.control.close();
    if (this.control.survivors !== undefined) return this.control.survivors;
    return await this.#afterLoss();
  }

  /**
   * Kills what a keeper left that ended without a report, as the command killed it. A namespace
   * ends with its keeper.
   */
  async #afterLoss(): Promise<Survivors> {
    if (this.design === "namespace" || (await this.control.exit)?.left === false) return 0;
    return await sweep([this.marks], this.#env);
  }
}

/**
 * Kills all processes that carry one of the marks, whoever's children they are now. Gives the
 * number of those that are left, as far as that can be known.
 */
export async function sweep(
  marks: readonly Marks[],
  env: Readonly<Record<string, string>>,
): Promise<Survivors> {
  const join = (values: string[]) => values.filter((value) => value !== "").join("|");
  const values = [join(marks.map(({ id }) => id)), join(marks.map(({ mark }) => mark))];
  const { stderr } = await runShell(MARKS_SWEEP, ["llmcmd-keeper", "-", "-", ...values], env);
  return survivorsOf(/^dead (\w+)$/m.exec(stderr)?.[1]);
}

/** What tells the processes of one command from all others. */
export interface Marks {
  /** The last part of `LLMCMD_RUN_ID`. */
  readonly id: string;
  /** The limit on bytes of resident memory; empty where there is none. */
  readonly mark: string;
}

/**
 * A limit on resident memory that nobody else has. Linux does not enforce it, and those programs
 * that look at it (`sort`) see more memory than there is: at least 4 PiB.
 */
function newMark(): string {
  if (processHost().os !== "linux") return "";
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return String(2 ** 52 + ((high % 2 ** 9) * 2 ** 32 + low) * 1024);
}

/** Whether an error says that a helper can't be had, so that the next design is to be tried. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof PermissionError || error instanceof ProgramMissingError;
}
