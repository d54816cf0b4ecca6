import type { CommandSandbox, Survivors } from "../ports/mod.ts";
import type { Duplex } from "../sys/mod.ts";
import type { KillDesign } from "./command.ts";

/** How the command of a {@linkcode ProcessTree} ended. */
export interface TreeStatus {
  /**
   * The status that it ended with: 128 + n when signal n ended it. `null` when everything was
   * killed before.
   */
  readonly exitCode: number | null;
  /** Name of the signal that `exitCode` stands for, such as `SIGSEGV` for 139, as shells read it. */
  readonly signal: string | null;
  /** Whether processes that it started were still running then. */
  readonly background: boolean;
}

/**
 * A command that runs, with everything it starts. Disposing kills it all and drops what was not
 * read of its output.
 */
export interface ProcessTree extends AsyncDisposable {
  /**
   * The command's standard input, a pipe: closing it is an end of file there. A write resolves when
   * the system has taken the bytes, so that a command that does not read holds up its writer, and
   * rejects with an error named `BrokenPipe` when the command has ended or closed the pipe. Where
   * no pipe was asked for, it is closed.
   */
  readonly stdin: WritableStream<Uint8Array>;
  /**
   * Its standard output. A reader that stops holds up the command. It ends when no process has it
   * open: those that the command left in the background may.
   */
  readonly stdout: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Its standard error, likewise; empty when it is merged with standard output. */
  readonly stderr: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** The other end of its descriptor 3, where that was asked for. */
  readonly duplex: Duplex | undefined;
  /**
   * Settles when the command has ended, or everything was killed; never rejects. Its output may not
   * have been read by then.
   */
  readonly status: Promise<TreeStatus>;
  /** Settles when nothing is left of it; never rejects. */
  readonly ended: Promise<void>;
  /** What confines it. */
  readonly sandbox: CommandSandbox;
  /** The kill design that is used. */
  readonly killDesign: KillDesign;
  /**
   * Kills everything that is left, background processes too, and gives the number of processes that
   * could not be killed. What was written until then can still be read. Never rejects.
   */
  kill(): Promise<Survivors>;
  /**
   * Kills everything that is left and drops what was not read.
   *
   * @throws {Error} Processes are left that could not be killed, or (Linux) may be.
   */
  [Symbol.asyncDispose](): Promise<void>;
}
