import type { CommandOutcome } from "../ports/mod.ts";

/**
 * How everything that a command started is found and killed, from the strongest:
 *
 * - `namespace`: bubblewrap's own PID namespace, one signal reaches all processes in it at once;
 * - `subreaper`: a helper in Python that stays the ancestor of all these processes (Linux);
 * - `marks`: a helper in shell language that finds processes by a variable of the environment, by a
 *   resource limit that they inherit (Linux), and as descendants.
 */
export type KillDesign = "namespace" | "subreaper" | "marks";

/** How much output is kept. */
export interface OutputLimits {
  /** Most lines of the tail that is kept. */
  readonly lines: number;
  /** Most bytes of the tail that is kept. */
  readonly bytes: number;
  /** Bytes that the file with the whole output may have; more is read and dropped. */
  readonly fileBytes: number;
}

/** 2,000 lines, 50,000 bytes; files of 1 GiB. */
export const defaultOutputLimits: OutputLimits = {
  lines: 2000,
  bytes: 50_000,
  fileBytes: 1024 ** 3,
};

/** How to run one command. */
export interface CommandOptions {
  /** The folder to run it in, absolute or relative to the session's. */
  readonly cwd?: string | undefined;
  /**
   * Folders that a sandbox lets this command write to besides those of the session, absolute. Those
   * that are missing are skipped.
   */
  readonly writable?: readonly string[] | undefined;
  /** Variables to add to the session's environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds after which it is killed with everything it started; 30,000 if absent. */
  readonly timeout?: number | undefined;
  /** Kills it with everything it started. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Is given the output as it comes, before `run()` settles; bytes are lent until the promise
   * settles. A slow receiver slows the command. When it throws, the command is killed and `run()`
   * rejects with that error.
   */
  readonly onOutput?: ((chunk: Uint8Array<ArrayBuffer>) => void | Promise<void>) | undefined;
}

/** The end of a command, and how it was run. */
export interface CommandResult extends CommandOutcome {
  /** The kill design that was used. */
  readonly killDesign: KillDesign;
}

/** How to run a command at the terminal. */
export type TerminalOptions = Omit<CommandOptions, "timeout" | "onOutput">;

/** How a command at the terminal ended. */
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
