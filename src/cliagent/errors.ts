/**
 * What kind of failure it was, for whoever answers the request:
 *
 * - `unknown_model`: the registry has no such entry
 * - `forbidden`: the key is none of those that the model's entry names
 * - `bad_request`: the messages cannot become a prompt
 * - `busy`: the queue is full, or the wait for a place took too long; `retryAfter` says when to return
 * - `not_installed`: the CLI's program is missing
 * - `repository`: the folder or its git refuses, such as a `repoPath` that is gone
 * - `failed`: the CLI ended with an error
 * - `empty`: the CLI ended well and said nothing
 * - `timeout`: the CLI ran longer than the entry's `timeout`
 * - `cancelled`: the caller went away, the call was cancelled, or the gateway ends
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

/** What an {@linkcode AgentError} may say besides its message. */
export interface AgentErrorOptions {
  /** What the CLI or git said, capped and without secrets. */
  readonly detail?: string | undefined;
  /** Seconds after which to try again, for `busy`. */
  readonly retryAfter?: number | undefined;
  /** What was thrown. */
  readonly cause?: unknown;
}

/** A call that did not end with an answer. Expected: whoever makes calls catches it. */
export class AgentError extends Error {
  /** The error's name. */
  override readonly name = "AgentError";
  /** What kind of failure it was. */
  readonly kind: AgentErrorKind;
  /** What the CLI or git said, capped and without secrets. */
  readonly detail: string | undefined;
  /** Seconds after which to try again, for `busy`. */
  readonly retryAfter: number | undefined;

  /** Makes the error. */
  constructor(kind: AgentErrorKind, message: string, options: AgentErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.kind = kind;
    this.detail = options.detail;
    this.retryAfter = options.retryAfter;
  }
}
