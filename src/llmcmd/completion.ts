import type { AgentEvent } from "../agent/mod.ts";
import { isRecord } from "../base/mod.ts";
import { withoutThought } from "../llm/mod.ts";

/** A run ended although something that it was to write was not written. */
export class IncompleteError extends Error {
  /** `IncompleteError` */
  override readonly name = "IncompleteError";

  /** Says what was left undone, as the model was told before. */
  constructor(problem: string) {
    super(`The model ended the run although ${problem}`);
  }
}

/** What the answer to an attempt to end is. */
export type Verdict =
  /** The run may end. */
  | { readonly kind: "end" }
  /** The model is told why not, and goes on. */
  | { readonly kind: "refused"; readonly message: string }
  /** It was told that before: the run ends as failed. */
  | { readonly kind: "failed"; readonly error: IncompleteError };

/** The longest part of a failure that is repeated, in characters. */
const EXCERPT = 300;

/**
 * Decides whether a run may end as done. A model likes to send a call together with `exit`, before
 * it knows what became of the call; and it gives up after a failure as if all were well. Either way
 * the user would get an empty or half output with status 0.
 *
 * - While a call of the same message failed, or the last transfer to descriptor 1 did and nothing
 *   was written there since, an end as done is refused once; the second time the run fails.
 * - So is an end where nothing was written, also no text, and the last call failed.
 * - So is one with other calls after it in its message, as these would never run.
 * - A text that would become the output where a transfer to descriptor 1 had nothing to write is
 *   told once.
 * - A pipe whose output nobody read, and a pipe to descriptor 1 that nobody wrote to, is told once;
 *   where the model will not be asked again, only if there is no output at all.
 */
export class Completion {
  /** What failed in the message that is being worked on. */
  #failedNow: string | undefined;
  /** Why the last transfer to descriptor 1 failed. */
  #lost: string | undefined;
  /** Whether that call was refused before it was clear that it led to descriptor 1. */
  #lostMaybe = false;
  /** What of it the model was told when it tried to end. */
  #toldOf: string | undefined;
  #toldOfPipe = false;
  #toldOfFeed = false;
  #toldOfText = false;
  #wrote = false;
  /** Whether a transfer to descriptor 1 went well in the message that is being worked on. */
  #wroteNow = false;
  /** Why the last call failed, if it did. */
  #lastFailed: string | undefined;
  /** Whether the message has text, which becomes the output where nothing was written. */
  #hasText = false;
  /** Tools of the message's calls that have not begun. */
  #ahead: string[] = [];
  /** Inputs of the calls that run. */
  readonly #inputs = new Map<string, unknown>();

  /** Follows what happens in the run. */
  note(event: AgentEvent): void {
    if (event.type === "tool_end" && event.name !== "exit") {
      this.#lastFailed = event.error
        ? `${event.name} failed: ${failureIn(event.content)}`
        : undefined;
    }
    if (event.type === "turn_start") {
      this.#failedNow = undefined;
      this.#wroteNow = false;
      this.#hasText = false;
      this.#inputs.clear();
    } else if (event.type === "message" && event.message.role === "assistant") {
      this.says(withoutThought(event.message.content ?? ""));
      this.#ahead = event.message.tool_calls?.map((call) => call.function.name) ?? [];
    } else if (event.type === "tool_start") {
      this.#ahead.shift();
      this.#inputs.set(event.id, event.input);
    } else if (event.type === "tool_end" && event.error && event.name !== "exit") {
      this.#failedNow = this.#lastFailed;
      // Those that could not even begin are told of here alone.
      const leads = leadsToOutput(event.name, this.#inputs.get(event.id));
      if (leads === true || (leads === "maybe" && this.#lost === undefined)) {
        this.#lost = this.#failedNow;
        this.#lostMaybe = leads === "maybe";
      }
    } else if (event.type === "tool_end" && event.name === "pipe" && this.#lostMaybe) {
      // The call was corrected, and did not lead to descriptor 1.
      this.#lost = undefined;
      this.#lostMaybe = false;
    }
  }

  /** What the model says in the message, without what it thinks: it may become the output. */
  says(text: string): void {
    this.#hasText = text.trim() !== "";
  }

  /** A transfer to descriptor 1 went well, perhaps with nothing to write. */
  delivered(): void {
    this.#lost = undefined;
    this.#lostMaybe = false;
    this.#wrote = true;
    this.#wroteNow = true;
  }

  /** Something is on descriptor 1, whatever became of the last transfer. */
  hasOutput(): void {
    this.#wrote = true;
  }

  /**
   * Whether a transfer to descriptor 1 went well in this message. Its text was then written before
   * the result was known, and only says what the model is about to do.
   */
  get wroteNow(): boolean {
    return this.#wroteNow;
  }

  /** Whether any transfer to descriptor 1 went well. */
  get wrote(): boolean {
    return this.#wrote;
  }

  /** A transfer to descriptor 1 failed. */
  failed(tool: string, why: string): void {
    this.#lost = `${tool} failed: ${excerpt(why)}`;
    this.#lostMaybe = false;
  }

  /**
   * The model wants to end, and `unfed` is a pipe to descriptor 1 that it never wrote to. This is
   * asked before such a pipe is closed; `undefined` where nothing speaks against the end.
   */
  judgeUnfed(unfed: number | undefined, last: boolean): Verdict | undefined {
    if (unfed === undefined || this.#toldOfFeed || last && this.#hasAny) return undefined;
    this.#toldOfFeed = true;
    return { kind: "refused", message: unfedMessage(unfed) };
  }

  /**
   * The model wants to end with a call that others follow in its message, which would be lost. It
   * is refused each time, as they run then.
   */
  judgeOrder(): Verdict | undefined {
    const next = this.#ahead.find((name) => name !== "exit");
    if (next === undefined) return undefined;
    return {
      kind: "refused",
      message: `Not ended: ${next} comes after exit in this message and runs now. ` +
        "Look at its result, then call exit again",
    };
  }

  /**
   * The model wants to end, and something failed that no pipe's end can mend. This is asked before
   * pipes to descriptor 1 are closed; `undefined` where nothing speaks against the end.
   */
  judgeFailed(): Verdict | undefined {
    return this.#judgeProblem(this.#lost);
  }

  /** Whether there is any output, or a text that becomes it. */
  get #hasAny(): boolean {
    return this.#wrote || this.#hasText;
  }

  #judgeProblem(lasting: string | undefined): Verdict | undefined {
    const problem = lasting ?? this.#failedNow;
    if (problem === undefined) return undefined;
    if (lasting !== undefined && this.#toldOf === lasting) {
      return { kind: "failed", error: new IncompleteError(problem) };
    }
    this.#toldOf = problem;
    return { kind: "refused", message: refusal(problem) };
  }

  /**
   * The model wants to end, and says that all is done. `unread` is a pipe that nobody has read;
   * `last` says that the model will not be asked again, and `empty` that nothing is on descriptor 1.
   */
  judge(unread: number | undefined, last: boolean, empty = false): Verdict {
    const nothing = this.#hasAny ? undefined : this.#lastFailed;
    const problem = this.#judgeProblem(this.#lost ?? nothing);
    if (problem !== undefined) return problem;
    if (unread !== undefined && !this.#toldOfPipe && !(last && this.#hasAny)) {
      this.#toldOfPipe = true;
      return {
        kind: "refused",
        message: `Not ended: fd ${unread} was never read. ` +
          `If it belongs to the output, call pipe with in_fd ${unread} and out_fd 1; ` +
          "else end again",
      };
    }
    return this.#judgeText(empty, last) ?? { kind: "end" };
  }

  /**
   * Whether the text would become the output where what was written to descriptor 1 is empty, such
   * as "No line matches" where a file of the matching lines was asked for.
   */
  #judgeText(empty: boolean, last: boolean): Verdict | undefined {
    const isRemark = empty && this.#wrote && this.#hasText && !this.#wroteNow;
    if (!isRemark || this.#toldOfText || last) return undefined;
    this.#toldOfText = true;
    return {
      kind: "refused",
      message: "Not ended: nothing came out of what you wrote to fd 1, so your text would become " +
        "the output. If the output is to be empty, call exit with code 0 and without any text; " +
        "if your text is the output, end with it again",
    };
  }
}

/** What the model is told when it has made a pipe to descriptor 1 and written nothing to it. */
function unfedMessage(fd: number): string {
  return `Not ended: nothing was written to fd ${fd}, so its pipe gave nothing to fd 1. If fd 1 ` +
    "has the whole output all the same, end again, which drops that pipe; else call pipe with " +
    `in_fd, or write the data to fd ${fd}, with eof true at the end`;
}

function refusal(problem: string): string {
  return `Not ended: ${problem}. Correct the call and write the output to fd 1, then end; ` +
    "or say why it cannot be done and call exit with a code from 1 to 255";
}

/**
 * Whether a call was to write to descriptor 1; `"maybe"` for a pipe that could not be understood,
 * as it has other keys than those of the tool.
 */
function leadsToOutput(tool: string, input: unknown): boolean | "maybe" {
  if (tool === "write") return !isRecord(input) || Number(input.fd ?? 1) === 1;
  if (tool !== "pipe") return false;
  if (!isRecord(input)) return "maybe";
  const { cmd: _cmd, in_fd: _in, out_fd: outFd, ...others } = input;
  if (outFd !== undefined && Number(outFd) === 1) return true;
  const isUnclear = outFd !== undefined && outFd !== null && Number.isNaN(Number(outFd));
  return isUnclear || Object.keys(others).length > 0 ? "maybe" : false;
}

/** What went wrong, of a tool's result: the `error` of its JSON, or the text itself. */
function failureIn(content: string): string {
  try {
    const fields: unknown = JSON.parse(content);
    if (typeof fields === "object" && fields !== null && "error" in fields) {
      return excerpt(String(fields.error));
    }
  } catch {
    // It is no JSON.
  }
  return excerpt(content);
}

function excerpt(text: string): string {
  const [line = ""] = text.split("\n", 1);
  return line.length > EXCERPT ? `${line.slice(0, EXCERPT).toWellFormed()}...` : line;
}
