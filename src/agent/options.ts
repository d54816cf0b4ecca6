import type { ChatClient, Message, Quota, Usage } from "../llm/mod.ts";
import type { Registry, ToolResult } from "../tool/mod.ts";
import type { EventError, RunEndReason } from "./events.ts";

/** The state of the run when the tools of a turn are chosen. */
export interface TurnInfo {
  /** Counts from 1. */
  turn: number;
  /** API calls still allowed, the one of this turn included: 1 on the last. */
  callsLeft: number;
}

/** An answer without calls, which ends the run unless it is to go on. */
export interface AnswerEnd {
  /** A final answer, or one that was cut at the token limit. */
  reason: "stop" | "length";
  /** Its text. */
  text: string;
  /** API calls still allowed. */
  callsLeft: number;
}

/** Options of {@linkcode runAgent}. */
export interface AgentOptions {
  /** The client of the model. */
  client: ChatClient;
  /** The model's name at the endpoint. */
  model: string;
  /** The conversation so far: system prompt, user message. Not changed. */
  messages: readonly Message[];
  /** The tools on offer, the same for every turn or chosen anew before each. */
  tools: Registry | ((turn: TurnInfo) => Registry);
  /** Budgets of calls and tokens. Default: a new `Quota` with its defaults. */
  quota?: Quota | undefined;
  /**
   * Estimates the tokens of an answer to `request` where the endpoint does not count them. They
   * count in the quota and make a `usage` event, as real ones do. Default: such tokens are not
   * counted, and a `warning` says so if the quota has a budget of tokens.
   */
  estimateUsage?: ((request: readonly Message[], answer: Message) => Usage) | undefined;
  /** Aborts the run. Its reason becomes the result's error. */
  signal?: AbortSignal | undefined;
  /**
   * Epoch milliseconds after which no retry begins. To end the run then, abort `signal`.
   */
  deadline?: number | undefined;
  /** Default: the model's own. */
  temperature?: number | undefined;
  /** Tokens of one answer at most. Default: the model's own. */
  maxTokens?: number | undefined;
  /**
   * Asked when an answer without calls would end the run: a text goes to the model as a user's
   * message, and the run goes on; `undefined` ends it. What it throws ends the run as an error.
   */
  review?: ((ending: AnswerEnd) => string | undefined | Promise<string | undefined>) | undefined;
  /**
   * Makes the result of a call that failed outside its tool: an unknown tool, input that does not
   * fit, a call that was not run or was cut. Takes the problem and the tool's name as the model
   * wrote it. Must not throw. Default: the problem alone.
   */
  describeFailure?: ((message: string, tool: string) => string) | undefined;
  /** Milliseconds that an aborted tool may take to stop before it is left behind. Default 2,000. */
  toolGrace?: number | undefined;
  /**
   * Is called with what tools show while they run, and the id of their call. A slow receiver slows
   * the tool.
   */
  onOutput?:
    | ((callId: string, chunk: Uint8Array<ArrayBuffer>) => void | Promise<void>)
    | undefined;
  /** Milliseconds since the epoch. Default `Date.now`. */
  now?: (() => number) | undefined;
}

/** The result of a run. */
export interface AgentResult {
  /** The reason of its end. */
  reason: RunEndReason;
  /**
   * The whole conversation, ready to go on with: every tool call is answered, names and arguments
   * of calls are such that no endpoint refuses them (malformed arguments are wrapped in an object).
   * After an abort or a failure it holds what was streamed until then.
   */
  messages: Message[];
  /**
   * The text of the last answer of this run; empty without one. With `reason` `stop` an empty text
   * is an empty answer, which is not among the messages: the program decides whether that is a
   * failure.
   */
  text: string;
  /** The error; present when `reason` is `error` or `abort`. */
  error?: EventError;
  /** The call that ended the run; present when `reason` is `tool`. */
  stoppedBy?: { id: string; name: string; result: ToolResult };
  /** Turns begun. */
  turns: number;
  /** Tokens of the quota so far. */
  usage: Usage;
  /** Weighted tokens of the quota so far. */
  weightedTokens: number;
  /** API calls of the quota so far, every attempt counted. */
  apiCalls: number;
  /** The duration of the run in seconds. */
  seconds: number;
}
