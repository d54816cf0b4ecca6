import type { CommandSandbox, Survivors } from "../ports/mod.ts";

/** How to run one command. */
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

/** How a command ended. */
export interface CommandOutcome {
  /** Standard output and standard error in the order of writing; the tail, if `truncated`. */
  readonly text: string;
  /** What was left out, and the file with the whole output. */
  readonly truncated:
    | {
      readonly lines: number;
      readonly bytes: number;
      readonly shownLines: number;
      readonly path: string | undefined;
      readonly note: string | undefined;
    }
    | undefined;
  /** The shell's status, or `null` when it was killed. */
  readonly exitCode: number | null;
  /** The signal that `exitCode` stands for. */
  readonly signal: string | null;
  /** It ran too long and was killed. */
  readonly timedOut: boolean;
  /** It was killed because the signal fired. */
  readonly aborted: boolean;
  /** Set when processes it left in the background still run; `path` has all the output. */
  readonly background: { readonly path: string | undefined } | undefined;
  /** Processes that could not be killed. */
  readonly survivors: Survivors;
  /** What confined it. */
  readonly sandbox: CommandSandbox;
  /** Milliseconds from start to end. */
  readonly duration: number;
}

/**
 * Runs commands of the system. A `CommandSession` of `terminal/` is one; this room does not import
 * it, so that the agent also runs where there are no processes.
 */
export interface CommandRunner {
  /** Runs a command line. Rejects only when it could not be started. */
  run(command: string, options?: RunCommandOptions): Promise<CommandOutcome>;
}
