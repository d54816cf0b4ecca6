/**
 * The end of a run: facts are recorded where they happen ({@linkcode EndingRecord}), and one pure
 * function decides on them whether the run may end ({@linkcode judge}).
 *
 * It does not run tools, speak to the model or write the output: the run does that with the verdict.
 */
import type { Descriptors } from "../descriptors/mod.ts";
import type { Attempt, EndingFacts, Moment } from "./facts.ts";
import { judge, type Verdict } from "./judge.ts";
import { EndingRecord } from "./record.ts";

/** Asks for the end of one run. */
export class Ending {
  /** Takes the facts of the run, where they happen. */
  readonly record = new EndingRecord();
  /** The model gets no further turn. */
  lastTurn = false;
  readonly #descriptors: Descriptors;
  readonly #signal: AbortSignal;
  #stopped: Error | undefined;
  #exitCode: number | undefined;

  /** Looks at `descriptors`, and drains their pipes until `signal` fires. */
  constructor(descriptors: Descriptors, signal: AbortSignal) {
    this.#descriptors = descriptors;
    this.#signal = signal;
  }

  /** The error that ends the run: a spent limit, a failed output, or an end that was refused. */
  get stopped(): Error | undefined {
    return this.#stopped;
  }

  /** Ends the run as failed, unless it has failed before. */
  stop(error: Error): void {
    this.#stopped ??= error;
  }

  /**
   * Records the result of an attempt to write data to `fd`, where that is a pipe fed by the model.
   * Data after its end is lost; else its reader reports a failure that no success has followed. A
   * pipe to descriptor 1 that gets nothing else may be given up for another way to write there.
   */
  fed(tool: string, fd: number | undefined, failure: string | null): void {
    const end = this.#descriptors.feedAt(fd);
    if (end === undefined) return;
    const { feed, flow } = end;
    const isLost = feed.ended || !feed.begun && flow !== undefined;
    if (failure !== null && isLost) this.record.failed(tool, failure);
    if (!feed.ended && !feed.readerLeft) feed.note(failure ?? undefined);
  }

  /**
   * The model asks for the end: lets the pipes to descriptor 1 run to their ends if nothing speaks
   * against it, then judges again. A verdict of `failed` becomes {@linkcode stopped}.
   */
  async attempt(attempt: Attempt): Promise<Verdict> {
    const { record } = this;
    if (attempt.by === "answer") record.says(attempt.text);
    const asked = this.#facts("asked", attempt);
    let verdict = judge(asked);
    if (verdict.kind === "drain") {
      for (const problem of await this.drain()) record.failed("pipe", problem);
      if (this.#descriptors.output.written > 0) record.hasOutput();
      const drained = this.#facts("drained", attempt);
      // A loss reported to the model before counts more than one in the pipes now.
      verdict = judge({ ...drained, lost: asked.lost ?? drained.lost });
    }
    if (verdict.kind === "refused") record.refused(verdict.rule, verdict.message);
    if (verdict.kind === "failed") this.stop(verdict.error);
    if (verdict.kind === "end" && attempt.by === "exit") this.#exitCode = attempt.code;
    return verdict;
  }

  /**
   * Judges the end of a run whose loop is over and whose pipes have drained; `text` is its last.
   * Throws the error of a run that ends as failed.
   */
  outcome(by: "exit" | "answer", text: string): { status: number; writesText: boolean } {
    const code = this.#exitCode ?? 0;
    const verdict = judge(this.#facts("over", by === "exit" ? { by, code, text } : { by, text }));
    if (verdict.kind === "failed") throw verdict.error;
    const isEnd = verdict.kind === "end";
    return { status: isEnd ? verdict.status : code, writesText: isEnd && verdict.writesText };
  }

  #facts(moment: Moment, attempt: Attempt): EndingFacts {
    const { output: { written }, unfed, unread } = this.#descriptors;
    const { lastTurn } = this;
    const stopped = this.#stopped;
    return {
      ...this.record.facts(),
      ...{ moment, attempt, lastTurn, stopped, unfed, unread, written },
    };
  }

  /**
   * Lets the pipes that lead to descriptor 1 run to their ends, but for those that the model never
   * wrote to: it has often forgotten `in_fd` and called again, and `wc` of nothing is 0. Returns the
   * failures in them.
   */
  async drain(): Promise<string[]> {
    const problems: string[] = [];
    for (const flow of this.#descriptors.flows) {
      if (!flow.feed.begun) continue;
      await flow.feed.end();
      await flow.advance(this.#signal);
      const error = flow.takeReport()?.error ?? null;
      if (error !== null) problems.push(error);
    }
    return problems;
  }
}
