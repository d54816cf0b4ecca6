import { type Duplex, type HostProcess, processHost, startProcess } from "../sys/mod.ts";
import { bwrapArguments, type BwrapPlace } from "./_bwrap.ts";
import { ControlLines, survivorsOf, tailOf } from "./_control.ts";
import { plainShell, runShell } from "./_run_shell.ts";
import { type KillDesign, signalOf, type Survivors } from "./command.ts";
import { CommandStartError } from "./command_start_error.ts";
import { newRunId } from "./environment.ts";
import {
  MARKS_KEEPER,
  MARKS_SWEEP,
  NAMESPACE_KEEPER,
  SUBREAPER_KEEPER,
} from "./keepers/keepers.ts";
import type { TreeStatus } from "./process_tree.ts";
import type { Sandbox } from "./sandbox.ts";

/** How a command is connected. */
export interface Connections {
  /** Whether its standard input is a pipe, or empty. */
  readonly stdin: "null" | "pipe";
  /** Whether its standard error is a pipe of its own, or goes into that of standard output. */
  readonly stderr: "pipe" | "merge";
  /** Whether its descriptor 3 is a socket. */
  readonly duplex: boolean;
}

/** What a keeper is to run. */
export interface KeptCommand extends Connections {
  /** The program and its arguments. */
  readonly words: readonly string[];
  /** The shell for those keepers that are written in shell language. */
  readonly shell: string;
  /** The folder to run it in, absolute. */
  readonly place: BwrapPlace;
  /** Its environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** Milliseconds that a keeper may take to kill everything. */
const KILL_TIME = 8000;

/**
 * A helper process that starts one command and answers for everything the command starts: it
 * outlives the command as long as anything of it is left, and when the socket on its descriptor 3
 * ends, also because this process died, it kills it all.
 */
export class Keeper {
  readonly design: KillDesign;
  readonly control: ControlLines;
  readonly marks: Marks;
  readonly stdin: WritableStream<Uint8Array>;
  readonly stdout: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Empty where it is merged with standard output. */
  readonly stderr: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly duplex: Duplex | undefined;
  /** Settles when the helper has ended, and all that it reported was read. */
  readonly ended: Promise<void>;
  readonly #process: HostProcess;
  readonly #env: Readonly<Record<string, string>>;
  /** What the helper itself says on its standard error, where that is no command's. */
  readonly #said: Promise<string> | undefined;
  #status: Promise<TreeStatus> | undefined;
  #killed: Promise<Survivors> | undefined;

  private constructor(design: KillDesign, process: HostProcess, marks: Marks, kept: KeptCommand) {
    const [control, duplex] = process.duplexes;
    if (control === undefined) throw new Error("A keeper needs a socket");
    this.design = design;
    this.#process = process;
    this.marks = marks;
    this.#env = kept.env;
    this.stdin = process.stdin;
    this.stdout = process.stdout;
    this.#said = kept.stderr === "merge" ? tailOf(process.stderr) : undefined;
    this.stderr = kept.stderr === "merge" ? emptySource() : process.stderr;
    this.duplex = duplex;
    this.control = new ControlLines(control);
    this.ended = Promise.all([process.status, this.control.done]).then(() => {});
    // What the command left in the background, or bwrap, may hold the other end.
    this.control.exit.then(() => process.closeStdin());
  }

  /** Starts a command under the given design. */
  static async start(design: KillDesign, sandbox: Sandbox, kept: KeptCommand): Promise<Keeper> {
    const { marker, ...marks } = newMarks();
    const [program, before] = helper(design, sandbox, kept);
    const errors = kept.stderr === "merge" ? "merge" : "apart";
    const duplex = kept.duplex ? "duplex" : "-";
    const process = await startProcess({
      program,
      args: [...before, marker, marks.mark, errors, duplex, ...kept.words],
      cwd: kept.place.cwd,
      env: kept.env,
      stdin: kept.stdin,
      duplexes: kept.duplex ? 2 : 1,
    });
    return new Keeper(design, process, marks, kept);
  }

  /** How the command ended; settles as soon as it has, or everything was killed. */
  get status(): Promise<TreeStatus> {
    return this.#status ??= this.#untilEnd();
  }

  /** What a helper that did not begin has said; it ends before that is known. */
  get messages(): Promise<string> {
    return this.#said ?? tailOf(this.stderr);
  }

  /**
   * Kills everything that the command started. Gives the number of processes that are left, as far
   * as that can be known.
   */
  kill(): Promise<Survivors> {
    return this.#killed ??= this.#kill();
  }

  /** Closes this process's ends of the command's descriptors: what was not read is lost. */
  release(): void {
    this.#process.release();
  }

  async #untilEnd(): Promise<TreeStatus> {
    const exit = await this.control.exit;
    if (exit !== undefined) {
      return { exitCode: exit.code, signal: signalOf(exit.code), background: exit.left };
    }
    const killed = { exitCode: null, signal: null, background: false };
    if (this.#killed !== undefined) {
      await this.#killed;
      return killed;
    }
    // The helper ended without reporting anything: the command has killed it, so nothing else is
    // known.
    await this.kill();
    return { ...killed, exitCode: 137, signal: signalOf(137) };
  }

  async #kill(): Promise<Survivors> {
    await this.control.end();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => timer = setTimeout(resolve, KILL_TIME));
    await Promise.race([this.ended, late]);
    clearTimeout(timer);
    this.#process.kill();
    await this.#process.status;
    // Where it was late, something else may hold the other end.
    await this.control.close();
    if (this.control.survivors !== undefined) return this.control.survivors;
    return await this.#afterLoss();
  }

  /**
   * Kills what a keeper left that ended without a report, as the command killed it. A namespace
   * ends with its keeper.
   */
  async #afterLoss(): Promise<Survivors> {
    if (this.design === "namespace" || await this.control.beginning !== "ready") return 0;
    if ((await this.control.exit)?.left === false) return 0;
    return await sweep([this.marks], this.#env).catch(() => "unknown" as const);
  }
}

/** The program that runs a design's keeper, and its arguments before those of the keeper. */
function helper(design: KillDesign, sandbox: Sandbox, kept: KeptCommand): [string, string[]] {
  if (design === "subreaper") return ["python3", ["-I", "-S", "-c", SUBREAPER_KEEPER]];
  const script = design === "namespace" ? NAMESPACE_KEEPER : MARKS_KEEPER;
  const shell = [...plainShell(kept.shell), "-c", script, "llmcmd-keeper"];
  if (design === "marks") return [kept.shell, shell];
  if (sandbox.kind !== "bwrap") {
    throw new CommandStartError("Cannot kill by a namespace: there is no sandbox");
  }
  return ["bwrap", [...bwrapArguments(sandbox, kept.place), kept.shell, ...shell]];
}

/** A stream that has ended. */
function emptySource(): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({ start: (controller) => controller.close() });
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
  const { stdout } = await runShell(MARKS_SWEEP, ["llmcmd-keeper", ...values], env);
  return survivorsOf(/^dead (\w+)$/m.exec(stdout)?.[1]);
}

/** Marks that nobody else has, and the value of `LLMCMD_RUN_ID` that has the id in it. */
export function newMarks(): Marks & { readonly marker: string } {
  return { ...newRunId(), mark: newMark() };
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
