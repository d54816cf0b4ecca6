import type { EventError, RunEndReason } from "../agent/mod.ts";
import type { ChatClient, Clock, Message, Usage } from "../llm/mod.ts";
import type { Registry } from "../tool/mod.ts";
import type { CoderLimits } from "./limits.ts";
import type { PromptFacts } from "./prompt.ts";
import type { SessionLog } from "./session_log.ts";
import type { CoderToolsOptions } from "./tools.ts";

/** The options of one turn of the coding agent. */
export interface CoderOptions extends CoderToolsOptions {
  /** The user's message. If absent, the turn goes on where the conversation was interrupted. */
  readonly input?: string | undefined;
  /**
   * The conversation so far, not changed: the `messages` of the last result, or of a resumed
   * session. The system prompt is made anew for each turn, as its facts may have changed; one that
   * was not made here stays.
   */
  readonly messages?: readonly Message[] | undefined;
  /** The client of the model. */
  readonly client: ChatClient;
  /** The model's name at the endpoint. */
  readonly model: string;
  /**
   * The tools, from `coderTools()`. By default they are made for the turn; a program with many
   * turns should make them once, because their schemas take a millisecond.
   */
  readonly tools?: Registry | undefined;
  /** Models to go on with, in this order, when one fails or is missing. */
  readonly fallbackModels?: readonly string[] | undefined;
  /** The model that summarises. Default: `model`. */
  readonly smallModel?: string | undefined;
  /** The facts about the surroundings in the system prompt. */
  readonly facts?:
    | Pick<PromptFacts, "platform" | "sandbox" | "files" | "calls" | "commandTools">
    | undefined;
  /** Limits; those that are not given have their defaults. */
  readonly limits?: Partial<CoderLimits> | undefined;
  /** Stops the turn: the request, or the tool with all its processes. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Stores what happens, so that the session survives a kill of the program; begun with
   * `newSession()`.
   */
  readonly log?: SessionLog | undefined;
  /** Sampling temperature. Default: the model's own. */
  readonly temperature?: number | undefined;
  /** Tokens of one answer at most. Default: the model's own. */
  readonly maxTokens?: number | undefined;
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Waits before an answer that broke off is gone on with. Default: the real time. */
  readonly sleep?: Clock["sleep"] | undefined;
}

/** The result of a turn. */
export interface CoderResult {
  /** The reason of its end; `stop` is the normal one. */
  readonly reason: RunEndReason;
  /**
   * The conversation to go on with: every tool call is answered, also after a failure. It is
   * shorter than before when it was compacted.
   */
  readonly messages: Message[];
  /** The text of the last answer. */
  readonly text: string;
  /** The error; present when `reason` is `error` or `abort`. */
  readonly error?: EventError;
  /** The model that answered last. */
  readonly model: string;
  /** API calls of the turn, retries and compactions included. */
  readonly apiCalls: number;
  /** Tokens of the turn; estimated where the endpoint does not count them. */
  readonly usage: Usage;
  /** Tokens of the turn as the budget counts them. */
  readonly weightedTokens: number;
  /** About how many tokens the conversation has now. */
  readonly contextTokens: number;
  /** The number of times that the conversation was compacted. */
  readonly compactions: number;
  /** The duration of the turn in seconds. */
  readonly seconds: number;
}
