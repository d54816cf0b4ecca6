import { LimitError } from "../streams/mod.ts";
import type { Usage } from "./wire.ts";

/** The weight of one token of each kind against the budget. */
export interface TokenWeights {
  /** A token of the prompt that the endpoint had not cached. */
  input: number;
  /** A token of the prompt that came from the endpoint's cache. */
  cached: number;
  /** A token of the answer. */
  output: number;
}

/** Budgets of a {@linkcode Quota}. */
export interface QuotaOptions {
  /** API calls allowed, every attempt counted. Default 50. */
  maxCalls?: number;
  /** Weighted tokens allowed. Default: no limit. */
  maxTokens?: number | undefined;
  /** Default `{ input: 1, cached: 0.25, output: 4 }`. */
  weights?: TokenWeights;
  /** Names of the limits in errors: the settings that raise them. Default: the fields' names. */
  names?: { calls: string; tokens: string };
  /** A budget of several runs: what is counted here is counted there too, and the lesser holds. */
  parent?: Quota | undefined;
}

/**
 * Counts the API calls and tokens of one run and ends it when a budget is spent.
 *
 * A call is refused when all are used up, or when the weighted tokens of the answers so far have
 * reached the budget: the answer that crosses it is still received.
 *
 * @example
 * ```ts
 * import { Quota } from "@llmcmd/llmcmd/llm";
 * import assert from "node:assert/strict";
 *
 * const quota = new Quota({ maxCalls: 1 });
 * quota.startCall();
 * quota.addUsage({
 *   prompt_tokens: 100,
 *   completion_tokens: 10,
 *   total_tokens: 110,
 *   prompt_tokens_details: { cached_tokens: 40 },
 * });
 * assert.equal(quota.weighted, 60 * 1 + 40 * 0.25 + 10 * 4);
 * assert.throws(() => quota.startCall(), { name: "LimitError" });
 * ```
 */
export class Quota {
  /** API calls allowed. */
  readonly maxCalls: number;
  /** Weighted tokens allowed; `undefined` is no limit. */
  readonly maxTokens: number | undefined;
  readonly #weights: TokenWeights;
  readonly #names: { calls: string; tokens: string };
  readonly #parent: Quota | undefined;
  #calls = 0;
  #prompt = 0;
  #cached = 0;
  #completion = 0;
  #total = 0;

  /** Begins at zero. Throws a `RangeError` for a budget that is not a number of at least 0. */
  constructor(options: QuotaOptions = {}) {
    this.maxCalls = budget("maxCalls", options.maxCalls ?? 50);
    this.maxTokens = options.maxTokens === undefined
      ? undefined
      : budget("maxTokens", options.maxTokens);
    const weights = options.weights ?? { input: 1, cached: 0.25, output: 4 };
    this.#weights = {
      input: budget("weights.input", weights.input),
      cached: budget("weights.cached", weights.cached),
      output: budget("weights.output", weights.output),
    };
    this.#names = options.names ?? { calls: "maxCalls", tokens: "maxTokens" };
    this.#parent = options.parent;
  }

  /** Counts one API call. Throws a `LimitError` when a budget is spent. */
  startCall(): void {
    if (this.#calls >= this.maxCalls) {
      throw spent(this.#names.calls, this.maxCalls, "API calls");
    }
    if (this.maxTokens !== undefined && this.weighted >= this.maxTokens) {
      throw spent(this.#names.tokens, this.maxTokens, "weighted tokens");
    }
    this.#parent?.startCall();
    this.#calls++;
  }

  /** Counts the tokens of one answer. */
  addUsage(usage: Usage): void {
    this.#parent?.addUsage(usage);
    this.#prompt += usage.prompt_tokens;
    this.#cached += Math.min(
      usage.prompt_tokens_details?.cached_tokens ?? 0,
      usage.prompt_tokens,
    );
    this.#completion += usage.completion_tokens;
    this.#total += usage.total_tokens;
  }

  /** API calls made, every attempt counted. */
  get calls(): number {
    return this.#calls;
  }

  /** API calls still allowed. */
  get callsLeft(): number {
    const own = Math.max(0, this.maxCalls - this.#calls);
    return Math.min(own, this.#parent?.callsLeft ?? own);
  }

  /** Tokens of all answers so far. */
  get usage(): Usage {
    return {
      prompt_tokens: this.#prompt,
      completion_tokens: this.#completion,
      total_tokens: this.#total,
      prompt_tokens_details: { cached_tokens: this.#cached },
    };
  }

  /** Tokens so far by weight: (prompt - cached) * input + cached * cached + completion * output. */
  get weighted(): number {
    const { input, cached, output } = this.#weights;
    return (this.#prompt - this.#cached) * input + this.#cached * cached +
      this.#completion * output;
  }
}

function budget(name: string, value: number): number {
  if (value >= 0) return value;
  throw new RangeError(`Cannot use ${value} for ${name}: give a number of at least 0`);
}

function spent(name: string, max: number, unit: string): LimitError {
  return new LimitError({ name, max }, `Reached ${name} (${max} ${unit}); raise it to go on`);
}
