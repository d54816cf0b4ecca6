import assert from "node:assert/strict";
import { defaultCoderLimits } from "../../coder/mod.ts";
import { SettingValues } from "../configuration/mod.ts";
import { agentSettings } from "./agent_settings.ts";

function settings(variables: Record<string, string>) {
  const values = new SettingValues("agent");
  values.addEnvironment(new Map(Object.entries(variables)));
  return agentSettings(values);
}

Deno.test("agentSettings has the defaults of the agent, and the model for small tasks", () => {
  const { limits, patience, model, smallModel } = settings({});
  const { apiCalls, tokens, contextTokens, bashSeconds } = defaultCoderLimits;
  assert.deepEqual(limits, {
    ...{ apiCalls, tokens, contextTokens, bashSeconds },
    names: { apiCalls: "LLMCMD_AGENT_MAX_CALLS", tokens: "LLMCMD_AGENT_MAX_TOKENS" },
  });
  const { firstTokenTimeout, maxRetryWait } = patience;
  assert.deepEqual([firstTokenTimeout, maxRetryWait], [300_000, 60_000]);
  assert.deepEqual([model, smallModel], ["gpt-4o-mini", "gpt-4o-mini"]);
});

Deno.test("agentSettings takes every variable", () => {
  const { apiKey, baseUrl, model, smallModel, limits, patience } = settings({
    LLM_AUTH_TOKEN: "",
    OPENAI_API_KEY: "sk-openai",
    OPENAI_BASE_URL: "http://openai/v1",
    LLMCMD_MODEL: "other",
    LLM_SMALL_FAST_MODEL: "small",
    LLMCMD_AGENT_MAX_CALLS: "7",
    LLMCMD_AGENT_MAX_TOKENS: "0",
    LLMCMD_AGENT_CONTEXT: "32000",
    LLMCMD_AGENT_BASH_TIMEOUT: "90",
    LLMCMD_FIRST_TOKEN_TIMEOUT: "2.5",
    LLMCMD_MAX_RETRY_WAIT: "0",
  });
  assert.deepEqual([apiKey, baseUrl, model, smallModel], [
    ...["sk-openai", "http://openai/v1", "other", "small"],
  ]);
  const { apiCalls, tokens, contextTokens, bashSeconds } = limits;
  assert.deepEqual([apiCalls, tokens, contextTokens, bashSeconds], [7, 0, 32_000, 90]);
  const { firstTokenTimeout, maxRetryWait } = patience;
  assert.deepEqual([firstTokenTimeout, maxRetryWait], [2500, 0]);
});

Deno.test("agentSettings refuses limits under which nothing can be done", () => {
  assert.throws(() => settings({ LLMCMD_AGENT_CONTEXT: "big" }), {
    name: "ConfigError",
    message:
      'LLMCMD_AGENT_CONTEXT in the environment is "big": give a whole number of tokens, at least 1',
  });
  assert.throws(() => settings({ LLMCMD_AGENT_MAX_CALLS: "0" }), {
    name: "ConfigError",
    message:
      'LLMCMD_AGENT_MAX_CALLS in the environment is "0": give a whole number of calls, at least 1',
  });
});
