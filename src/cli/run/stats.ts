import type { LlmcmdResult } from "../../llmcmd/mod.ts";

/** The line of `--stats`. */
export function statsLine({ apiCalls, usage, weightedTokens, seconds }: LlmcmdResult): string {
  const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
  return [
    `${apiCalls} API ${apiCalls === 1 ? "call" : "calls"}`,
    `${usage.prompt_tokens} tokens in${cached > 0 ? ` (${cached} cached)` : ""}`,
    `${usage.completion_tokens} tokens out`,
    `${Math.round(weightedTokens)} weighted`,
    `${seconds.toFixed(2)} s`,
  ].join(", ");
}
