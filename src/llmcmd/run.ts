import {
  type AgentEvent,
  type AgentResult,
  type AgentRun,
  type EventError,
  runAgent,
} from "../agent/mod.ts";
import { Quota } from "../llm/mod.ts";
import { Alarm, type FdTable, type Limit, LimitError } from "../streams/mod.ts";
import { messageOf } from "../base/mod.ts";
import { checkedLimits, limitOf, type LlmcmdLimits } from "./limits.ts";
import type { LlmcmdOptions, LlmcmdResult } from "./options.ts";
import { OutputError } from "./output.ts";
import { allTools, conversation, toolsFor } from "./request.ts";
import { Session } from "./session.ts";

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
 * import { run } from "@llmcmd/llmcmd/llmcmd";
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
  return new Run(options);
}

/** One run: the agent's events, with the end of the descriptors' work before its last one. */
class Run implements AgentRun<LlmcmdResult> {
  readonly events: ReadableStream<AgentEvent>;
  readonly result: Promise<LlmcmdResult>;
  readonly #options: LlmcmdOptions;
  readonly #limits: LlmcmdLimits;
  readonly #session: Session;
  readonly #quota: Quota;
  readonly #controller = new AbortController();
  readonly #onAbort = () => this.#controller.abort(this.#options.signal?.reason);
  #settle: (result: LlmcmdResult) => void = () => {};
  #agent:
    | { events: ReadableStreamDefaultReader<AgentEvent>; result: Promise<AgentResult> }
    | undefined;
  readonly #alarm = new Alarm();
  #started = 0;

  constructor(options: LlmcmdOptions) {
    this.#options = options;
    this.#limits = checkedLimits(options.limits);
    const { apiCalls, tokens, tokenWeights } = this.#limits;
    this.#quota = new Quota({
      maxCalls: apiCalls,
      maxTokens: tokens === 0 ? undefined : tokens,
      weights: tokenWeights,
      names: {
        calls: limitOf(this.#limits, "apiCalls").name,
        tokens: limitOf(this.#limits, "tokens").name,
      },
    });
    this.#session = new Session(
      options.fds,
      this.#limits,
      this.#controller.signal,
      options.temp,
    );
    this.result = new Promise((resolve) => this.#settle = resolve);
    this.events = new ReadableStream<AgentEvent>({
      pull: (controller) => this.#pull(controller),
      cancel: (reason) => this.#cancel(reason),
    }, { highWaterMark: 0 });
  }

  async #pull(events: ReadableStreamDefaultController<AgentEvent>): Promise<void> {
    if (this.#started === 0) {
      this.#start();
      const tooLarge = oversized(this.#options.fds, limitOf(this.#limits, "inputBytes"));
      if (tooLarge !== undefined) return await this.#refuse(tooLarge, events);
    }
    this.#agent ??= this.#startAgent();
    const { done, value } = await this.#agent.events.read();
    if (done !== true && value.type !== "run_end") return events.enqueue(value);
    await this.#end(await this.#agent.result, events);
  }

  #start(): void {
    this.#started = Date.now();
    const { signal } = this.#options;
    const { seconds } = this.#limits;
    if (signal?.aborted === true) this.#onAbort();
    signal?.addEventListener("abort", this.#onAbort, { once: true });
    this.#alarm.set(seconds * 1000, () => {
      const limit = limitOf(this.#limits, "seconds");
      const message =
        `The run takes longer than ${limit.name} (${seconds} seconds); raise it to go on`;
      this.#controller.abort(new LimitError(limit, message));
    });
  }

  #startAgent() {
    const all = allTools(this.#session);
    const { events, result } = runAgent({
      ...conversation(this.#options, this.#limits),
      client: this.#options.client,
      quota: this.#quota,
      tools: ({ callsLeft }) => toolsFor(all, callsLeft),
      signal: this.#controller.signal,
      deadline: this.#started + this.#limits.seconds * 1000,
    });
    return { events: events.getReader(), result };
  }

  /** Ends before the first API call. */
  async #refuse(
    error: LimitError,
    events: ReadableStreamDefaultController<AgentEvent>,
  ): Promise<void> {
    events.enqueue({ type: "run_start", model: this.#options.model });
    events.enqueue({ type: "error", error: eventError(error) });
    const result = this.#ended({ reason: "error", error: eventError(error) });
    await this.#release();
    events.enqueue(runEnd(result));
    events.close();
    this.#settle(result);
  }

  async #end(
    agent: AgentResult,
    events: ReadableStreamDefaultController<AgentEvent>,
  ): Promise<void> {
    const ending = await this.#finish(agent, (event) => events.enqueue(event));
    await this.#release();
    const result = this.#ended(ending);
    events.enqueue(runEnd(result));
    events.close();
    this.#settle(result);
  }

  /** Ends what the descriptors still do, and writes the final text. */
  async #finish(
    agent: AgentResult,
    emit: (event: AgentEvent) => void,
  ): Promise<Ending> {
    const { text, error } = agent;
    const session = this.#session;
    const failed = session.failure;
    try {
      if (failed !== undefined) throw failed;
      if (agent.reason === "error" || agent.reason === "abort") {
        return { reason: agent.reason, text, ...(error === undefined ? {} : { error }) };
      }
      if (agent.reason === "stop" || agent.reason === "tool") {
        for (const message of await session.drain()) emit({ type: "warning", message });
      }
      const written = await this.#writeText(text);
      return {
        reason: agent.reason,
        text: written ? "" : text,
        ...(agent.reason === "stop" ? { exitCode: 0 } : {}),
        ...(agent.reason === "tool" ? { exitCode: session.exitCode ?? 0 } : {}),
      };
    } catch (thrown) {
      const reason = this.#controller.signal.aborted ? "abort" : "error";
      emit({ type: "error", error: eventError(thrown) });
      return { reason, text, error: eventError(thrown) };
    }
  }

  /** Writes the text of the last message to descriptor 1, if that got nothing. */
  async #writeText(text: string): Promise<boolean> {
    const { output } = this.#session.descriptors;
    if (text === "" || output.written > 0) return false;
    const line = text.endsWith("\n") ? text : `${text}\n`;
    await output.write(new TextEncoder().encode(line), this.#controller.signal);
    return true;
  }

  #ended({ reason, text = "", error, exitCode }: Ending): LlmcmdResult {
    const { output } = this.#session.descriptors;
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
      seconds: this.#started === 0 ? 0 : (Date.now() - this.#started) / 1000,
    };
  }

  async #cancel(reason: unknown): Promise<void> {
    this.#controller.abort(reason ?? new DOMException("The run was cancelled", "AbortError"));
    await this.#agent?.events.cancel(reason);
    await this.#release();
    const text = (await this.#agent?.result)?.text ?? "";
    const error = eventError(this.#controller.signal.reason);
    this.#settle(this.#ended({ reason: "abort", text, error }));
  }

  /** Leaves nothing open or running. */
  async #release(): Promise<void> {
    await this.#session.descriptors.close();
    this.#alarm.clear();
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
  }
}

type Ending = Pick<LlmcmdResult, "reason" | "error" | "exitCode"> & { text?: string };

function runEnd({ reason, apiCalls, seconds }: LlmcmdResult): AgentEvent {
  return { type: "run_end", reason, api_calls: apiCalls, seconds };
}

/**
 * The error of an input file that is larger than allowed, if there is one. Standard input is
 * limited while it is read: asking it whether it is a file takes 20 ms.
 */
function oversized(fds: FdTable, limit: Limit): LimitError | undefined {
  const stdin = fds.has(0) ? fds.get(0).source : undefined;
  for (const { name, source } of fds.list()) {
    const size = source === stdin ? 0 : source?.at?.size ?? 0;
    if (size <= limit.max) continue;
    return new LimitError(
      limit,
      `${name} (${size} bytes) is larger than ${limit.name} (${limit.max} bytes); raise it to go on`,
    );
  }
  return undefined;
}

function eventError(error: unknown): EventError {
  return {
    name: error instanceof Error ? error.name : "Error",
    message: messageOf(error),
    ...(error instanceof LimitError ? { limit: error.limit } : {}),
  };
}
