import {
  type AgentEvent,
  type AgentResult,
  type AgentRun,
  type AnswerEnd,
  runAgent,
  startRun,
  toEventError,
} from "../agent/mod.ts";
import { LlmError, Quota } from "../llm/mod.ts";
import { Alarm, LimitError, linkAbort } from "../streams/mod.ts";
import { OutputError } from "./descriptors/mod.ts";
import { checkedLimits, checkSizes, limitOf, type LlmcmdLimits } from "./limits.ts";
import { describeFailure } from "./model_view/mod.ts";
import type { LlmcmdOptions, LlmcmdResult } from "./options.ts";
import { allTools, conversation, DEFAULT_MAX_TOKENS, toolsFor } from "./request.ts";
import { RunState } from "./run_state.ts";

/**
 * Runs one task: the model reads, pipes and writes the open descriptors until it is done.
 *
 * The run goes at the pace of whoever reads `events`, and nothing happens before the first read;
 * `follow()` of `agent/` reads them to the end. Cancelling `events` aborts it. Nothing is left open
 * or running afterwards, but the descriptors that were given: they stay their owner's to dispose.
 *
 * Throws a `BadFdError` or a `TypeError` when descriptor 1 is missing or no sink, and a `RangeError`
 * for a limit that makes no sense. All else that can go wrong is in the result.
 *
 * @example
 * ```ts
 * import { follow } from "@llmcmd/llmcmd/agent";
 * import { type ChatClient } from "@llmcmd/llmcmd/llm";
 * import { run } from "@llmcmd/llmcmd";
 * import { FdTable, memorySource, MemorySink } from "@llmcmd/llmcmd/streams";
 *
 * // A model that always answers the same; see openaiClient() for a real one.
 * const client: ChatClient = {
 *   stream: () => ReadableStream.from([
 *     { type: "tool_call", index: 0, id: "1", name: "pipe",
 *       arguments: '{"cmd": "sort", "in_fd": 3, "out_fd": 1}' },
 *     { type: "tool_call", index: 1, id: "2", name: "exit", arguments: "{}" },
 *     { type: "finish", reason: "tool_calls" },
 *   ]),
 * };
 * const out = new MemorySink();
 * const fds = new FdTable();
 * fds.open({ number: 0, name: "stdin", source: memorySource("") });
 * fds.open({ number: 1, name: "stdout", sink: out });
 * fds.open({ number: 3, name: "names.txt", source: memorySource("Bob\nAda\n") });
 * const result = await follow(run({ instructions: "Sort", fds, client, model: "any" }));
 * await fds[Symbol.asyncDispose]();
 * if (result.exitCode !== 0 || out.text() !== "Ada\nBob\n") throw new Error(out.text());
 * ```
 */
export function run(options: LlmcmdOptions): AgentRun<LlmcmdResult> {
  return startRun(options.signal, (signal, settle) => new Run(options, signal).run(settle));
}

/** One run: the agent's events, with the end of the descriptors' work before its last one. */
class Run {
  readonly #options: LlmcmdOptions;
  readonly #limits: LlmcmdLimits;
  readonly #state: RunState;
  readonly #quota: Quota;
  /** Fires when the run is stopped or cancelled. */
  readonly #stopped: AbortSignal;
  /** Fires then, and when the time is over. */
  readonly #stop = new AbortController();
  /** The last warning: emitted when the run goes on after it, and its error if it does not. */
  #warned: string | undefined;

  constructor(options: LlmcmdOptions, stopped: AbortSignal) {
    this.#options = options;
    this.#stopped = stopped;
    this.#limits = checkedLimits(options.limits);
    const { apiCalls, tokens, tokenWeights } = this.#limits;
    this.#quota = new Quota({
      maxCalls: apiCalls,
      maxTokens: tokens === 0 ? undefined : tokens,
      weights: tokenWeights,
      parent: options.quota,
      names: {
        calls: limitOf(this.#limits, "apiCalls").name,
        tokens: limitOf(this.#limits, "tokens").name,
      },
    });
    this.#state = new RunState(options.fds, this.#limits, this.#stop.signal, options.temp);
  }

  /** Runs to the end. Never throws. Gives the result to `settle` before the last event. */
  async *run(settle: (result: LlmcmdResult) => void): Events<void> {
    const started = Date.now();
    const unlink = linkAbort(this.#stopped, this.#stop);
    const alarm = this.#setAlarm();
    let end: RunEnd;
    try {
      yield { type: "run_start", model: this.#options.model };
      end = yield* this.#work(started);
    } catch (thrown) {
      end = yield* this.#failed(thrown);
    } finally {
      // Leaves nothing open or running.
      await this.#state.descriptors.close();
      alarm.clear();
      unlink();
    }
    const result = this.#result(end, (Date.now() - started) / 1000);
    settle(result);
    const { reason, apiCalls, seconds } = result;
    yield { type: "run_end", reason, api_calls: apiCalls, seconds };
  }

  #setAlarm(): Alarm {
    const alarm = new Alarm();
    const { seconds } = this.#limits;
    alarm.set(seconds * 1000, () => {
      const limit = limitOf(this.#limits, "seconds");
      const message =
        `The run takes longer than ${limit.name} (${seconds} seconds); raise it to go on`;
      this.#stop.abort(new LimitError(limit, message));
    });
    return alarm;
  }

  async *#work(started: number): Events<RunEnd> {
    this.#stop.signal.throwIfAborted();
    checkSizes(this.#options.fds, this.#limits);
    const agent = yield* this.#agent(started);
    try {
      return yield* this.#finish(agent);
    } catch (thrown) {
      return { ...yield* this.#failed(thrown), text: agent.text };
    }
  }

  /** Runs the loop; this run emits the events of the beginning and the end itself. */
  async *#agent(started: number): Events<AgentResult> {
    const all = allTools(this.#state);
    const { events, result } = runAgent({
      ...conversation(this.#options, this.#limits),
      client: this.#options.client,
      quota: this.#quota,
      tools: ({ callsLeft }) => {
        this.#state.ending.lastTurn = callsLeft <= 1;
        return toolsFor(all, callsLeft);
      },
      review: (end) => this.#review(end),
      describeFailure,
      signal: this.#stop.signal,
      deadline: started + this.#limits.seconds * 1000,
    });
    for await (const event of events) {
      this.#state.ending.record.note(event);
      if (event.type === "run_start" || event.type === "run_end") continue;
      if (event.type !== "turn_end" && this.#warned !== undefined) {
        yield { type: "warning", message: this.#warned };
        this.#warned = undefined;
      }
      if (event.type === "warning") this.#warned = event.message;
      else yield event;
    }
    return await result;
  }

  /** Sends the model on when its final answer would lose something. */
  async #review({ reason, text }: AnswerEnd): Promise<string | undefined> {
    const { maxTokens = DEFAULT_MAX_TOKENS } = this.#options;
    const verdict = await this.#state.ending.attempt(
      reason === "length" ? { by: "cut", maxTokens } : { by: "answer", text },
    );
    return verdict.kind === "refused" ? verdict.message : undefined;
  }

  /** Ends what the descriptors still do, and writes the final text. */
  async *#finish({ reason, text, error }: AgentResult): Events<RunEnd> {
    const { descriptors, ending } = this.#state;
    // The loop has reported its own error.
    if (ending.stopped !== undefined && reason !== "error") throw ending.stopped;
    if (reason === "error" || reason === "abort") {
      return { reason, text, ...(error === undefined ? {} : { error }) };
    }
    // Whoever cancels a run has not seen its end.
    this.#stop.signal.throwIfAborted();
    if (this.#warned !== undefined) {
      if (reason === "length" || reason === "content_filter") {
        const error = toEventError(new LlmError(this.#warned, { code: reason }));
        yield { type: "error", error };
        return { reason, text, error };
      }
      yield { type: "warning", message: this.#warned };
    }
    if (reason !== "stop" && reason !== "tool") return { reason, text };
    for (const message of await ending.drain()) yield { type: "warning", message };
    const { status, writesText } = ending.outcome(reason === "tool" ? "exit" : "answer", text);
    if (writesText) {
      const line = text.endsWith("\n") ? text : `${text}\n`;
      await descriptors.output.write(new TextEncoder().encode(line), this.#stop.signal);
    }
    return { reason, text: writesText ? "" : text, exitCode: status };
  }

  *#failed(thrown: unknown): Generator<AgentEvent, RunEnd, void> {
    const error = toEventError(thrown);
    yield { type: "error", error };
    return { reason: this.#stop.signal.aborted ? "abort" : "error", error };
  }

  #result({ reason, text = "", error, exitCode }: RunEnd, seconds: number): LlmcmdResult {
    const { output } = this.#state.descriptors;
    return {
      reason,
      ...(exitCode === undefined ? {} : { exitCode }),
      ...(error === undefined ? {} : { error }),
      ...(output.failure instanceof OutputError ? { outputError: output.failure.cause } : {}),
      outputClosed: output.failure instanceof OutputError && output.failure.closedByReader,
      text,
      outputBytes: output.written,
      apiCalls: this.#quota.calls,
      usage: this.#quota.usage,
      weightedTokens: this.#quota.weighted,
      seconds,
    };
  }
}

type Events<Result> = AsyncGenerator<AgentEvent, Result, void>;
type RunEnd = Pick<LlmcmdResult, "reason" | "error" | "exitCode"> & { text?: string };
