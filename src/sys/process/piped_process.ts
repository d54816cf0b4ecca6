import { denoCommand, type ProgramOptions, requireRun, startError } from "./_start_error.ts";

/** A started program whose standard descriptors are pipes to this process. */
export interface PipedProcess {
  /** Its process id. */
  readonly pid: number;
  /** Its standard input. */
  readonly stdin: WritableStream<Uint8Array>;
  /** Its standard output, a byte stream: a BYOB reader reads into a buffer of its own. */
  readonly stdout: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Its standard error. */
  readonly stderr: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Settles with its exit code, 128 + n for signal n, when it has ended. */
  readonly status: Promise<number>;
  /** Kills this one process with SIGKILL, if it still runs. Needs no permission. */
  kill(): void;
}

/**
 * Starts a program with three pipes, in a session of its own and without a controlling terminal.
 * Needs `--allow-run=PROGRAM`; there is no prompt for it. Read its outputs to their end or cancel
 * them.
 *
 * Read a large `stdout` into one buffer, with a BYOB reader: the runtime's other ways of reading
 * leave 64 KiB of garbage with each read.
 *
 * @throws {ProgramMissingError} There is no such program.
 * @throws {PermissionError} `--allow-run` doesn't cover it.
 * @throws {FileError} The folder is missing or not a folder, the arguments are too long, or the
 * system refuses.
 */
export function startPiped(options: ProgramOptions): PipedProcess {
  requireRun(options.program);
  let child: Deno.ChildProcess;
  try {
    child = denoCommand(options, "piped", "piped").spawn();
  } catch (error) {
    throw startError(options, error);
  }
  return {
    pid: child.pid,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    status: child.status.then(({ code }) => code),
    kill() {
      try {
        child.kill("SIGKILL");
      } catch {
        // It has ended.
      }
    },
  };
}
