import { messageOf } from "../base/mod.ts";
import { FileError, PermissionError, permissionError, reasonOf } from "./errors.ts";

/** What to start. */
export interface ProcessOptions {
  /** The program: a name to look up on the PATH, or a path. */
  readonly program: string;
  /** Its arguments, without the program itself. */
  readonly args: readonly string[];
  /** The folder to start it in; the current one if absent. */
  readonly cwd?: string | undefined;
  /** The whole environment: nothing of this process's environment is added. */
  readonly env: Readonly<Record<string, string>>;
}

/** A started process. Its three standard streams are pipes to this process. */
export interface HostProcess {
  /** Its process id. */
  readonly pid: number;
  /** What it writes on standard output. Read it to its end or cancel it. */
  readonly stdout: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** What it writes on standard error. Read it to its end or cancel it. */
  readonly stderr: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Settles with its exit code, 128 + n for signal n, when it has ended. */
  readonly status: Promise<number>;
  /** Ends its standard input. Never rejects. */
  closeStdin(): Promise<void>;
  /** Kills this one process with SIGKILL, if it is still there. Needs no permission. */
  kill(): void;
}

/** The program is not installed, or not on the PATH. */
export class ProgramMissingError extends Error {
  /** The error's name. */
  override readonly name = "ProgramMissingError";
  /** The program that was looked for. */
  readonly program: string;

  /** Makes the error. */
  constructor(program: string, cause?: unknown) {
    super(`Cannot start ${program}: it is not installed or not on the PATH`, { cause });
    this.program = program;
  }
}

/** Whether this process may start a program without a permission prompt. */
export function mayRun(program: string): boolean {
  return Deno.permissions.querySync({ name: "run", command: program }).state === "granted";
}

/**
 * Starts a program in a session of its own, without a controlling terminal: it cannot read the
 * user's keys, and the terminal's Ctrl+C does not reach it. Needs `--allow-run=PROGRAM`, and never
 * asks for it.
 *
 * @throws {ProgramMissingError} There is no such program.
 * @throws {PermissionError} `--allow-run` doesn't cover it.
 * @throws {FileError} The folder is missing or is none, the arguments are too long, or the system
 * refuses.
 */
export function startProcess(options: ProcessOptions): HostProcess {
  const { program } = options;
  if (!mayRun(program)) throw new PermissionError(`start ${program}`, `--allow-run=${program}`);
  let child: Deno.ChildProcess;
  try {
    child = new Deno.Command(program, {
      args: [...options.args],
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      clearEnv: true,
      env: { ...options.env },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      detached: true,
    }).spawn();
  } catch (error) {
    throw startError(program, options.cwd, error);
  }
  const closeStdin = async () => {
    try {
      await child.stdin.close();
    } catch {
      // It was closed before, or its reader has gone; either way it is closed now.
    }
  };
  return {
    pid: child.pid,
    stdout: child.stdout,
    stderr: child.stderr,
    status: child.status.then(async ({ code }) => {
      await closeStdin();
      return code;
    }),
    closeStdin,
    kill() {
      try {
        child.kill("SIGKILL");
      } catch {
        // It has ended.
      }
    },
  };
}

/** Why a program did not start, in words. */
function startError(program: string, cwd: string | undefined, error: unknown): Error {
  const action = `start ${program}`;
  if (error instanceof Deno.errors.NotCapable) return permissionError(action, error);
  const message = messageOf(error);
  if (cwd !== undefined && message.includes("No such cwd")) {
    return new FileError(action, cwd, `there is no folder ${cwd}`, error);
  }
  if (cwd !== undefined && message.includes("cwd is not a directory")) {
    return new FileError(action, cwd, `${cwd} is not a folder`, error);
  }
  if (message.includes("os error 7")) {
    return new FileError(
      action,
      program,
      "its arguments and environment are longer than the system allows",
      error,
    );
  }
  if (error instanceof Deno.errors.NotFound) return new ProgramMissingError(program, error);
  return new FileError(action, program, reasonOf(error), error);
}
