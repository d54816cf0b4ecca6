import {
  type ChatDelta,
  DeltaAccumulator,
  type Message,
  Quota,
  type ToolCall,
} from "../llm/mod.ts";
import type { Registry, ToolResult } from "../tool/mod.ts";
import { decodeArguments } from "./_arguments.ts";
import { BegunCalls } from "./_begun_calls.ts";
import { prepareCall, prepareCut, type PreparedCall, runCall, unwrapCall } from "./_call.ts";
import { toEventError } from "./_event_error.ts";
import type { AgentEvent, EventError, RunEndReason } from "./events.ts";
import type { AgentOptions, AgentResult, AnswerEnd } from "./options.ts";
import { sendableCall } from "./sendable_call.ts";
import { turnRequest } from "./turn_request.ts";

/** Milliseconds that an aborted tool may take to stop. */
const TOOL_GRACE = 2_000;

/** The state of one run, and the loop that changes it. */
export class Loop {
  readonly #options: AgentOptions;
  readonly #signal: AbortSignal;
  readonly #quota: Quota;
  readonly #now: () => number;
  readonly #messages: Message[];
  #turns = 0;
  /** Calls of this run so far: ids that an endpoint leaves out go on counting. */
  #calls = 0;
  #text = "";
  #stoppedBy: AgentResult["stoppedBy"];
  #warnedOfUsage = false;

  constructor(options: AgentOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#quota = options.quota ?? new Quota();
    this.#now = options.now ?? Date.now;
    this.#messages = [...options.messages];
  }

  /** Runs to the end. Never throws. Gives the result to `settle` before the last event. */
  async *run(settle: (result: AgentResult) => void): AsyncGenerator<AgentEvent, void, void> {
    const started = this.#now();
    yield { type: "run_start", model: this.#options.model };
    let reason: RunEndReason | undefined;
    let error: EventError | undefined;
    try {
      while (reason === undefined) reason = yield* this.#turn();
    } catch (thrown) {
      const { aborted } = this.#signal;
      reason = aborted ? "abort" : "error";
      error = toEventError(aborted ? this.#signal.reason : thrown);
      yield { type: "error", error };
    }
    const result = this.#result(reason, error, Math.max(0, this.#now() - started) / 1000);
    settle(result);
    yield { type: "run_end", reason, api_calls: result.apiCalls, seconds: result.seconds };
  }

  #result(reason: RunEndReason, error: EventError | undefined, seconds: number): AgentResult {
    return {
      reason,
      messages: this.#messages,
      text: this.#text,
      ...(error === undefined ? {} : { error }),
      ...(this.#stoppedBy === undefined ? {} : { stoppedBy: this.#stoppedBy }),
      turns: this.#turns,
      usage: this.#quota.usage,
      weightedTokens: this.#quota.weighted,
      apiCalls: this.#quota.calls,
      seconds,
    };
  }

  /** One request and the calls of its answer. Gives the reason when the run is over. */
  async *#turn(): AsyncGenerator<AgentEvent, RunEndReason | undefined, void> {
    this.#signal.throwIfAborted();
    const turn = ++this.#turns;
    const { tools: choose } = this.#options;
    const tools = typeof choose === "function"
      ? choose({ turn, callsLeft: this.#quota.callsLeft })
      : choose;
    yield { type: "turn_start", turn };
    const begun = new BegunCalls(tools, this.#signal);
    const answer = yield* this.#answer(tools, begun);
    const calls = answer.toolCalls().map((call) => unwrapCall(call, tools));
    const finish_reason = answer.finishReason ?? "stop";
    let end: RunEndReason | undefined;
    if (calls.length > 0 && finish_reason !== "content_filter") {
      const last = calls.at(-1);
      const cut = finish_reason === "length" && last !== undefined && !isComplete(last);
      yield* this.#join({ ...answer.message(), tool_calls: calls.map(sendableCall) });
      end = yield* this.#runCalls(calls, tools, { cut: cut ? last : undefined, begun });
    } else if (finish_reason === "length" && (yield* this.#goesOn(answer, "length"))) {
      end = undefined;
    } else if (finish_reason === "length" || finish_reason === "content_filter") {
      this.#keepPartial(answer, `the answer was cut off (${finish_reason})`);
      yield { type: "warning", message: CUT[finish_reason] };
      end = finish_reason;
    } else if (answer.refusal === "" && (yield* this.#goesOn(answer, "stop"))) {
      end = undefined;
    } else if (answer.text.trim() === "" && answer.refusal === "") {
      // Nothing to go on with, and endpoints refuse a message that has neither calls nor text.
      end = "stop";
    } else {
      const message = answer.message();
      yield* this.#join({ ...message, content: message.content ?? "" });
      // A reader of the event may have stopped the run meanwhile.
      this.#signal.throwIfAborted();
      const refused = answer.text === "" && answer.refusal !== "";
      if (refused) yield { type: "warning", message: `The model refuses: ${answer.refusal}` };
      end = refused ? "content_filter" : "stop";
    }
    yield { type: "turn_end", turn, finish_reason };
    return end;
  }

  /** Asks the program whether to continue after an answer without calls. */
  async *#goesOn(
    answer: DeltaAccumulator,
    reason: AnswerEnd["reason"],
  ): AsyncGenerator<AgentEvent, boolean, void> {
    const ending = { reason, text: answer.text, callsLeft: this.#quota.callsLeft };
    const content = await this.#options.review?.(ending);
    if (content === undefined) return false;
    // Endpoints refuse a message that has neither calls nor text.
    const message = answer.message();
    if (answer.text !== "") yield* this.#join({ ...message, content: message.content ?? "" });
    yield* this.#join({ role: "user", content });
    this.#signal.throwIfAborted();
    return true;
  }

  /**
   * Streams one answer, and lets calls begin meanwhile. If it breaks off, its beginning is kept.
   */
  async *#answer(
    tools: Registry,
    begun: BegunCalls,
  ): AsyncGenerator<AgentEvent, DeltaAccumulator, void> {
    const { client, deadline } = this.#options;
    const answer = new DeltaAccumulator({ firstCall: this.#calls + 1 });
    const request = turnRequest({ ...this.#options, messages: this.#messages }, tools);
    try {
      const deltas = client.stream(request, {
        signal: this.#signal,
        quota: this.#quota,
        deadline,
      });
      loadAll(tools);
      for await (const delta of deltas) {
        const position = answer.add(delta);
        yield* this.#report(delta);
        if (delta.type !== "tool_call" || position === undefined) continue;
        await begun.push(delta.arguments ?? "", position, () => answer.toolCalls()[position]);
      }
      yield* this.#estimate(request.messages, answer);
      // A client may take an abort for the end.
      this.#signal.throwIfAborted();
    } catch (error) {
      this.#keepPartial(answer, this.#signal.aborted ? STOPPED : "the answer broke off");
      throw error;
    } finally {
      if (answer.finishReason !== undefined || answer.text !== "") this.#text = answer.text;
      this.#calls += answer.toolCalls().length;
    }
    if (answer.usage === undefined) yield* this.#warnOfUsage();
    return answer;
  }

  *#report(delta: ChatDelta): Generator<AgentEvent, void, void> {
    if (delta.type === "text" || delta.type === "retry") yield delta;
    if (delta.type === "usage") {
      yield {
        type: "usage",
        usage: delta.usage,
        total: this.#quota.usage,
        api_calls: this.#quota.calls,
        weighted_tokens: this.#quota.weighted,
      };
    }
  }

  /** Counts estimated tokens where the endpoint counted none and the program has an estimate. */
  *#estimate(
    request: readonly Message[],
    answer: DeltaAccumulator,
  ): Generator<AgentEvent, void, void> {
    const { estimateUsage } = this.#options;
    const told = answer.usage !== undefined || answer.finishReason === undefined;
    if (told || estimateUsage === undefined) return;
    const delta: ChatDelta = { type: "usage", usage: estimateUsage(request, answer.message()) };
    answer.add(delta);
    this.#quota.addUsage(delta.usage);
    yield* this.#report(delta);
  }

  /** Without usage a token budget never ends the run: its owner must know. */
  *#warnOfUsage(): Generator<AgentEvent, void, void> {
    if (this.#quota.maxTokens === undefined || this.#warnedOfUsage) return;
    this.#warnedOfUsage = true;
    const message = "The endpoint does not report how many tokens it used: the budget of " +
      `${this.#quota.maxTokens} weighted tokens cannot be enforced`;
    yield { type: "warning", message };
  }

  /**
   * Keeps an incomplete answer: its text, and those calls whose arguments are complete. It emits no
   * event, as this is not a complete message.
   */
  #keepPartial(answer: DeltaAccumulator, why: string): void {
    const calls = answer.toolCalls().filter(isComplete);
    const { tool_calls: _, extras, ...message } = answer.message();
    if (calls.length > 0) {
      const tool_calls = calls.map(sendableCall);
      this.#messages.push({ ...message, tool_calls, ...(extras === undefined ? {} : { extras }) });
      // Without calls its thinking may be cut, too, and is refused then.
    } else if (answer.text !== "") this.#messages.push(message);
    for (const call of calls) this.#messages.push(this.#notRun(call, why));
  }

  /** Adds a complete message, and emits its event before anything else happens. */
  *#join(message: Message): Generator<AgentEvent, void, void> {
    this.#messages.push(message);
    yield { type: "message", message };
  }

  /**
   * Runs the calls of one message in order, until one ends the run. Answers every one of them, also
   * the one that was `cut` at the token limit.
   */
  async *#runCalls(
    calls: readonly ToolCall[],
    tools: Registry,
    { cut, begun }: { cut: ToolCall | undefined; begun: BegunCalls },
  ): AsyncGenerator<AgentEvent, RunEndReason | undefined, void> {
    for (const [position, call] of calls.entries()) {
      if (this.#stoppedBy !== undefined) {
        yield* this.#join(this.#notRun(call, `${this.#stoppedBy.name} ended the run`));
      } else if (this.#signal.aborted) {
        yield* this.#join(this.#notRun(call, STOPPED));
      } else {
        const prepared = call === cut
          ? await prepareCut(call, tools, this.#options.maxTokens, begun.at(position))
          : await prepareCall(call, tools, begun.at(position));
        yield* this.#runCall(prepared);
      }
    }
    if (this.#stoppedBy !== undefined) return "tool";
    this.#signal.throwIfAborted();
    return undefined;
  }

  #notRun({ id, function: { name } }: ToolCall, why: string): Message {
    return toolMessage(id, this.#describe(`Not run: ${why}`, name));
  }

  #describe(message: string, tool: string): string {
    return this.#options.describeFailure?.(message, tool) ?? message;
  }

  async *#runCall(prepared: PreparedCall): AsyncGenerator<AgentEvent, void, void> {
    const { id, name, input } = prepared;
    yield { type: "tool_start", id, name, input };
    const { onOutput, toolGrace: grace = TOOL_GRACE } = this.#options;
    const { result, leftBehind } = await runCall(prepared, this.#signal, {
      grace,
      describe: (message, tool) => this.#describe(message, tool),
      onOutput: onOutput && ((chunk) => onOutput(id, chunk)),
    });
    if (result.stop === true) this.#stoppedBy = { id, name, result };
    yield* this.#join(toolMessage(id, result.content));
    yield toolEnd(id, name, result);
    if (leftBehind) {
      const message = `Tool ${name} did not stop within ${grace / 1000} s and was left behind`;
      yield { type: "warning", message };
    }
  }
}

function toolMessage(id: string, content: string): Message {
  return { role: "tool", tool_call_id: id, content };
}

/** Loads tools while the model works; the call that needs a tool reports its failure. */
function loadAll(tools: Registry): void {
  for (const tool of tools) tool.load?.().catch(() => {});
}

const STOPPED = "the run was stopped";

const CUT = {
  length: "The answer was cut off at the token limit (finish_reason length)",
  content_filter: "The endpoint withheld the answer (finish_reason content_filter)",
};

function toolEnd(id: string, name: string, result: ToolResult): AgentEvent {
  const { content, error = false, details } = result;
  const event: AgentEvent = { type: "tool_end", id, name, content, error };
  return details === undefined ? event : { ...event, details };
}

/** True where a call of an answer that broke off has all its arguments. */
function isComplete({ function: { name, arguments: text } }: ToolCall): boolean {
  return name !== "" && text.trim() !== "" && decodeArguments(text).ok;
}
