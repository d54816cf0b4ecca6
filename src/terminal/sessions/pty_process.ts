import { isRecord, messageOf } from "../../base/mod.ts";
import type { Survivors } from "../../ports/mod.ts";
import { type PipedProcess, processHost, pythonProgram, startPiped } from "../../sys/mod.ts";
import { bwrapArguments, type BwrapPlace } from "../_bwrap.ts";
import { type Marks, newMarks, sweep } from "../_marks.ts";
import { settles } from "../_settles.ts";
import { CommandStartError } from "../command_start_error.ts";
import type { Sandbox } from "../sandbox.ts";
import { KEEPER_TREE } from "../keepers/keepers.ts";
import { readFacts, type TerminalFacts } from "./facts.ts";
import keeper from "./pty_keeper.py" with { type: "text" };

/** A program to run on a terminal. */
export interface PtyOptions {
  /** The program, its path absolute, and its arguments. */
  readonly argv: readonly string[];
  /** The environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  /** The environment of the programs that start, confine and kill it. */
  readonly keeperEnv: Readonly<Record<string, string>>;
  /** Its folders in the sandbox. */
  readonly place: BwrapPlace;
  /** The sandbox that confines it. */
  readonly sandbox: Sandbox;
  readonly columns: number;
  readonly rows: number;
}

/** The end of a program on a terminal. */
export interface PtyEnd {
  /** The exit status of the program, 128 + n for signal n; `null` if it was killed. */
  readonly exitCode: number | null;
  /** Processes that could not be killed. */
  readonly survivors: Survivors;
}

/** Most UTF-16 units to keep of lines that are not reports. */
const MOST_SAID = 10_000;
/**
 * Milliseconds that the keeper may take to kill everything, after those that it gives the program.
 */
const KILL_TIME = 8000;
/** Most bytes of output to read at a time. */
const BLOCK = 64 * 1024;

/**
 * A program on a terminal of its own, with everything that it starts. All of it is killed when the
 * program ends, by `stop()`, and when this process ends, however it ends.
 */
export class PtyProcess {
  /** The process id of the program, in its own PID namespace; `null` in a sandbox. */
  readonly pid: number | null;
  /** The process id of the program as in {@linkcode TerminalFacts}. */
  readonly innerPid: number;
  readonly #output: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Settles when no process of it is left and all output was passed on. Never rejects. */
  readonly ended: Promise<PtyEnd>;
  readonly #process: PipedProcess;
  readonly #reports: Reports;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  #asked = 0;
  #stopped: Promise<PtyEnd> | undefined;

  private constructor(
    process: PipedProcess,
    reports: Reports,
    writer: WritableStreamDefaultWriter<Uint8Array>,
    options: PtyOptions,
    marks: Marks,
    pid: number,
  ) {
    this.#process = process;
    this.#reports = reports;
    this.#writer = writer;
    this.#output = process.stdout;
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
    // The script is passed in a variable, so that process lists don't show it. Its parts are
    // compiled one by one, which leaves less memory in use.
    const line =
      'import os\nfor part in os.environ.pop("LLMCMD_KEEPER").split("\\n\\n\\n"): exec(part)';
    const python = [pythonProgram(), "-I", "-S", "-c", line];
    const [program = "", ...args] = sandbox.kind === "bwrap"
      ? ["bwrap", ...bwrapArguments(sandbox, place), ...python]
      : python;
    const env = {
      ...options.keeperEnv,
      LLMCMD_RUN_ID: marker,
      LLMCMD_KEEPER: `${KEEPER_TREE}\n\n${keeper}`,
    };
    const process = startPiped({ program, args, cwd: place.cwd, env });
    const reports = new Reports(process.stderr);
    const writer = process.stdin.getWriter();
    const { argv, columns, rows } = options;
    const variables = Object.entries({ ...options.env, LLMCMD_RUN_ID: marker });
    const first = [
      ...[
        encodedTexts(argv),
        encodedTexts(variables.map((it) => it.join("="))),
        encodedText(place.cwd),
      ],
      ...[columns, rows, marks.mark],
    ];
    await writer.write(lineOf(first)).catch(() => {});
    const begun = await reports.begun;
    if (typeof begun === "number") {
      return new PtyProcess(process, reports, writer, options, marks, begun);
    }
    await writer.close().catch(() => {});
    process.kill();
    await process.stdout.cancel().catch(() => {});
    await reports.done;
    const [why = ""] = (begun ?? reports.said).trim().split("\n").slice(-1);
    throw new CommandStartError(
      begun === undefined
        ? `Cannot start a terminal: ${why.replace(/^bwrap: /, "") || "its helper ended at once"}`
        : `Cannot start ${argv[0] ?? "the program"} in ${place.cwd}: ${why}`,
    );
  }

  /**
   * The output of the terminal, to its end; call it once. A chunk is valid until the next one is
   * asked for. A reader that stops blocks the program (back-pressure).
   */
  async *output(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const reader = this.#output.getReader({ mode: "byob" });
    let buffer = new Uint8Array(BLOCK);
    try {
      for (;;) {
        const { value, done } = await reader.read(buffer);
        if (done) return;
        yield value;
        buffer = new Uint8Array(value.buffer);
      }
    } finally {
      await reader.cancel().catch(() => {});
    }
  }

  /**
   * Types bytes. Resolves when the keeper has them; the program may read them later.
   *
   * Rejects when the program has ended.
   */
  async write(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    await this.#order("write", base64(bytes));
  }

  /** Changes the size of the terminal. */
  async resize(columns: number, rows: number): Promise<void> {
    await this.#order("size", columns, rows);
  }

  /** The facts as of now; `undefined` when the program has ended. */
  async facts(): Promise<TerminalFacts | undefined> {
    const id = ++this.#asked;
    const answer = this.#reports.answerTo(id);
    this.#order("facts", id).catch(() => this.#reports.forget(id));
    return await answer;
  }

  /** Ends it: with SIGHUP and SIGTERM, and SIGKILL 2 s later; with `force` SIGKILL at once. */
  stop(force: boolean): Promise<PtyEnd> {
    if (force || this.#stopped === undefined) this.#stopped = this.#stop(force);
    return this.#stopped;
  }

  async #stop(force: boolean): Promise<PtyEnd> {
    this.#order("stop", force ? 1 : 0).catch(() => {});
    if (!await settles(this.ended, KILL_TIME + (force ? 0 : 2000))) {
      await this.#writer.close().catch(() => {});
      this.#process.kill();
    }
    return await this.ended;
  }

  async #order(...words: readonly (string | number)[]): Promise<void> {
    await this.#writer.write(lineOf(words));
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

/** Reports of the keeper. */
class Reports {
  /**
   * The process id of the program, the reason why it did not start, or `undefined` if the keeper
   * has ended.
   */
  readonly begun: Promise<number | string | undefined>;
  /** Settles at the end of the reports. */
  readonly done: Promise<void>;
  exitCode: number | null = null;
  survivors: Survivors | undefined;
  /** Lines that are not reports. */
  said = "";
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
        for (const line of lines) this.#takeLine(line);
      }
    } catch {
      // A broken connection counts as its end.
    }
    this.said += rest;
    this.#over = true;
    this.#begin(undefined);
    for (const id of [...this.#answers.keys()]) this.forget(id);
  }

  #takeLine(line: string): void {
    if (line.startsWith("{")) this.#take(JSON.parse(line));
    else if (this.said.length < MOST_SAID) this.said += `${line}\n`;
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

function lineOf(words: readonly (string | number)[]): Uint8Array {
  return new TextEncoder().encode(`${words.join(" ")}\n`);
}

function encodedText(text: string): string {
  return base64(new TextEncoder().encode(text));
}

function encodedTexts(list: readonly string[]): string {
  return encodedText(list.map((text) => `${text}\0`).join(""));
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return btoa(text);
}

/** True if this system can have terminal sessions. */
export function ptySystem(): boolean {
  return processHost().os === "linux";
}
