import { messageOf } from "../base/mod.ts";
import { type Clock, systemClock } from "../llm/mod.ts";
import { linkAbort } from "../streams/mod.ts";

/** Something that a person is asked to allow. */
export interface ApprovalRequest {
  /** A command of `bash`, a change of a file, or the reading of one. */
  readonly kind: "command" | "write" | "read";
  /** The command, or the file: where its path leads, or as the model named it if `why` is absent. */
  readonly what: string;
  /** The reason to ask, such as that it is outside. Absent where all such calls need approval. */
  readonly why?: string | undefined;
  /** The scope of the answer `session`, in words: `all changes in /data, also by commands`. */
  readonly session: string;
  /** The id of the call that waits. */
  readonly callId: string;
}

/** A person's answer: this time, for the rest of the session, or no. */
export type ApprovalAnswer = "once" | "session" | "no";

/**
 * Asks a person. The signal fires when the answer is no longer waited for: the turn was stopped, or
 * it took too long. A rejection counts as no.
 */
export type AskUser = (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalAnswer>;

/** Which calls are asked for although they are within the boundary. */
export type AskFor = "never" | "commands" | "all";

/** Options for asking a person. */
export interface ApprovalOptions {
  /** Asks a person; absent without one to ask. */
  readonly ask?: AskUser | undefined;
  /**
   * Makes the message for the model where there is no one to ask, such as how the user can allow
   * it.
   */
  readonly otherwise?: ((request: ApprovalRequest) => string) | undefined;
  /** Which calls are asked for although they are within the boundary. Default `never`. */
  readonly calls?: AskFor | undefined;
  /** The grants of the session, which the caller keeps. */
  readonly grants: Grants;
  /** Milliseconds after which no answer is a no. Default 10 minutes. */
  readonly patience?: number | undefined;
  /** The time. */
  readonly clock?: Clock | undefined;
}

/** A person's grants for the rest of a session; empty at first. */
export class Grants {
  /** Folders in which files may be changed, by commands too; absolute, without links. */
  readonly folders: Set<string> = new Set();
  /** Hidden files that may be read, or changed, by the file tools alone. */
  readonly files: Map<string, "read" | "write"> = new Map();
  /** Calls that may be made again: the kind, a space, and what is asked for. */
  readonly calls: Set<string> = new Set();

  /** True where nothing was allowed. */
  get empty(): boolean {
    return this.folders.size + this.files.size + this.calls.size === 0;
  }
}

const PATIENCE = 600_000;

/**
 * Asks a person and waits for the answer; `undefined` is a yes.
 *
 * @param allow Keeps an answer for the session.
 * @returns Why it may not be done, for the model.
 */
export async function refusalOf(
  request: ApprovalRequest,
  { ask, otherwise, patience = PATIENCE, clock = systemClock }: ApprovalOptions,
  signal: AbortSignal,
  allow: () => void,
): Promise<string | undefined> {
  if (ask === undefined) return otherwise?.(request) ?? "nobody can be asked here";
  const end = new AbortController();
  const unlink = linkAbort(signal, end);
  try {
    const late = clock.sleep(patience, end.signal).then(() => "late" as const);
    const answer = await Promise.race([ask(request, end.signal), late]);
    if (answer === "session") allow();
    if (answer === "once" || answer === "session") return undefined;
    if (answer === "late") {
      return `the user did not answer within ${patience / 60_000} minutes, which counts as no`;
    }
    return "the user said no: do not try it in another way";
  } catch (error) {
    signal.throwIfAborted();
    return `the user could not be asked: ${messageOf(error)}`;
  } finally {
    unlink();
    end.abort();
  }
}
