import {
  type AgentEvent,
  type AgentResult,
  type EventError,
  runAgent,
  type RunEndReason,
  toEventError,
} from "../agent/mod.ts";
import { localTime } from "../base/mod.ts";
import { LlmError, type Message, Quota, systemClock, type Usage } from "../llm/mod.ts";
import type { Registry } from "../tool/mod.ts";
import { GO_ON, MOST_BROKEN, pauseAfter } from "./_broken_answer.ts";
import { canFallBack, isBrokenOff, isContextOverflow } from "./_failures.ts";
import { TurnJournal } from "./_journal.ts";
import { compact, type Compaction } from "./compact.ts";
import { recentInstructions } from "./instructions.ts";
import { checkedLimits, type CoderLimits } from "./limits.ts";
import type { CoderOptions, CoderResult } from "./options.ts";
import { instructionsText, isOwnPrompt, systemPrompt } from "./prompt.ts";
import { estimateTokens, estimateUsage, messageText, textTokens } from "./tokens.ts";
import { coderTools } from "./tools.ts";

/** The part of the context from which on a conversation is compacted. */
const FULL = 0.8;
/** Milliseconds that a stopped tool has to end: killing a whole tree of processes may take some. */
const TOOL_GRACE = 5_000;
/** Most times in a row that a conversation is compacted because the endpoint refuses its length. */
const MOST_OVERFLOWS = 3;

type Events<Result> = AsyncGenerator<AgentEvent, Result, void>;
type Ending = Pick<CoderResult, "reason" | "error">;

/** One run of the loop, as far as it went. */
interface Stretch {
  result: AgentResult;
  /** It was stopped because the context is nearly full. */
  full: boolean;
  /** It failed within an answer: what came of that is at the end of the conversation. */
  broken: boolean;
}

/** One turn: runs of the loop, with compactions and changes of the model between them. */
export class Turn {
  readonly #options: CoderOptions;
  readonly #signal: AbortSignal;
  readonly #limits: CoderLimits;
  readonly #quota: Quota;
  readonly #tools: Registry;
  readonly #now: () => number;
  readonly #journal: TurnJournal;
  readonly #fallbacks: string[];
  #model: string;
  #messages: Message[];
  #text = "";
  /** The text of the last answer before it broke off. */
  #begun = "";
  #turns = 0;
  #compactions = 0;
  #overflows = 0;
  /** Answers in a row that broke off. */
  #broken = 0;
  /** About how many tokens the conversation has. */
  #context = 0;
  #full: number;

  constructor(options: CoderOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#limits = checkedLimits(options.limits);
    this.#quota = new Quota({
      maxCalls: this.#limits.apiCalls,
      maxTokens: this.#limits.tokens === 0 ? undefined : this.#limits.tokens,
      names: {
        calls: this.#limits.names.apiCalls ?? "apiCalls",
        tokens: this.#limits.names.tokens ?? "tokens",
      },
    });
    this.#tools = options.tools ?? coderTools(options);
    this.#now = options.now ?? Date.now;
    this.#messages = [...options.messages ?? []];
    this.#journal = new TurnJournal(options.log, this.#now);
    this.#model = options.model;
    this.#fallbacks = [...options.fallbackModels ?? []];
    this.#full = this.#limits.contextTokens * FULL;
  }

  /** Runs to the end. Never throws. Gives the result to `settle` before the last event. */
  async *run(settle: (result: CoderResult) => void): Events<void> {
    const started = this.#now();
    yield { type: "run_start", model: this.#model };
    let ending: Ending;
    try {
      yield* this.#begin();
      ending = yield* this.#work();
    } catch (thrown) {
      const { aborted } = this.#signal;
      const error = toEventError(aborted ? this.#signal.reason : thrown);
      ending = { reason: aborted ? "abort" : "error", error };
      yield { type: "error", error };
    }
    const seconds = Math.max(0, this.#now() - started) / 1000;
    if (ending.error !== undefined) {
      await this.#journal.event({ type: "error", ...ending.error });
    }
    await this.#journal.event({ type: "end", reason: ending.reason, seconds });
    yield* this.#reportJournal();
    settle(this.#result(ending, seconds));
    const api_calls = this.#quota.calls;
    yield { type: "run_end", reason: ending.reason, api_calls, seconds };
  }

  #result(ending: Ending, seconds: number): CoderResult {
    return {
      ...ending,
      messages: this.#messages,
      text: this.#text,
      model: this.#model,
      apiCalls: this.#quota.calls,
      usage: this.#quota.usage,
      weightedTokens: this.#quota.weighted,
      contextTokens: Math.ceil(this.#context),
      compactions: this.#compactions,
      seconds,
    };
  }

  /**
   * Makes the system prompt, and adds what the user says. Both are kept before anything of the answer
   * is shown, but the request does not wait for that.
   */
  async *#begin(): Events<void> {
    const { input } = this.#options;
    yield* this.#prompt();
    if (input !== undefined) {
      const message: Message = { role: "user", content: input };
      this.#messages.push(message);
      this.#journal.begin(message);
    }
    this.#context = estimateTokens(this.#messages);
  }

  /** Puts a new system prompt at the beginning, with the present facts. */
  async *#prompt(): Events<void> {
    const { vfs, facts = {} } = this.#options;
    const at = this.#messages.findIndex(({ role }) => role === "system" || role === "developer");
    const old = this.#messages[at];
    const before = old === undefined ? undefined : messageText(old);
    if (before !== undefined && !isOwnPrompt(before)) return;
    const { files, notices } = await recentInstructions(
      vfs,
      this.#limits.instructionBytes,
      this.#now,
    );
    const told = before !== undefined && before.endsWith(instructionsText(files));
    if (!told) { for (const message of notices) yield* this.#tell("notice", message); }
    const date = localTime(this.#now()).slice(0, 10);
    const content = systemPrompt({ ...facts, root: vfs.root, date, instructions: files });
    if (content === before) return;
    const prompt: Message = { role: "system", content };
    if (old !== undefined) {
      // Not kept in the log: the next turn makes its own.
      this.#messages[at] = prompt;
      return;
    }
    this.#messages.unshift(prompt);
    if (this.#messages.length === 1) this.#journal.begin(prompt);
    else await this.#journal.compaction(this.#messages, 0, 0);
  }

  async *#work(): Events<Ending> {
    for (;;) {
      this.#signal.throwIfAborted();
      if (this.#context >= this.#full) yield* this.#makeRoom();
      const { result, full, broken } = yield* this.#stretch();
      if (full) continue;
      const { reason, error = this.#silence(result) } = result;
      if (error === undefined || reason === "abort") {
        if (isSilent(result)) {
          yield* this.#tell("warning", `Model ${this.#model} said nothing more`);
        }
        return ending(reason, error);
      }
      const goesOn = yield* this.#recover(error, broken);
      if (!goesOn) return ending("error", error);
    }
  }

  /** The failure of a model that does nothing and says nothing. */
  #silence(result: AgentResult): EventError | undefined {
    const last = this.#messages.at(-1)?.role;
    if (!isSilent(result) || last === "tool" || last === "assistant") return undefined;
    const message = `Model ${this.#model} answered with nothing, neither text nor a call`;
    return toEventError(new LlmError(message, { code: "protocol" }));
  }

  /** Runs the loop until it ends, or the context is nearly full. */
  async *#stretch(): Events<Stretch> {
    const { temperature, maxTokens } = this.#options;
    const run = runAgent({
      client: this.#options.client,
      model: this.#model,
      messages: this.#messages,
      tools: this.#tools,
      onOutput: this.#options.onOutput,
      quota: this.#quota,
      // Budgets and compaction need a number.
      estimateUsage,
      signal: this.#signal,
      temperature,
      maxTokens,
      toolGrace: TOOL_GRACE,
      now: this.#now,
    });
    const first = this.#turns;
    /** The number of messages that were emitted, or there before. */
    let told = this.#messages.length;
    const reader = run.events.getReader();
    let full = false;
    let calls = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const event = next.value;
      if (event.type === "turn_start") calls = 0;
      if (event.type === "tool_start") calls++;
      if (event.type === "message") told++;
      this.#count(event);
      // Before the calls of an answer run, and before those who watch see anything of it.
      await this.#journal.note(event, this.#model);
      yield* this.#reportJournal();
      yield* this.#forwarded(event, first);
      if (event.type === "turn_end" && calls > 0 && this.#context >= this.#full) {
        full = true;
        await reader.cancel("The context is nearly full");
        break;
      }
    }
    const result = await run.result;
    this.#messages = result.messages;
    if (result.text !== "") this.#text = this.#begun + result.text;
    this.#begun = "";
    if (result.error !== undefined) this.#dropForNext(result.error, told);
    const broken = result.reason === "error" && this.#messages.length > told;
    await this.#journal.messages(this.#messages.slice(told));
    return { result, full, broken };
  }

  /** Events of the loop as those of the turn: some are the turn's own to say. */
  *#forwarded(event: AgentEvent, first: number): Generator<AgentEvent, void, void> {
    if (event.type === "run_start" || event.type === "run_end") return;
    if (event.type === "turn_start" || event.type === "turn_end") {
      this.#turns = first + event.turn;
      yield { ...event, turn: this.#turns };
    } else if (event.type === "error") {
      // The turn may recover from a failure. Final ones are reported later.
      if (this.#signal.aborted) yield event;
    } else yield event;
  }

  /** Keeps account of the context's size, and of failures in a row. */
  #count(event: AgentEvent): void {
    if (event.type === "usage") {
      this.#context = event.usage.prompt_tokens + event.usage.completion_tokens;
    } else if (event.type === "tool_end") this.#context += textTokens(event.content);
    else if (event.type === "turn_end") this.#overflows = this.#broken = 0;
  }

  /** Removes the beginning of an answer where another model will answer anew. */
  #dropForNext(error: EventError, told: number): void {
    const last = this.#messages.at(-1);
    const partial = last?.role === "assistant" && last.tool_calls === undefined;
    const asksNext = this.#fallbacks.length > 0 && canFallBack(error) && !isBrokenOff(error);
    if (partial && asksNext && this.#messages.length > told) this.#messages.pop();
  }

  /**
   * After a failure, `broken` within an answer: whether there is something else to try. Reports the
   * failure if not.
   */
  async *#recover(error: EventError, broken: boolean): Events<boolean> {
    if (broken && isBrokenOff(error) && this.#broken < MOST_BROKEN) {
      yield* this.#goOn(error);
      return true;
    }
    if (error.name === "LlmError" && isContextOverflow(error)) {
      yield* this.#makeRoom(error);
      return true;
    }
    const next = canFallBack(error) ? this.#fallbacks.shift() : undefined;
    if (next === undefined) {
      yield { type: "error", error };
      return false;
    }
    const message = `Model ${this.#model} failed (${error.message}): going on with ${next}`;
    yield* this.#tell("warning", message);
    this.#model = next;
    return true;
  }

  /** Waits for the connection to come back, and has the model go on where its answer ends. */
  async *#goOn(error: EventError): Events<void> {
    const attempt = ++this.#broken;
    const delay = pauseAfter(attempt);
    yield { type: "retry", attempt, delay, error: error.message };
    await (this.#options.sleep ?? systemClock.sleep)(delay, this.#signal);
    // Calls are answered as not run: the model sees that, and needs no word of the user.
    if (this.#messages.at(-1)?.role !== "assistant") return;
    this.#begun = this.#text;
    this.#messages.push(GO_ON);
    await this.#journal.messages([GO_ON]);
    this.#context = estimateTokens(this.#messages);
  }

  /**
   * Compacts the conversation: because it is nearly too long, or because the endpoint said that it
   * is. Then each attempt keeps less.
   */
  async *#makeRoom(refused?: EventError): Events<void> {
    const size = estimateTokens(this.#messages);
    // The endpoint's count may be larger than our estimate.
    const scale = Math.min(1, size / Math.max(1, this.#context));
    let keepTokens = scale * Math.min(this.#limits.keepTokens, this.#limits.contextTokens / 4);
    if (refused !== undefined) {
      this.#overflows++;
      if (this.#overflows > MOST_OVERFLOWS) throw this.#tooLong(refused.message);
      keepTokens = Math.min(keepTokens, size / 4 ** this.#overflows);
    }
    const spent = this.#quota.usage;
    try {
      const { messages, before, after } = await this.#compact(keepTokens)
        .finally(() => this.#keepUsage(spent));
      this.#messages = messages;
      this.#context = after;
      this.#compactions++;
      await this.#journal.compaction(messages, before, after);
      const message = `Compacted the conversation from about ${before} to ${after} tokens`;
      yield* this.#tell("notice", message);
    } catch (error) {
      if (!(error instanceof RangeError) || this.#signal.aborted) throw error;
      if (refused !== undefined) throw this.#tooLong(refused.message);
      // The estimate may be wrong: the endpoint decides.
      this.#full = Infinity;
    }
  }

  async #compact(keepTokens: number): Promise<Compaction> {
    const { client, smallModel = this.#model } = this.#options;
    const options = {
      client,
      keepTokens,
      readTokens: this.#limits.contextTokens * 0.75,
      signal: this.#signal,
      quota: this.#quota,
    };
    try {
      return await compact(this.#messages, { ...options, model: smallModel });
    } catch (error) {
      const other = error instanceof LlmError && smallModel !== this.#model;
      if (!other) throw error;
      return await compact(this.#messages, { ...options, model: this.#model });
    }
  }

  /** The log has the tokens of all requests, not only of those that the loop makes. */
  async #keepUsage(before: Usage): Promise<void> {
    const { prompt_tokens, completion_tokens } = this.#quota.usage;
    const prompt = prompt_tokens - before.prompt_tokens;
    const completion = completion_tokens - before.completion_tokens;
    if (prompt + completion === 0) return;
    const { smallModel: model = this.#model } = this.#options;
    const tokens = { prompt_tokens: prompt, completion_tokens: completion };
    await this.#journal.event({ type: "usage", model, ...tokens });
  }

  #tooLong(why: string): LlmError {
    return new LlmError(
      `The conversation does not fit the context of ${this.#model}, also compacted (${why}): ` +
        "begin a new one, say less at once, or use a model with a larger context",
      { code: "context_length_exceeded" },
    );
  }

  async *#tell(type: "notice" | "warning", message: string): Events<void> {
    const event: AgentEvent = { type, message };
    await this.#journal.note(event, this.#model);
    yield event;
    yield* this.#reportJournal();
  }

  *#reportJournal(): Generator<AgentEvent, void, void> {
    const message = this.#journal.takeFailure();
    if (message !== undefined) yield { type: "warning", message };
  }
}

/** True where the model's last answer is empty. */
function isSilent({ reason, text }: AgentResult): boolean {
  return reason === "stop" && text.trim() === "";
}

function ending(reason: RunEndReason, error: EventError | undefined): Ending {
  return { reason, ...(error === undefined ? {} : { error }) };
}
