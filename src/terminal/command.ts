import type { CommandOutcome } from "../ports/mod.ts";

/**
 * Ways to find and kill everything that a command started, strongest first:
 *
 * - `namespace`: bubblewrap's own PID namespace, in which one signal reaches all processes at once;
 * - `subreaper`: a helper in Python that stays the ancestor of all these processes (Linux);
 * - `marks`: a helper in shell language that finds processes by a variable of the environment, by a
 *   resource limit that they inherit (Linux), and as descendants.
 */
export type KillDesign = "namespace" | "subreaper" | "marks";

/** Limits of the kept output. */
export interface OutputLimits {
  /** Most lines of the tail that is kept. */
  readonly lines: number;
  /** Most bytes of the tail that is kept. */
  readonly bytes: number;
  /** Most bytes of the file with the whole output; the rest is read and dropped. */
  readonly fileBytes: number;
}

/** Default limits: 2,000 lines, 50,000 bytes; files of 1 GiB. */
export const defaultOutputLimits: OutputLimits = {
  lines: 2000,
  bytes: 50_000,
  fileBytes: 1024 ** 3,
};

/** Options of one command. */
export interface CommandOptions {
  /** The folder to run it in, absolute or relative to the session's. */
  readonly cwd?: string | undefined;
  /**
   * Folders that a sandbox lets this command write to besides those of the session, absolute.
   * Missing ones are skipped.
   */
  readonly writable?: readonly string[] | undefined;
  /** Variables to add to the session's environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds after which it is killed with everything it started; 30,000 if absent. */
  readonly timeout?: number | undefined;
  /** Kills it with everything it started. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Receives the output as it comes, before `run()` settles; bytes are valid until the promise
   * settles. A slow receiver slows the command. When it throws, the command is killed and `run()`
   * rejects with that error.
   */
  readonly onOutput?: ((chunk: Uint8Array<ArrayBuffer>) => void | Promise<void>) | undefined;
}

/** Result of a command. */
export interface CommandResult extends CommandOutcome {
  /** The kill design that was used. */
  readonly killDesign: KillDesign;
}

/** Options of a command at the terminal. */
export type TerminalOptions = Omit<CommandOptions, "timeout" | "onOutput">;

/** Result of a command at the terminal. */
export type TerminalResult = Pick<
  CommandResult,
  "exitCode" | "signal" | "aborted" | "survivors" | "sandbox" | "duration"
>;

const SIGNALS: Readonly<Record<number, string>> = {
  1: "SIGHUP",
  2: "SIGINT",
  3: "SIGQUIT",
  4: "SIGILL",
  5: "SIGTRAP",
  6: "SIGABRT",
  8: "SIGFPE",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  14: "SIGALRM",
  15: "SIGTERM",
};

/** Name of the signal that a shell's status stands for, or `null`. */
export function signalOf(exitCode: number): string | null {
  return SIGNALS[exitCode - 128] ?? null;
}
