import { messageOf } from "../base/mod.ts";
import type { TempStore } from "../builtins/mod.ts";
import { type FdTable, LimitError } from "../streams/mod.ts";
import { Completion, type Verdict } from "./completion.ts";
import { Descriptors } from "./descriptors.ts";
import { limitOf, type LlmcmdLimits } from "./limits.ts";
import { OutputError } from "./output.ts";
import type { PipelineContext } from "./pipeline.ts";
import { TempBudget } from "./temp_budget.ts";

const BUDGETS = ["apiCalls", "tokens", "seconds", "inputBytes", "outputBytes"] as const;

/** The state that the tools of one run share. */
export class Session {
  /** What the model can name by number. */
  readonly descriptors: Descriptors;
  /** Budgets. */
  readonly limits: LlmcmdLimits;
  /** Stops whatever the tools do. */
  readonly signal: AbortSignal;
  /** What the tools' pipelines need. */
  readonly pipelines: Omit<PipelineContext, "operands">;
  /** Whether the run may end as done. */
  readonly completion = new Completion();
  /** Whether the model will not be asked again. */
  lastTurn = false;
  /** The code that `exit` was called with. */
  exitCode: number | undefined;
  #failure: Error | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** Begins with the descriptors that the run was given. */
  constructor(
    fds: FdTable,
    limits: LlmcmdLimits,
    signal: AbortSignal,
    temp?: () => Promise<TempStore>,
  ) {
    this.limits = limits;
    this.signal = signal;
    const storage = temp && new TempBudget(limits).storage(temp);
    this.descriptors = new Descriptors(fds, limits, storage);
    this.pipelines = { signal, temp: storage };
  }

  /** What ends the run, if anything does: a spent limit, or output that cannot be written. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /**
   * Notes an error; true when it ends the run rather than being the model's to correct. The limits
   * of commands, such as the longest line, are no budgets of the run: another command may do.
   */
  isFatal(error: unknown): boolean {
    const ends = error instanceof LimitError ? this.#isBudget(error) : error instanceof OutputError;
    if (!(ends && error instanceof Error)) return false;
    this.#failure ??= error;
    return true;
  }

  /** What the model is told of an error. Nobody can raise the limits of commands in a run. */
  told(error: unknown): string {
    const message = messageOf(error);
    return error instanceof LimitError && !this.#isBudget(error)
      ? message.replace(/; raise it\b.*$/s, "")
      : message;
  }

  #isBudget({ limit }: LimitError): boolean {
    return BUDGETS.some((budget) => limitOf(this.limits, budget).name === limit);
  }

  /**
   * Notes how an attempt to write data to `fd` ended, where that is a pipe fed by the model. What
   * comes after its end is lost; else whoever reads it to its end is told of a failure that no
   * success has followed. A pipe to descriptor 1 that gets nothing else may be given up for another
   * way to write there.
   */
  noteFed(tool: string, fd: number | undefined, failure: string | null): void {
    const end = this.descriptors.feedAt(fd);
    if (end === undefined) return;
    const { feed, flow } = end;
    const isLost = feed.ended || !feed.begun && flow !== undefined;
    if (failure !== null && isLost) this.completion.failed(tool, failure);
    if (!feed.ended && !feed.readerLeft) feed.note(failure ?? undefined);
  }

  /** Ends the run as failed, unless it has failed before. */
  fail(error: Error): void {
    this.#failure ??= error;
  }

  /** Runs one tool's work after that of the tools before it. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }

  /**
   * The model wants to end as done: lets the pipes that lead to descriptor 1 run to their ends, then
   * judges. An end that was refused before becomes this session's {@linkcode failure}.
   */
  async end(): Promise<Verdict> {
    // Before the pipes are closed, so that they can still be written to.
    const { completion, descriptors } = this;
    const early = completion.judgeOrder() ??
      completion.judgeUnfed(descriptors.unfed, this.lastTurn) ?? completion.judgeFailed();
    if (early?.kind === "refused") return early;
    for (const problem of await this.drain()) completion.failed("pipe", problem);
    if (descriptors.output.written > 0) completion.hasOutput();
    const empty = descriptors.output.written === 0;
    const verdict = early ?? completion.judge(descriptors.unread, this.lastTurn, empty);
    if (verdict.kind === "failed") this.#failure ??= verdict.error;
    return verdict;
  }

  /**
   * Lets the pipes that lead to descriptor 1 run to their ends, but for those that the model never
   * wrote to: it has often forgotten `in_fd` and called again, and `wc` of nothing is 0. Gives what
   * failed in them.
   */
  async drain(): Promise<string[]> {
    const problems: string[] = [];
    for (const flow of this.descriptors.flows) {
      if (!flow.feed.begun) continue;
      await flow.feed.end();
      await flow.advance(this.signal);
      const error = flow.takeReport()?.error ?? null;
      if (error !== null) problems.push(error);
    }
    return problems;
  }
}
