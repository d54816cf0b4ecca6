import assert from "node:assert/strict";
import { coderSettings, coderVariables } from "./settings.ts";

const settings = (env: Record<string, string>) => coderSettings((name) => env[name]);

Deno.test("coderSettings takes LLM_ before OPENAI_, each on its own", () => {
  assert.deepEqual(
    settings({
      LLM_AUTH_TOKEN: "sk-llm",
      LLM_BASE_URL: "http://llm/v1",
      LLM_DEFAULT_MODEL: "big",
      LLM_SMALL_FAST_MODEL: "small",
      OPENAI_API_KEY: "sk-openai",
      OPENAI_BASE_URL: "http://openai/v1",
      LLMCMD_MODEL: "other",
    }),
    {
      apiKey: "sk-llm",
      baseUrl: "http://llm/v1",
      model: "big",
      smallModel: "small",
      limits: {},
    },
  );
  assert.deepEqual(
    settings({
      LLM_AUTH_TOKEN: "",
      OPENAI_API_KEY: "sk-openai",
      OPENAI_BASE_URL: "http://openai/v1",
      LLMCMD_MODEL: "other",
      LLMCMD_AGENT_MAX_CALLS: "7",
      LLMCMD_AGENT_MAX_TOKENS: "0",
      LLMCMD_AGENT_CONTEXT: "32000",
      LLMCMD_AGENT_BASH_TIMEOUT: "90",
      LLMCMD_FIRST_TOKEN_TIMEOUT: "600",
      LLMCMD_MAX_RETRY_WAIT: "0",
    }),
    {
      apiKey: "sk-openai",
      baseUrl: "http://openai/v1",
      model: "other",
      smallModel: "other",
      limits: { apiCalls: 7, tokens: 0, contextTokens: 32_000, bashSeconds: 90 },
      firstTokenSeconds: 600,
      maxRetrySeconds: 0,
    },
  );
  assert.equal("apiKey" in settings({}), false);
  assert.throws(() => settings({ LLMCMD_AGENT_CONTEXT: "big" }), {
    name: "RangeError",
    message: 'Cannot use "big" for LLMCMD_AGENT_CONTEXT: give a whole number of at least 1',
  });
});

Deno.test("coderSettings refuses limits under which nothing can be done", () => {
  assert.throws(() => settings({ LLMCMD_AGENT_MAX_CALLS: "0" }), {
    name: "RangeError",
    message: 'Cannot use "0" for LLMCMD_AGENT_MAX_CALLS: give a whole number of at least 1',
  });
});

Deno.test("coderSettings reads no other variables than it names", () => {
  const read = new Set<string>();
  coderSettings((name) => void read.add(name));
  assert.deepEqual([...read].sort(), [...coderVariables].sort());
});
