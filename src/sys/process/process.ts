import type { ChildProcess } from "node:child_process";
import { type Duplex, duplexOf, readableOf, writableOf } from "./_socket_streams.ts";
import { denoProgram } from "./process_host.ts";
import { denoCommand, type ProgramOptions, requireRun, startError } from "./_start_error.ts";

export { type Duplex } from "./_socket_streams.ts";
export { mayRun, ProgramMissingError, type ProgramOptions } from "./_start_error.ts";

/** What to start, and how it is connected. */
export interface ProcessOptions extends ProgramOptions {
  /**
   * Whether its standard input is a pipe from this process, empty, or this process's own; empty if
   * absent.
   */
  readonly stdin?: "null" | "pipe" | "inherit" | undefined;
  /** Whether its standard output and error are pipes, or this process's own; pipes if absent. */
  readonly outputs?: "pipe" | "inherit" | undefined;
  /**
   * Whether it gets this process's own standard descriptors, and stays in its session and process
   * group: so the terminal is its own, and Ctrl+C reaches both. False if absent.
   */
  readonly terminal?: boolean | undefined;
  /**
   * How many of its descriptors, from 3 on, are sockets to this process; none if absent. Where
   * there are some, `DENO_EXTRA_STDIO_FDS` is in its environment besides `env`.
   */
  readonly duplexes?: number | undefined;
}

/** A started process. Read its outputs to their end, cancel them, or release it. */
export interface HostProcess {
  /** Its process id. */
  readonly pid: number;
  /** Its standard input, a pipe. Where there is none, this is closed from the start. */
  readonly stdin: WritableStream<Uint8Array>;
  /** Its standard output, a pipe. Where it has this process's own, this and the next are empty. */
  readonly stdout: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Its standard error, a pipe. */
  readonly stderr: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** The sockets on its descriptors from 3 on. */
  readonly duplexes: readonly Duplex[];
  /** Settles with its exit code, 128 + n for signal n, when it has ended. */
  readonly status: Promise<number>;
  /** Closes standard input at once, whoever has locked its stream; writes that wait reject. */
  closeStdin(): void;
  /** Kills this one process with SIGKILL, if it is still there. Needs no permission. */
  kill(): void;
  /**
   * Closes this process's ends of all pipes and sockets. What was not read by then is lost, and
   * reading it is an error.
   */
  release(): void;
}

/**
 * Starts a program in a session of its own, without a controlling terminal: it cannot read the
 * user's keys, and the terminal's Ctrl+C does not reach it, unless `terminal` is set. Needs
 * `--allow-run=PROGRAM`, and never asks for it.
 *
 * Its standard input is closed when it has ended. Its outputs end when no process holds them any
 * more.
 *
 * @throws {ProgramMissingError} There is no such program.
 * @throws {PermissionError} `--allow-run` doesn't cover it.
 * @throws {FileError} The folder is missing or is none, the arguments are too long, or the system
 * refuses.
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
  // `Deno.Command` connects the standard descriptors only. These are imported where they are used,
  // because they take 10 ms with the first start.
  const { ChildProcess } = await import("node:child_process");
  const { Socket } = await import("node:net");
  const child = new ChildProcess();
  const started = new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    // It stays: an error without a listener would end this process.
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
 * The same argument. Where it is the path of Deno itself, the runtime would add `-A` to what comes
 * after it, whatever program is started (denoland/deno#35443); it does not know the path by another
 * spelling.
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

/** What is closed already. */
function closedSink(): WritableStream<Uint8Array> {
  const sink = new WritableStream<Uint8Array>();
  void sink.close();
  return sink;
}

/** What has ended already. */
function emptySource(): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({ start: (controller) => controller.close() });
}

/** What starts the process; Node's types leave it out. */
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
 * Why a program did not start. Node's code for a missing program is that for a missing folder, too,
 * so that `Deno.Command` is asked: it fails alike, and says which. Should it not fail, what it has
 * started without arguments is killed.
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
