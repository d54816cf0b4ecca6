import assert from "node:assert/strict";
import { statsLine } from "./stats.ts";

Deno.test("statsLine prints calls, tokens and seconds, and tells when tokens are not known", () => {
  const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
  const result = { apiCalls: 2, usage, weightedTokens: 16.5, seconds: 1.234 };
  const some = "2 API calls, 7 tokens in, 3 tokens out, 17 weighted, 1.23 s";
  assert.equal(statsLine(result), some);
  const cached = { ...usage, prompt_tokens_details: { cached_tokens: 2 } };
  assert.equal(statsLine({ ...result, usage: cached }), some.replace("in", "in (2 cached)"));
  const none = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  assert.equal(
    statsLine({ ...result, apiCalls: 1, usage: none, weightedTokens: 0 }),
    "1 API call, tokens not reported, 1.23 s",
  );
});
