import { quotedWord } from "../base/mod.ts";
import type { Survivors } from "../ports/mod.ts";
import {
  type Duplex,
  type HostProcess,
  pythonProgram,
  runProgram,
  startProcess,
} from "../sys/mod.ts";
import { bwrapArguments, type BwrapPlace } from "./_bwrap.ts";
import { ControlLines, tailOf } from "./_control.ts";
import { type Marks, newMarks, sweep, sweptCount } from "./_marks.ts";
import type { NamespaceHolder } from "./_namespace_holder.ts";
import { plainShell } from "./_run_shell.ts";
import { settles } from "./_settles.ts";
import { type KillDesign, signalOf } from "./command.ts";
import { CommandStartError } from "./command_start_error.ts";
import {
  KEEPER_LINE,
  MARKS_KEEPER,
  NAMESPACE_KEEPER,
  SHARED_KEEPER,
  SHARED_SWEEP,
  SUBREAPER_KEEPER,
} from "./keepers/keepers.ts";
import type { TreeStatus } from "./process_tree.ts";
import type { Sandbox } from "./sandbox.ts";

/** Connections of a command's descriptors. */
export interface Connections {
  /** Standard input: a pipe, empty, or this process's own. */
  readonly stdin: "null" | "pipe" | "inherit";
  /** Standard output and error: pipes, or this process's own. */
  readonly outputs?: "pipe" | "inherit" | undefined;
  /** Standard error: a pipe of its own, or merged into standard output. */
  readonly stderr: "pipe" | "merge";
  /** True if its descriptor 3 is a socket. */
  readonly duplex: boolean;
}

/** A command for a keeper to run. */
export interface KeptCommand extends Connections {
  /** The program and its arguments. */
  readonly words: readonly string[];
  /** The shell for those keepers that are written in shell language. */
  readonly shell: string;
  /** Its folders. */
  readonly place: BwrapPlace;
  /** Its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The holder whose namespaces it joins; it gets its own namespaces if absent. */
  readonly holder?: NamespaceHolder | undefined;
}

/** Arguments of a shell that runs a keeper's program; the keeper's own arguments follow. */
const RUN_KEEPER = ["-c", KEEPER_LINE, "llmcmd-keeper"] as const;

/** Most characters of a command that is passed in a variable; Linux's limit is 128 KiB. */
const MOST_QUOTED = 30_000;

/** Milliseconds that a keeper may take to kill everything. */
const KILL_TIME = 8000;

/**
 * A helper process that starts one command and kills everything that the command starts. It runs as
 * long as any process of the command is left. When the socket on its descriptor 3 ends, also
 * because this process died, it kills them all.
 */
export class Keeper {
  readonly design: KillDesign;
  readonly control: ControlLines;
  readonly marks: Marks;
  readonly stdin: WritableStream<Uint8Array>;
  readonly stdout: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Empty if it is merged with standard output. */
  readonly stderr: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly duplex: Duplex | undefined;
  /** Settles when the helper has ended and all its reports were read. */
  readonly ended: Promise<void>;
  readonly #process: HostProcess;
  readonly #sandbox: Sandbox;
  readonly #kept: KeptCommand;
  /** The helper's own standard error, if the command does not use it. */
  readonly #said: Promise<string> | undefined;
  #status: Promise<TreeStatus> | undefined;
  #killed: Promise<Survivors> | undefined;

  private constructor(
    design: KillDesign,
    process: HostProcess,
    marks: Marks,
    sandbox: Sandbox,
    kept: KeptCommand,
  ) {
    const [control, duplex] = process.duplexes;
    if (control === undefined) throw new Error("A keeper needs a socket");
    this.design = design;
    this.#process = process;
    this.marks = marks;
    this.#sandbox = sandbox;
    this.#kept = kept;
    this.stdin = process.stdin;
    this.stdout = process.stdout;
    this.#said = kept.stderr === "merge" ? tailOf(process.stderr) : undefined;
    this.stderr = kept.stderr === "merge" ? emptySource() : process.stderr;
    this.duplex = duplex;
    this.control = new ControlLines(control);
    this.ended = Promise.all([process.status, this.control.done]).then(() => {});
    // Background processes of the command, or bwrap, may hold the other end.
    this.control.exit.then(() => process.closeStdin());
  }

  /** Starts a command with the given design. */
  static async start(design: KillDesign, sandbox: Sandbox, kept: KeptCommand): Promise<Keeper> {
    const { marker, ...marks } = newMarks();
    const { words: [program = "", ...before], script } = helper(design, sandbox, kept, marks.id);
    const errors = kept.stderr === "merge" ? "merge" : "apart";
    const duplex = kept.duplex ? "duplex" : "-";
    const quoted = kept.words.map(quotedWord).join(" ");
    // Hidden from commands that look for processes by their arguments. Not for the keeper in
    // Python, which reads only its arguments, nor for long commands, because a variable's size is
    // limited.
    const hide = design !== "subreaper" && quoted.length < MOST_QUOTED;
    const process = await startProcess({
      program,
      args: [...before, marker, marks.mark, errors, duplex, ...hide ? [] : kept.words],
      cwd: kept.place.cwd,
      env: { ...kept.env, LLMCMD_KEEPER: script, ...hide ? { LLMCMD_COMMAND: quoted } : {} },
      stdin: kept.stdin,
      outputs: kept.outputs,
      duplexes: kept.duplex ? 2 : 1,
    });
    return new Keeper(design, process, marks, sandbox, kept);
  }

  /** The holder of the namespaces that it has joined. */
  get holder(): NamespaceHolder | undefined {
    return this.#kept.holder;
  }

  /** End of the command; settles when it has ended, or everything was killed. */
  get status(): Promise<TreeStatus> {
    return this.#status ??= this.#untilEnd();
  }

  /** Messages of a helper that did not begin; settles when it has ended. */
  get messages(): Promise<string> {
    return this.#said ?? tailOf(this.stderr);
  }

  /**
   * Kills everything that the command started. Returns the number of processes that are left, or
   * `unknown`.
   */
  kill(): Promise<Survivors> {
    const { holder } = this.#kept;
    const kill = () => this.#kill();
    // In a shared namespace, killing stops all processes for a moment, so one kill runs at a time.
    return this.#killed ??= holder === undefined ? kill() : holder.exclusively(kill);
  }

  /** Closes this process's ends of the command's descriptors: unread output is lost. */
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
    // The helper ended without a report: the command has killed it, so nothing else is known.
    await this.kill();
    return { ...killed, exitCode: 137, signal: signalOf(137) };
  }

  async #kill(): Promise<Survivors> {
    await this.control.end();
    await settles(this.ended, KILL_TIME);
    this.#process.kill();
    await this.#process.status;
    // If the helper was late, another process may hold the other end.
    await this.control.close();
    if (this.control.survivors !== undefined) return this.control.survivors;
    return await this.#afterLoss();
  }

  /**
   * Kills the rest after a keeper has ended without a report, because the command killed it. A
   * namespace of its own ends with its keeper, and a shared one with its holder.
   */
  async #afterLoss(): Promise<Survivors> {
    const { holder, env } = this.#kept;
    // The end of a holder kills its keepers, which may be noticed first.
    const gone = this.design === "namespace" &&
      (holder === undefined || await holder.overWithin(0));
    if (gone || await this.control.beginning !== "ready") return 0;
    if ((await this.control.exit)?.left === false) return 0;
    const swept = holder === undefined ? sweep([this.marks], env) : this.#sweepShared(holder);
    return await swept.catch(() => "unknown" as const);
  }

  async #sweepShared(holder: NamespaceHolder): Promise<Survivors> {
    const { id, mark } = this.marks;
    const inside = insideOf(this.#sandbox, this.#kept, id);
    const [program = "", ...args] = holder.join([...inside, ...RUN_KEEPER, id, mark]);
    const env = { ...this.#kept.env, LLMCMD_KEEPER: SHARED_SWEEP };
    const count = sweptCount((await runProgram({ program, args, env })).stdout);
    return count === "unknown" && await holder.overWithin(1000) ? 0 : count;
  }
}

/**
 * The command line that runs the keeper of a design, without the keeper's arguments. The script is
 * passed in a variable, so that process lists don't show it.
 */
function helper(
  design: KillDesign,
  sandbox: Sandbox,
  kept: KeptCommand,
  id: string,
): { words: string[]; script: string } {
  const { shell, holder } = kept;
  if (design === "subreaper") {
    const line = 'import os; exec(os.environ["LLMCMD_KEEPER"])';
    return { words: [pythonProgram(), "-I", "-S", "-c", line], script: SUBREAPER_KEEPER };
  }
  if (design === "marks") {
    return { words: [shell, ...plainShell(shell), ...RUN_KEEPER], script: MARKS_KEEPER };
  }
  const inside = [...insideOf(sandbox, kept, id), ...RUN_KEEPER];
  return holder === undefined
    ? { words: ["bwrap", ...inside], script: NAMESPACE_KEEPER }
    : { words: holder.join(inside), script: SHARED_KEEPER };
}

/** Arguments of bwrap, up to the shell that runs a script. */
function insideOf(sandbox: Sandbox, { place, shell, holder }: KeptCommand, id: string): string[] {
  if (sandbox.kind !== "bwrap") {
    throw new CommandStartError("Cannot kill by a namespace: there is no sandbox");
  }
  const joins = holder === undefined ? undefined : { id, network: holder.network };
  return [...bwrapArguments(sandbox, place, { joins }), shell, ...plainShell(shell)];
}

/** A stream that has ended. */
function emptySource(): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({ start: (controller) => controller.close() });
}
