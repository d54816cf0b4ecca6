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
  /** The whole environment: no variable is added. */
  readonly env: Readonly<Record<string, string>>;
  /** The sandbox to run it in. */
  readonly sandbox: AgentSandbox;
  /** The driver's name: a sandbox leaves the CLI's own folders (`~/.codex`) writable. */
  readonly cli: string;
  /** Folders besides `cwd` that must be writable in a sandbox, such as git's. */
  readonly writable: readonly string[];
}

/** A running process. */
export interface SpawnedAgent {
  /** Its standard input, a pipe. */
  readonly stdin: WritableStream<Uint8Array>;
  /** Its standard output, a pull source: a slow reader blocks the process. */
  readonly stdout: ByteSource;
  /** Its standard error. */
  readonly stderr: ByteSource;
  /** Resolves to the exit code when it has exited, 128 + n for signal n. Never rejects. */
  readonly exit: Promise<number>;
  /**
   * Kills it and all its descendants, even if it has exited. Resolves when all of them are gone;
   * output that was printed before can still be read. Idempotent.
   */
  kill(): Promise<void>;
  /**
   * Releases its resources, after {@linkcode kill}. Reading output that has not ended then fails.
   */
  release(): Promise<void>;
}

/** The program does not exist. */
export class ProgramNotFoundError extends Error {
  /** The error's name. */
  override readonly name = "ProgramNotFoundError";
}

/**
 * Starts a process: the port through which the gateway runs CLIs.
 *
 * Rejects with {@linkcode ProgramNotFoundError} if there is no such program, and with another error
 * if it cannot be started.
 */
export type SpawnAgent = (request: SpawnRequest) => Promise<SpawnedAgent>;
