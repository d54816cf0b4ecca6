/**
 * The kind of a failure, from which the server derives its response:
 *
 * - `unknown_model`: the registry has no such entry
 * - `forbidden`: the model's entry does not list the key
 * - `bad_request`: the messages cannot become a prompt
 * - `busy`: the queue is full, or the wait for a place took too long; `retryAfter` is set
 * - `not_installed`: the CLI's program is missing
 * - `repository`: the folder or its git fails, for example because `repoPath` is missing
 * - `failed`: the CLI ended with an error
 * - `empty`: the CLI ended without an error and without an answer
 * - `timeout`: the CLI ran longer than the entry's `timeout`
 * - `cancelled`: the client disconnected, the call was cancelled, or the gateway is closing
 */
export type AgentErrorKind =
  | "unknown_model"
  | "forbidden"
  | "bad_request"
  | "busy"
  | "not_installed"
  | "repository"
  | "failed"
  | "empty"
  | "timeout"
  | "cancelled";

/** Details of an {@linkcode AgentError}. */
export interface AgentErrorOptions {
  /** Output of the CLI or git, shortened and without secrets. */
  readonly detail?: string | undefined;
  /** Seconds until a retry makes sense, for `busy`. */
  readonly retryAfter?: number | undefined;
  /** The error that caused it. */
  readonly cause?: unknown;
}

/** A call that ended without an answer. Callers must expect it. */
export class AgentError extends Error {
  /** The error's name. */
  override readonly name = "AgentError";
  /** The kind of failure. */
  readonly kind: AgentErrorKind;
  /** Output of the CLI or git, shortened and without secrets. */
  readonly detail: string | undefined;
  /** Seconds until a retry makes sense, for `busy`. */
  readonly retryAfter: number | undefined;

  /** Creates the error. */
  constructor(kind: AgentErrorKind, message: string, options: AgentErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.kind = kind;
    this.detail = options.detail;
    this.retryAfter = options.retryAfter;
  }
}
