import type { LlmcmdResult } from "../../llmcmd/mod.ts";

/** The line of `--stats`. */
export function statsLine(
  { apiCalls, usage, weightedTokens, seconds }: Pick<
    LlmcmdResult,
    "apiCalls" | "usage" | "weightedTokens" | "seconds"
  >,
): string {
  const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
  // Every request has tokens, so with 0 the endpoint does not report them.
  const tokens = usage.total_tokens === 0 ? ["tokens not reported"] : [
    `${usage.prompt_tokens} tokens in${cached > 0 ? ` (${cached} cached)` : ""}`,
    `${usage.completion_tokens} tokens out`,
    `${Math.round(weightedTokens)} weighted`,
  ];
  const calls = `${apiCalls} API ${apiCalls === 1 ? "call" : "calls"}`;
  return [calls, ...tokens, `${seconds.toFixed(2)} s`].join(", ");
}
