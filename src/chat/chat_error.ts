/**
 * The kinds of refusal: what was named does not exist, the session's state does not allow it, a limit
 * is reached, too many turns are running, or the chat is stopping.
 */
export type ChatErrorKind = "missing" | "conflict" | "limit" | "overloaded" | "stopping";

/** A request that the chat refuses. */
export class ChatError extends Error {
  /** The error's name. */
  override readonly name = "ChatError";
  /** The kind of refusal. */
  readonly kind: ChatErrorKind;
  /** Seconds after which it is worth trying again, if it is. */
  readonly retryAfter: number | undefined;

  /** Makes the error. */
  constructor(kind: ChatErrorKind, message: string, retryAfter?: number) {
    super(message);
    this.kind = kind;
    this.retryAfter = retryAfter;
  }
}

/** The refusal of a session that does not exist. */
export function noSession(): ChatError {
  return new ChatError("missing", "There is no such session");
}
