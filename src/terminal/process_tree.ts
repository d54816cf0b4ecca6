import type { CommandSandbox, Survivors } from "../ports/mod.ts";
import type { Duplex } from "../sys/mod.ts";
import type { KillDesign } from "./command.ts";

/** End of the command of a {@linkcode ProcessTree}. */
export interface TreeStatus {
  /** Its exit status, 128 + n if signal n ended it. `null` if everything was killed before. */
  readonly exitCode: number | null;
  /** Name of the signal that `exitCode` stands for, such as `SIGSEGV` for 139. */
  readonly signal: string | null;
  /** True if processes that it started were still running then. */
  readonly background: boolean;
}

/**
 * A running command, with everything it starts. Disposing kills it all and drops its unread output.
 */
export interface ProcessTree extends AsyncDisposable {
  /**
   * The command's standard input, if that is a pipe; otherwise closed. Closing it is an end of file
   * there. A write resolves when the system has taken the bytes (back-pressure), and rejects with
   * an error named `BrokenPipe` when the command has ended or closed the pipe.
   */
  readonly stdin: WritableStream<Uint8Array>;
  /**
   * Its standard output, with back-pressure. It ends when no process has it open; background
   * processes of the command may.
   */
  readonly stdout: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Its standard error, likewise; empty when it is merged with standard output. */
  readonly stderr: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** The other end of its descriptor 3, if asked for. */
  readonly duplex: Duplex | undefined;
  /**
   * Settles when the command has ended, or everything was killed; never rejects. Its output may not
   * have been read by then.
   */
  readonly status: Promise<TreeStatus>;
  /** Settles when no process of it is left; never rejects. */
  readonly ended: Promise<void>;
  /** The sandbox that confines it. */
  readonly sandbox: CommandSandbox;
  /** The kill design that is used. */
  readonly killDesign: KillDesign;
  /**
   * Kills everything that is left, background processes too, and returns the number of processes
   * that could not be killed. Output until then can still be read. Never rejects.
   */
  kill(): Promise<Survivors>;
  /**
   * Kills everything that is left and drops unread output.
   *
   * @throws {Error} Processes that could not be killed are left or, on Linux, may be left.
   */
  [Symbol.asyncDispose](): Promise<void>;
}
