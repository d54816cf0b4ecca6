import type { ChildProcess } from "node:child_process";
import { type Duplex, duplexOf, readableOf, writableOf } from "./_socket_streams.ts";
import { denoProgram } from "./process_host.ts";
import { denoCommand, type ProgramOptions, requireRun, startError } from "./_start_error.ts";

export { type Duplex } from "./_socket_streams.ts";
export { mayRun, ProgramMissingError, type ProgramOptions } from "./_start_error.ts";

/** A program to start, and the connections of its descriptors. */
export interface ProcessOptions extends ProgramOptions {
  /** Standard input: a pipe from this process, empty, or this process's own; empty if absent. */
  readonly stdin?: "null" | "pipe" | "inherit" | undefined;
  /** Standard output and error: pipes, or this process's own; pipes if absent. */
  readonly outputs?: "pipe" | "inherit" | undefined;
  /**
   * True to give it this process's standard descriptors, session and process group: both use the
   * same terminal, and Ctrl+C reaches both. False if absent.
   */
  readonly terminal?: boolean | undefined;
  /**
   * Number of its descriptors, from 3 on, that are sockets to this process; 0 if absent. If there
   * are any, its environment also has `DENO_EXTRA_STDIO_FDS`.
   */
  readonly duplexes?: number | undefined;
}

/** A started process. Read its outputs to their end, cancel them, or release it. */
export interface HostProcess {
  /** Its process id. */
  readonly pid: number;
  /** Its standard input if that is a pipe; otherwise closed from the start. */
  readonly stdin: WritableStream<Uint8Array>;
  /** Its standard output if that is a pipe; otherwise empty. */
  readonly stdout: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Its standard error if that is a pipe; otherwise empty. */
  readonly stderr: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** The sockets on its descriptors from 3 on. */
  readonly duplexes: readonly Duplex[];
  /** Settles with its exit code, 128 + n for signal n, when it has ended. */
  readonly status: Promise<number>;
  /** Closes standard input at once, even if its stream is locked; pending writes reject. */
  closeStdin(): void;
  /** Kills this one process with SIGKILL, if it still runs. Needs no permission. */
  kill(): void;
  /**
   * Closes this process's ends of all pipes and sockets. Unread output is lost, and reading it is
   * an error.
   */
  release(): void;
}

/**
 * Starts a program in a session of its own, without a controlling terminal: it cannot read the
 * user's keys, and the terminal's Ctrl+C does not reach it, unless `terminal` is set. Needs
 * `--allow-run=PROGRAM`; there is no prompt for it.
 *
 * Its standard input is closed when it has ended. Its outputs end when no process has them open any
 * more.
 *
 * @throws {ProgramMissingError} There is no such program.
 * @throws {PermissionError} `--allow-run` doesn't cover it.
 * @throws {FileError} The folder is missing or not a folder, the arguments are too long, or the
 * system refuses.
 * @throws {TypeError} The program is Deno: it would get all permissions (denoland/deno#35443).
 */
export async function startProcess(options: ProcessOptions): Promise<HostProcess> {
  const { program, duplexes = 0, terminal = false } = options;
  const stdin = terminal ? "inherit" : options.stdin ?? "null";
  const given = terminal ? "inherit" : options.outputs ?? "pipe";
  requireRun(program);
  if (/(^|\/)deno$/.test(program)) {
    throw new TypeError(`Cannot start ${program} directly: start it by a shell or another program`);
  }
  // `Deno.Command` connects the standard descriptors only. These modules are imported here, because
  // loading them takes 10 ms.
  const { ChildProcess } = await import("node:child_process");
  const { Socket } = await import("node:net");
  const child = new ChildProcess();
  const started = new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    // Never removed: an error without a listener would end this process.
    child.on("error", reject);
  });
  const status = exitCode(child);
  // The function `spawn()` would ask for `--allow-env=NODE_V8_COVERAGE`.
  if (!canSpawn(child)) throw new Error("This version of Deno has no ChildProcess.spawn()");
  child.spawn({
    file: program,
    args: [program, ...options.args.map(spelledOtherwise)],
    cwd: options.cwd,
    envPairs: Object.entries(options.env).map(([name, value]) => `${name}=${value}`),
    detached: !terminal,
    stdio: [
      stdin === "null" ? "ignore" : stdin,
      ...[given, given],
      ...Array<"pipe">(duplexes).fill("pipe"),
    ],
  });
  try {
    await started;
  } catch (error) {
    throw await whyNotStarted(options, error);
  }
  const sockets = child.stdio.filter((stream) => stream instanceof Socket);
  const input = stdin === "pipe" ? sockets[0] : undefined;
  const outputs = sockets.slice(stdin === "pipe" ? 1 : 0);
  const [stdout, stderr] = given === "inherit" ? [] : outputs.splice(0, 2);
  if (given === "pipe" && stderr === undefined || outputs.length !== duplexes) {
    throw new Error(`Cannot connect ${program}: the runtime made no sockets`);
  }
  return {
    pid: child.pid ?? 0,
    stdin: input === undefined ? closedSink() : writableOf(input, "standard input of a process"),
    stdout: stdout === undefined ? emptySource() : readableOf(stdout),
    stderr: stderr === undefined ? emptySource() : readableOf(stderr),
    duplexes: outputs.map((socket, at) => duplexOf(socket, `descriptor ${3 + at} of a process`)),
    status,
    closeStdin: () => void input?.destroy(),
    kill: () => void child.kill("SIGKILL"),
    release() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/**
 * Spells an argument that is the path of Deno itself differently. After that exact path the runtime
 * would add `-A`, whatever program is started (denoland/deno#35443).
 */
function spelledOtherwise(argument: string): string {
  return argument.startsWith("/") && argument === denoProgram()
    ? argument.replace(/\/(?=[^/]*$)/, "//")
    : argument;
}

/** The exit code of a process, once it has ended. */
function exitCode(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once("exit", async (code, signal) => {
      if (code !== null || signal === null) return resolve(code ?? 0);
      const { constants } = await import("node:os");
      resolve(128 + constants.signals[signal]);
    });
  });
}

/** A stream that is already closed. */
function closedSink(): WritableStream<Uint8Array> {
  const sink = new WritableStream<Uint8Array>();
  void sink.close();
  return sink;
}

/** A stream that has already ended. */
function emptySource(): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({ start: (controller) => controller.close() });
}

/** The method that starts the process, which Node's types leave out. */
interface Spawning {
  spawn(options: {
    readonly file: string;
    readonly args: readonly string[];
    readonly cwd: string | undefined;
    readonly envPairs: readonly string[];
    readonly detached: boolean;
    readonly stdio: readonly ("pipe" | "ignore" | "inherit")[];
  }): void;
}

function canSpawn(child: ChildProcess): child is ChildProcess & Spawning {
  return "spawn" in child && typeof child.spawn === "function";
}

/**
 * The error for a program that did not start. Node has one code for a missing program and a missing
 * folder, so `Deno.Command` tries, too: its error says which is missing. If it succeeds instead,
 * the process, which has no arguments, is killed.
 */
async function whyNotStarted(options: ProgramOptions, error: unknown): Promise<Error> {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "ENOENT" && code !== "EACCES") return startError(options, error);
  try {
    const child = denoCommand({ ...options, args: [] }, "null").spawn();
    child.kill("SIGKILL");
    await child.status;
  } catch (denoError) {
    return startError(options, denoError);
  }
  return startError(options, error);
}
