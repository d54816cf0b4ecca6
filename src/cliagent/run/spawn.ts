import type { ByteSource } from "../../streams/mod.ts";
import type { AgentSandbox } from "../registry/mod.ts";

/** A process to start. */
export interface SpawnRequest {
  /** The program: a name to look up on the PATH, or an absolute path. */
  readonly program: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** The folder to start it in. */
  readonly cwd: string;
  /** Its whole environment: nothing is added. */
  readonly env: Readonly<Record<string, string>>;
  /** What is to confine it. */
  readonly sandbox: AgentSandbox;
  /** Which CLI it is: its own folders (`~/.codex`) must be writable in a sandbox. */
  readonly cli: string;
  /** Folders besides `cwd` that must be writable in a sandbox, such as git's. */
  readonly writable: readonly string[];
}

/** A process that runs. */
export interface SpawnedAgent {
  /** Its standard input, a pipe. */
  readonly stdin: WritableStream<Uint8Array>;
  /** Its standard output, read by pull: what is not read makes it wait. */
  readonly stdout: ByteSource;
  /** Its standard error. */
  readonly stderr: ByteSource;
  /** Settles with its exit code when it has ended, 128 + n for signal n. Never rejects. */
  readonly exit: Promise<number>;
  /**
   * Kills it with everything it started, also when it has ended itself. Resolves when none of that
   * is left; what it has printed by then can still be read. Idempotent.
   */
  kill(): Promise<void>;
  /** Frees what it took, after {@linkcode kill}; reading outputs that have not ended fails. */
  release(): Promise<void>;
}

/** The program is not there. */
export class ProgramNotFoundError extends Error {
  /** The error's name. */
  override readonly name = "ProgramNotFoundError";
}

/**
 * Starts a process: the port through which the gateway has its CLIs run.
 *
 * Rejects with {@linkcode ProgramNotFoundError} if there is no such program, and with any other
 * error if it cannot be started.
 */
export type SpawnAgent = (request: SpawnRequest) => Promise<SpawnedAgent>;
