import type { CommandOutcome } from "../ports/mod.ts";

/** Options of one command. */
export interface RunCommandOptions {
  /** Milliseconds after which it is killed with everything it started. */
  readonly timeout?: number | undefined;
  /** Kills it with everything it started. */
  readonly signal?: AbortSignal | undefined;
  /** Folders that a sandbox lets it write to besides its own, absolute. */
  readonly writable?: readonly string[] | undefined;
  /** Is given the output as it comes; bytes are lent until the promise settles. */
  readonly onOutput?: ((chunk: Uint8Array<ArrayBuffer>) => void | Promise<void>) | undefined;
}

/**
 * Runs commands of the system. A `CommandSession` of `terminal/` is one; this room does not import
 * it, so that the agent also runs where there are no processes.
 */
export interface CommandRunner {
  /** Runs a command line. Rejects only when it could not be started. */
  run(command: string, options?: RunCommandOptions): Promise<CommandOutcome>;
}
