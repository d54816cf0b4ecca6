import { messageOf } from "../base/mod.ts";
import { type Clock, systemClock } from "../llm/mod.ts";
import { linkAbort } from "../streams/mod.ts";

/** Something that a person is asked to allow. */
export interface ApprovalRequest {
  /** A command of `bash`, a change of a file, or the reading of one. */
  readonly kind: "command" | "write" | "read";
  /** The command, or the file: where its path leads, or as the model named it if `why` is absent. */
  readonly what: string;
  /** Why it is asked for, such as that it is outside. Absent where all such calls are asked for. */
  readonly why?: string | undefined;
  /** What the answer `session` allows, in words: `all changes in /data, also by commands`. */
  readonly session: string;
  /** The id of the call that waits. */
  readonly callId: string;
}

/** What a person answers: this time, for the rest of the session, or not at all. */
export type ApprovalAnswer = "once" | "session" | "no";

/**
 * Asks a person. The signal fires when the answer is no longer waited for: the turn was stopped, or
 * it took too long. A rejection counts as no.
 */
export type AskUser = (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalAnswer>;

/** Which calls are asked for although they are within the boundary. */
export type AskFor = "never" | "commands" | "all";

/** The options of whatever needs a person's approval. */
export interface ApprovalOptions {
  /** Asks a person; absent where nobody can be asked. */
  readonly ask?: AskUser | undefined;
  /** Where nobody can be asked: what the model is told, such as how the user can allow it. */
  readonly otherwise?: ((request: ApprovalRequest) => string) | undefined;
  /** Which calls are asked for although they are within the boundary. Default `never`. */
  readonly calls?: AskFor | undefined;
  /** What was allowed for the session; kept by whoever keeps the session. */
  readonly grants: Grants;
  /** Milliseconds after which no answer is a no. Default 10 minutes. */
  readonly patience?: number | undefined;
  /** The time. */
  readonly clock?: Clock | undefined;
}

/** What a person has allowed for the rest of a session. It is empty at first. */
export class Grants {
  /** Folders in which files may be changed, by commands too; absolute, without links. */
  readonly folders: Set<string> = new Set();
  /** Hidden files that may be read, or changed, by the file tools alone. */
  readonly files: Map<string, "read" | "write"> = new Map();
  /** Calls that may be made again: the kind, a space, and what is asked for. */
  readonly calls: Set<string> = new Set();

  /** Whether nothing was allowed. */
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
