import { isRecord, messageOf } from "../../base/mod.ts";
import { type HostProcess, processHost, pythonProgram, startProcess } from "../../sys/mod.ts";
import { bwrapArguments, type BwrapPlace } from "../_bwrap.ts";
import { type Marks, newMarks, sweep } from "../_marks.ts";
import { settles } from "../_settles.ts";
import type { Survivors } from "../command.ts";
import { CommandStartError } from "../command_start_error.ts";
import type { Sandbox } from "../sandbox.ts";
import { KEEPER_TREE } from "../keepers/keepers.ts";
import { readFacts, type TerminalFacts } from "./facts.ts";
import keeper from "./pty_keeper.py" with { type: "text" };

/** What to run on a terminal. */
export interface PtyOptions {
  /** The program, its path absolute, and its arguments. */
  readonly argv: readonly string[];
  /** The environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  /** The environment of what starts, confines and kills it. */
  readonly keeperEnv: Readonly<Record<string, string>>;
  /** Where it runs. */
  readonly place: BwrapPlace;
  /** What confines it. */
  readonly sandbox: Sandbox;
  readonly columns: number;
  readonly rows: number;
}

/** How it was over. */
export interface PtyEnd {
  /** The status of the program, 128 + n for signal n; `null` when it was killed. */
  readonly exitCode: number | null;
  /** Processes that could not be killed. */
  readonly survivors: Survivors;
}

/** Milliseconds that the keeper may take to kill everything, after those it gives the program. */
const KILL_TIME = 8000;

/**
 * A program on a terminal of its own, with everything that it starts: all that is killed when the
 * program ends, by `stop()`, and when this process ends in whatever way.
 */
export class PtyProcess {
  /** The process id of the program, in its own PID namespace; `null` in a sandbox. */
  readonly pid: number | null;
  /** The process id of the program as {@linkcode TerminalFacts} have it. */
  readonly innerPid: number;
  /** What comes from the terminal. A reader that stops holds up the program. */
  readonly output: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Settles when nothing of it is left and all output was passed on. Never rejects. */
  readonly ended: Promise<PtyEnd>;
  readonly #process: HostProcess;
  readonly #reports: Reports;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  #asked = 0;
  #stopped: Promise<PtyEnd> | undefined;

  private constructor(
    process: HostProcess,
    reports: Reports,
    writer: WritableStreamDefaultWriter<Uint8Array>,
    options: PtyOptions,
    marks: Marks,
    pid: number,
  ) {
    this.#process = process;
    this.#reports = reports;
    this.#writer = writer;
    this.output = process.stdout;
    this.pid = options.sandbox.kind === "none" ? pid : null;
    this.innerPid = pid;
    this.ended = this.#untilEnd(marks, options);
  }

  /**
   * Starts a program; it runs when this resolves.
   *
   * @throws {CommandStartError} The folder is missing, the program can't be started, or the sandbox
   * does not work.
   * @throws {ProgramMissingError} There is no python3, or no bwrap.
   * @throws {PermissionError} `--allow-run` does not cover them.
   */
  static async start(options: PtyOptions): Promise<PtyProcess> {
    const { sandbox, place } = options;
    const { marker, ...marks } = newMarks();
    // The script is a variable, so that lists of processes don't show it.
    const line = 'import os; exec(os.environ.pop("LLMCMD_KEEPER"))';
    const python = [pythonProgram(), "-I", "-S", "-c", line];
    const [program = "", ...args] = sandbox.kind === "bwrap"
      ? ["bwrap", ...bwrapArguments(sandbox, place), ...python]
      : python;
    const env = {
      ...options.keeperEnv,
      LLMCMD_RUN_ID: marker,
      LLMCMD_KEEPER: KEEPER_TREE + keeper,
    };
    const process = await startProcess({ program, args, cwd: place.cwd, env, duplexes: 1 });
    const [control] = process.duplexes;
    if (control === undefined) throw new Error("A keeper needs a socket");
    const said = new Response(process.stderr).text().catch(() => "");
    const reports = new Reports(control.readable);
    const writer = control.writable.getWriter();
    const { argv, columns, rows } = options;
    const first = { argv, env: { ...options.env, LLMCMD_RUN_ID: marker }, cwd: place.cwd };
    await writer.write(lineOf({ ...first, mark: marks.mark, columns, rows })).catch(() => {});
    const begun = await reports.begun;
    if (typeof begun === "number") {
      return new PtyProcess(process, reports, writer, options, marks, begun);
    }
    await writer.close().catch(() => {});
    process.kill();
    const [why = ""] = (begun ?? await said).trim().split("\n").slice(-1);
    process.release();
    throw new CommandStartError(
      begun === undefined
        ? `Cannot start a terminal: ${why.replace(/^bwrap: /, "") || "its helper ended at once"}`
        : `Cannot start ${argv[0] ?? "the program"} in ${place.cwd}: ${why}`,
    );
  }

  /**
   * Types. Resolves when the keeper has it; the program reads it when it likes.
   *
   * Rejects when it is over.
   */
  async write(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    await this.#order({ op: "write", data: base64(bytes) });
  }

  /** Changes the size of the terminal. */
  async resize(columns: number, rows: number): Promise<void> {
    await this.#order({ op: "size", columns, rows });
  }

  /** What the system tells now; `undefined` when it is over. */
  async facts(): Promise<TerminalFacts | undefined> {
    const id = ++this.#asked;
    const answer = this.#reports.answerTo(id);
    this.#order({ op: "facts", id }).catch(() => this.#reports.forget(id));
    return await answer;
  }

  /** Ends it: with SIGHUP and SIGTERM, and SIGKILL 2 s later, or at once if `force`. */
  stop(force: boolean): Promise<PtyEnd> {
    if (force || this.#stopped === undefined) this.#stopped = this.#stop(force);
    return this.#stopped;
  }

  async #stop(force: boolean): Promise<PtyEnd> {
    this.#order({ op: "stop", force }).catch(() => {});
    if (!await settles(this.ended, KILL_TIME + (force ? 0 : 2000))) {
      await this.#writer.close().catch(() => {});
      this.#process.kill();
    }
    return await this.ended;
  }

  async #order(order: Record<string, unknown>): Promise<void> {
    await this.#writer.write(lineOf(order));
  }

  async #untilEnd(marks: Marks, options: PtyOptions): Promise<PtyEnd> {
    await Promise.all([this.#process.status, this.#reports.done]);
    await this.#writer.close().catch(() => {});
    const { exitCode, survivors } = this.#reports;
    if (survivors !== undefined) return { exitCode, survivors };
    // The keeper was killed. A namespace ends with it.
    if (options.sandbox.kind === "bwrap") return { exitCode: null, survivors: 0 };
    const left = await sweep([marks], options.keeperEnv)
      .catch(() => "unknown" as const);
    return { exitCode: null, survivors: left };
  }
}

/** What the keeper reports. */
class Reports {
  /** The process id of the program, why there is none, or `undefined` if the keeper has ended. */
  readonly begun: Promise<number | string | undefined>;
  /** Settles at the end of the reports. */
  readonly done: Promise<void>;
  exitCode: number | null = null;
  survivors: Survivors | undefined;
  readonly #answers = new Map<number, (facts: TerminalFacts | undefined) => void>();
  #begin: (begun: number | string | undefined) => void = () => {};
  #over = false;

  constructor(readable: ReadableStream<Uint8Array<ArrayBuffer>>) {
    this.begun = new Promise((resolve) => this.#begin = resolve);
    this.done = this.#read(readable);
  }

  answerTo(id: number): Promise<TerminalFacts | undefined> {
    if (this.#over) return Promise.resolve(undefined);
    return new Promise((resolve) => this.#answers.set(id, resolve));
  }

  forget(id: number): void {
    this.#answers.get(id)?.(undefined);
    this.#answers.delete(id);
  }

  async #read(readable: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    try {
      for await (const chunk of readable) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) this.#take(JSON.parse(line));
      }
    } catch {
      // A broken connection counts as its end.
    }
    this.#over = true;
    this.#begin(undefined);
    for (const id of [...this.#answers.keys()]) this.forget(id);
  }

  #take(report: unknown): void {
    if (!isRecord(report)) return;
    const { event, pid, message, id, code, survivors } = report;
    if (event === "started" && typeof pid === "number") this.#begin(pid);
    else if (event === "failed") this.#begin(messageOf(message));
    else if (event === "exit" && typeof code === "number") this.exitCode = code;
    else if (event === "dead" && typeof survivors === "number") this.survivors = survivors;
    else if (event === "facts" && typeof id === "number") {
      this.#answers.get(id)?.(readFacts(report));
      this.#answers.delete(id);
    }
  }
}

function lineOf(order: Record<string, unknown>): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(order)}\n`);
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return btoa(text);
}

/** Whether terminals can be had on this system at all. */
export function ptySystem(): boolean {
  return processHost().os === "linux";
}
