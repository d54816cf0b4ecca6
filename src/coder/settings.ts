import type { CoderLimits } from "./limits.ts";

/** Gives the value of an environment variable, `undefined` when it is not set. */
export type EnvGetter = (name: string) => string | undefined;

/** What the environment says about the model. */
export interface CoderSettings {
  /** `LLM_AUTH_TOKEN`, else `OPENAI_API_KEY`. */
  readonly apiKey?: string;
  /** `LLM_BASE_URL`, else `OPENAI_BASE_URL`, else OpenAI's own. */
  readonly baseUrl: string;
  /** `LLM_DEFAULT_MODEL`, else `LLMCMD_MODEL`, else `gpt-4o-mini`. */
  readonly model: string;
  /** `LLM_SMALL_FAST_MODEL`, else the model. For titles and summaries. */
  readonly smallModel: string;
  /** The limits that the environment sets. */
  readonly limits: Partial<CoderLimits>;
  /** `LLMCMD_FIRST_TOKEN_TIMEOUT`: seconds until an answer begins. */
  readonly firstTokenSeconds?: number;
  /** `LLMCMD_MAX_RETRY_WAIT`: the longest wait that `Retry-After` is given, in seconds. */
  readonly maxRetrySeconds?: number;
}

/** The variables that {@linkcode coderSettings} reads. */
export const coderVariables: readonly string[] = [
  "LLM_AUTH_TOKEN",
  "LLM_BASE_URL",
  "LLM_DEFAULT_MODEL",
  "LLM_SMALL_FAST_MODEL",
  "OPENAI_API_KEY",
  "OPENAI_BASE_URL",
  "LLMCMD_MODEL",
  "LLMCMD_AGENT_BASH_TIMEOUT",
  "LLMCMD_AGENT_CONTEXT",
  "LLMCMD_AGENT_MAX_CALLS",
  "LLMCMD_AGENT_MAX_TOKENS",
  "LLMCMD_FIRST_TOKEN_TIMEOUT",
  "LLMCMD_MAX_RETRY_WAIT",
];

/**
 * Reads the settings (docs/configuration.md, "Coding agent"), each with its fall-back. An empty
 * variable counts as not set.
 *
 * Each falls back on its own: whoever sets `LLM_BASE_URL` only, sends the `OPENAI_API_KEY` there.
 *
 * Throws a `RangeError` for a limit or a time that is not a whole number, or is too small.
 *
 * @example
 * ```ts
 * import { coderSettings } from "@llmcmd/llmcmd/coder";
 * import assert from "node:assert/strict";
 *
 * const env: Record<string, string> = { LLM_DEFAULT_MODEL: "big", OPENAI_API_KEY: "sk-1" };
 * assert.deepEqual(coderSettings((name) => env[name]), {
 *   apiKey: "sk-1",
 *   baseUrl: "https://api.openai.com/v1",
 *   model: "big",
 *   smallModel: "big",
 *   limits: {},
 * });
 * ```
 */
export function coderSettings(env: EnvGetter): CoderSettings {
  const first = (...names: string[]) => names.map((name) => env(name)?.trim()).find((it) => it);
  const apiKey = first("LLM_AUTH_TOKEN", "OPENAI_API_KEY");
  const model = first("LLM_DEFAULT_MODEL", "LLMCMD_MODEL") ?? "gpt-4o-mini";
  const limits: Partial<CoderLimits> = {};
  for (const [name, limit] of LIMITS) {
    const value = first(name);
    if (value !== undefined) limits[limit] = wholeNumber(name, value, limit === "tokens" ? 0 : 1);
  }
  const firstToken = first("LLMCMD_FIRST_TOKEN_TIMEOUT");
  const maxRetry = first("LLMCMD_MAX_RETRY_WAIT");
  return {
    ...(apiKey === undefined ? {} : { apiKey }),
    baseUrl: first("LLM_BASE_URL", "OPENAI_BASE_URL") ?? "https://api.openai.com/v1",
    model,
    smallModel: first("LLM_SMALL_FAST_MODEL") ?? model,
    limits,
    ...(firstToken === undefined
      ? {}
      : { firstTokenSeconds: wholeNumber("LLMCMD_FIRST_TOKEN_TIMEOUT", firstToken, 1) }),
    ...(maxRetry === undefined
      ? {}
      : { maxRetrySeconds: wholeNumber("LLMCMD_MAX_RETRY_WAIT", maxRetry, 0) }),
  };
}

const LIMITS = [
  ["LLMCMD_AGENT_MAX_CALLS", "apiCalls"],
  ["LLMCMD_AGENT_MAX_TOKENS", "tokens"],
  ["LLMCMD_AGENT_CONTEXT", "contextTokens"],
  ["LLMCMD_AGENT_BASH_TIMEOUT", "bashSeconds"],
] as const;

function wholeNumber(name: string, value: string, least: number): number {
  if (/^\d{1,15}$/.test(value) && Number(value) >= least) return Number(value);
  throw new RangeError(
    `Cannot use ${JSON.stringify(value)} for ${name}: give a whole number of at least ${least}`,
  );
}
