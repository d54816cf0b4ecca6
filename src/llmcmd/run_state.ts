import { messageOf } from "../base/mod.ts";
import type { TempStore } from "../builtins/mod.ts";
import { type FdTable, LimitError } from "../streams/mod.ts";
import { Descriptors, OutputError } from "./descriptors/mod.ts";
import { Ending } from "./ending/ending.ts";
import { limitOf, type LlmcmdLimits } from "./limits.ts";
import type { PipelineContext } from "./pipeline/mod.ts";
import { TempBudget } from "./temp_budget.ts";

const BUDGETS = ["apiCalls", "tokens", "seconds", "inputBytes", "outputBytes"] as const;

/** The state that the tools of one run share. */
export class RunState {
  /** The descriptors that the model can name. */
  readonly descriptors: Descriptors;
  /** Budgets. */
  readonly limits: LlmcmdLimits;
  /** Stops the tools. */
  readonly signal: AbortSignal;
  /** The context of the tools' pipelines. */
  readonly pipelines: Omit<PipelineContext, "operands">;
  /** The end of the run. */
  readonly ending: Ending;
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
    this.ending = new Ending(this.descriptors, signal);
  }

  /** The error that ends the run; see `Ending.stopped`. */
  get failure(): Error | undefined {
    return this.ending.stopped;
  }

  /**
   * Stops the run for an error that the model cannot correct, and returns true for such an error.
   * The limits of commands, such as the longest line, are not budgets of the run.
   */
  isFatal(error: unknown): boolean {
    const ends = error instanceof LimitError ? this.#isBudget(error) : error instanceof OutputError;
    if (!(ends && error instanceof Error)) return false;
    this.ending.stop(error);
    return true;
  }

  /** The message of an error for the model, which cannot raise the limits of commands. */
  messageFor(error: unknown): string {
    const message = messageOf(error);
    return error instanceof LimitError && !this.#isBudget(error)
      ? message.replace(/; raise it\b.*$/s, "")
      : message;
  }

  #isBudget({ limit }: LimitError): boolean {
    return BUDGETS.some((budget) => limitOf(this.limits, budget).name === limit);
  }

  /** Runs one tool's work after that of the tools before it. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }
}
