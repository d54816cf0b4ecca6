import type { Survivors } from "./command.ts";

/** How to run one command whose outputs are kept apart. */
export interface ApartOptions {
  /** The folder to run it in, absolute or relative to the session's; the session's if absent. */
  readonly workingDirectory?: string | undefined;
  /** Folders that it may write to besides those of the session, absolute; for a sandbox. */
  readonly writable?: readonly string[] | undefined;
  /** The shell, absolute; `bash`, or `sh` where there is none, if absent. */
  readonly shell?: string | undefined;
  /**
   * Changes to the session's environment: values to set, `null` to leave a variable out. The command
   * alone sees them, not what starts, confines or kills it, so they may come from somebody who is
   * not trusted. Names are those of shell variables.
   */
  readonly env?: Readonly<Record<string, string | null>> | undefined;
  /** Milliseconds after which it is killed with everything it started. */
  readonly timeout: number;
  /** Most bytes that are kept of each output, a quarter of them of its beginning. */
  readonly maxBytes: number;
  /** Kills it with everything it started. */
  readonly signal: AbortSignal;
  /** Is given both outputs as they come; bytes are lent until it returns. */
  readonly onOutput?: ((chunk: Uint8Array<ArrayBuffer>) => void) | undefined;
}

/** An output as far as it was kept; bytes that are not UTF-8 are replaced. */
export interface KeptOutput {
  /** All of it, or its beginning. */
  readonly head: string;
  /** Its end, where bytes between were dropped; else empty. */
  readonly tail: string;
  /** Bytes of the whole output. */
  readonly bytes: number;
  /** Bytes that were dropped between `head` and `tail`. */
  readonly droppedBytes: number;
}

/** How a command ended whose outputs were kept apart. */
export interface ApartResult {
  /** What it wrote on standard output. */
  readonly stdout: KeptOutput;
  /** What it wrote on standard error. */
  readonly stderr: KeptOutput;
  /** The shell's status, 128 + n for signal n; `null` when the command was killed. */
  readonly exitCode: number | null;
  /** Name of the signal that `exitCode` stands for, such as `SIGSEGV`. */
  readonly signal: string | null;
  /** It ran too long and was killed. */
  readonly timedOut: boolean;
  /** Whether processes that it left in the background still run; their output is dropped. */
  readonly background: boolean;
  /** How many processes could not be killed. */
  readonly survivors: Survivors;
  /** Milliseconds from start to end. */
  readonly duration: number;
}
