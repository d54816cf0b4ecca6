/** How to run one command. */
export interface RunCommand {
  /** The folder to run it in, absolute. It was checked against the allowed folders. */
  readonly workingDirectory: string;
  /**
   * Changes to the environment that commands get: values to set, `null` to leave a variable out.
   * They are the model's, so they must not reach what starts or confines the command.
   */
  readonly env: Readonly<Record<string, string | null>>;
  /** Milliseconds after which it is killed with everything it started. */
  readonly timeout: number;
  /** Most bytes that are kept of each output, of its beginning and of its end. */
  readonly maxBytes: number;
  /** Kills it with everything it started. */
  readonly signal: AbortSignal;
  /** Is given both outputs as they come; bytes are lent until it returns. */
  readonly onOutput?: ((chunk: Uint8Array) => void) | undefined;
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

/** How a command ended. */
export interface CommandOutcome {
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
  /** How many processes could not be killed; `unknown` if some may not have been found. */
  readonly survivors: number | "unknown";
  /** Milliseconds from start to end. */
  readonly duration: number;
}

/**
 * Runs command lines in a shell. This is a port: the room does not import what starts processes.
 * `TreePool` of `terminal/` is one.
 */
export interface CommandPort {
  /**
   * Runs a command line, without input. It settles when the shell has ended: what the command left
   * in the background does not hold it up.
   *
   * Rejects where the command can't be started, with a message for the model, and with the signal's
   * reason when that fires, once everything is killed.
   */
  run(command: string, options: RunCommand): Promise<CommandOutcome>;
}
