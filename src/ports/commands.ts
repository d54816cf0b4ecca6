import type { Chunk } from "../streams/mod.ts";

/**
 * Number of processes that survived the killing of a command. `unknown`: none was found, but some
 * may have been started faster than they could be found.
 */
export type Survivors = number | "unknown";

/** The sandbox that confines a command, or the reason for running without one. */
export type CommandSandbox =
  | {
    readonly kind: "bwrap";
    /** True if the network can be used. */
    readonly network: boolean;
    /** Folders that can be written to besides a private /tmp. */
    readonly writable: readonly string[];
    /**
     * Parts that the system cannot share between the commands of a session. Without shared
     * `processes` a command neither sees nor stops background jobs of other commands. Without a
     * shared `network`, and without the machine's, it cannot reach their servers. Absent if all is
     * shared.
     */
    readonly apart?: readonly ("processes" | "network")[];
  }
  | {
    readonly kind: "none";
    /** The reason, such as `bwrap is not installed`. */
    readonly reason: string;
  };

/** The part of an output that was left out. */
export interface Truncation {
  /** Lines of the whole output; a last one without newline counts. */
  readonly lines: number;
  /** Bytes of the whole output. */
  readonly bytes: number;
  /** Lines of the tail that was kept. */
  readonly shownLines: number;
  /** Bytes of the tail that was kept. */
  readonly shownBytes: number;
  /** The file that has the whole output; `undefined` when it could not be written. */
  readonly path: string | undefined;
  /** The reason why the file is missing or incomplete. */
  readonly note: string | undefined;
}

/** The kept part of both outputs of a command. */
export interface CommandOutput {
  /** Standard output and standard error in the order of writing; invalid UTF-8 is replaced. */
  readonly text: string;
  /** Set when `text` is only the tail. */
  readonly truncated: Truncation | undefined;
}

/** Result of a command whose two outputs were recorded as one. */
export interface CommandOutcome extends CommandOutput {
  /**
   * The shell's exit status, 128 + n if signal n ended the shell or its last command. `null` if it
   * was killed: by time-out, abort or the end of the session.
   */
  readonly exitCode: number | null;
  /** Name of the signal that `exitCode` stands for, such as `SIGSEGV` for 139. */
  readonly signal: string | null;
  /** True if it ran longer than its time-out and was killed. */
  readonly timedOut: boolean;
  /** True if it was killed because the signal fired or the session ended. */
  readonly aborted: boolean;
  /**
   * Set if background processes of the command still run; they are killed when the session ends.
   * `path` is the file with all the output, including their later output.
   */
  readonly background: { readonly path: string | undefined } | undefined;
  /** Processes that could not be killed, such as another user's. */
  readonly survivors: Survivors;
  /** The sandbox that confined it. */
  readonly sandbox: CommandSandbox;
  /** Milliseconds from start to end. */
  readonly duration: number;
}

/** Options of one command whose two outputs are kept separately. */
export interface RunCommand {
  /** The folder to run it in, absolute and checked against the allowed folders. */
  readonly workingDirectory: string;
  /**
   * Changes to the environment of commands: values to set, `null` to leave a variable out. Only the
   * command sees them, not the programs that start, confine or kill it, so they may come from a
   * model.
   */
  readonly env: Readonly<Record<string, string | null>>;
  /** Milliseconds after which it is killed with all its processes. */
  readonly timeout: number;
  /** Most bytes to keep of each output: a quarter from its beginning, the rest from its end. */
  readonly maxBytes: number;
  /** Kills it with all its processes. */
  readonly signal: AbortSignal;
  /** Receives both outputs as they arrive; a chunk is valid until the function returns. */
  readonly onOutput?: ((chunk: Chunk) => void) | undefined;
}

/** The kept part of an output; bytes that are not UTF-8 are replaced. */
export interface KeptOutput {
  /** All of it, or its beginning. */
  readonly head: string;
  /** Its end, if bytes in the middle were dropped; otherwise empty. */
  readonly tail: string;
  /** Bytes of the whole output. */
  readonly bytes: number;
  /** Bytes that were dropped between `head` and `tail`. */
  readonly droppedBytes: number;
}

/** Result of a command whose two outputs were kept separately. */
export interface ApartResult {
  /** Standard output. */
  readonly stdout: KeptOutput;
  /** Standard error. */
  readonly stderr: KeptOutput;
  /** The shell's exit status, 128 + n for signal n; `null` if the command was killed. */
  readonly exitCode: number | null;
  /** Name of the signal that `exitCode` stands for, such as `SIGSEGV`. */
  readonly signal: string | null;
  /** True if it ran too long and was killed. */
  readonly timedOut: boolean;
  /** True if processes that it left in the background still run; their output is dropped. */
  readonly background: boolean;
  /** Processes that could not be killed. */
  readonly survivors: Survivors;
  /** Milliseconds from start to end. */
  readonly duration: number;
}

/** Runs command lines in a shell. */
export interface CommandPort {
  /**
   * Runs a command line without standard input. Settles when the shell has ended, even if
   * background processes still run.
   *
   * Rejects with a message for the model if the command can't be started. When the signal fires,
   * rejects with its reason once everything is killed.
   */
  run(command: string, options: RunCommand): Promise<ApartResult>;
}
