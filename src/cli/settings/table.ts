import {
  anyText,
  apiKey,
  bytes,
  DEFAULT_BASE_URL,
  type Rule,
  seconds,
  secondsOrNone,
  webAddress,
  wholeNumber,
} from "./rules.ts";
import type { Setting, SettingWithDefault } from "./setting.ts";

/** Makes a row with the type of its value. */
function setting<Value extends string | number>(
  row: SettingWithDefault<Value> & { readonly rule: Rule<Value> },
): SettingWithDefault<Value>;
function setting<Value extends string | number>(
  row: Setting<Value> & { readonly rule: Rule<Value> },
): Setting<Value>;
function setting<Value extends string | number>(row: Setting<Value>): Setting<Value> {
  return row;
}

/** All settings: help, documentation, reading and errors are made from this table. */
export const SETTINGS = {
  apiKey: setting({
    names: {
      llmcmd: ["OPENAI_API_KEY", "LLM_AUTH_TOKEN"],
      agent: ["LLM_AUTH_TOKEN", "OPENAI_API_KEY"],
    },
    rule: apiKey,
    otherwise: "required",
    about: "the key of the endpoint",
  }),
  baseUrl: setting({
    names: {
      llmcmd: ["OPENAI_BASE_URL", "LLM_BASE_URL"],
      agent: ["LLM_BASE_URL", "OPENAI_BASE_URL"],
    },
    rule: webAddress,
    usual: DEFAULT_BASE_URL,
    about: "the endpoint",
    condition: "if OPENAI_API_KEY is not set",
    option: "base-url",
  }),
  model: setting({
    names: {
      llmcmd: ["LLMCMD_MODEL", "LLM_DEFAULT_MODEL"],
      agent: ["LLM_DEFAULT_MODEL", "LLMCMD_MODEL"],
    },
    rule: anyText,
    usual: "gpt-4o-mini",
    about: "the model",
    option: "model",
  }),
  smallModel: setting({
    names: { agent: ["LLM_SMALL_FAST_MODEL"] },
    rule: anyText,
    otherwise: "that of LLM_DEFAULT_MODEL",
    about: "the model for titles and summaries",
  }),
  internalModel: setting({
    names: { llmcmd: ["LLMCMD_INTERNAL_MODEL"] },
    rule: anyText,
    usual: "gpt-4o-mini",
    about: "the model of LLMCMD with top_level false, see fsproxy",
  }),
  inputBytes: setting({
    names: { llmcmd: ["LLMCMD_MAX_INPUT_BYTES"] },
    rule: bytes,
    usual: "10M",
    about: "most bytes of one input",
  }),
  outputBytes: setting({
    names: { llmcmd: ["LLMCMD_MAX_OUTPUT_BYTES"] },
    rule: bytes,
    usual: "10M",
    about: "most bytes of output",
  }),
  readBufferSize: setting({
    names: { llmcmd: ["LLMCMD_READ_BUFFER_SIZE"] },
    rule: bytes,
    usual: "4K",
    about: "bytes of one read for which the model gives no size, at most 64K",
  }),
  apiCalls: setting({
    names: { llmcmd: ["LLMCMD_MAX_API_CALLS"] },
    rule: wholeNumber("calls, at least 1", 1),
    usual: "50",
    about: "most calls of the API, retries counted",
  }),
  seconds: setting({
    names: { llmcmd: ["LLMCMD_TIMEOUT"] },
    rule: seconds,
    usual: "300",
    about: "seconds after which the run is stopped",
  }),
  maxTokens: setting({
    names: { llmcmd: ["LLMCMD_MAX_TOKENS"] },
    rule: wholeNumber("tokens, at least 1", 1),
    usual: "4096",
    about: "most tokens of one answer",
  }),
  tokens: setting({
    names: { llmcmd: ["LLMCMD_MAX_TOKENS_BUDGET"] },
    rule: wholeNumber("tokens, or 0 for no limit", 0),
    usual: "0",
    about: "most weighted tokens of the run; 0 is no limit",
  }),
  firstTokenTimeout: setting({
    names: {
      llmcmd: ["LLMCMD_FIRST_TOKEN_TIMEOUT"],
      agent: ["LLMCMD_FIRST_TOKEN_TIMEOUT"],
    },
    rule: seconds,
    usual: { agent: "300" },
    otherwise: "those of the run",
    about: "seconds until an answer begins or goes on",
  }),
  maxRetryWait: setting({
    names: { llmcmd: ["LLMCMD_MAX_RETRY_WAIT"], agent: ["LLMCMD_MAX_RETRY_WAIT"] },
    rule: secondsOrNone,
    usual: "60",
    about: "most seconds that a Retry-After is waited for",
  }),
  turnCalls: setting({
    names: { agent: ["LLMCMD_AGENT_MAX_CALLS"] },
    rule: wholeNumber("calls, at least 1", 1),
    usual: "100",
    about: "API calls of one turn",
    option: "max-calls",
  }),
  turnTokens: setting({
    names: { agent: ["LLMCMD_AGENT_MAX_TOKENS"] },
    rule: wholeNumber("tokens, or 0 for no limit", 0),
    usual: "5000000",
    about: "weighted tokens of one turn; 0 is no limit",
    option: "max-tokens",
  }),
  contextTokens: setting({
    names: { agent: ["LLMCMD_AGENT_CONTEXT"] },
    rule: wholeNumber("tokens, at least 1", 1),
    usual: "128000",
    about: "tokens that fit the model's context, which is compacted at 80 %",
    option: "context",
  }),
  bashSeconds: setting({
    names: { agent: ["LLMCMD_AGENT_BASH_TIMEOUT"] },
    rule: wholeNumber("seconds, at least 1", 1),
    usual: "30",
    about: "seconds of a command for which the model gives no other time",
    option: "bash-timeout",
  }),
  serveToken: setting({
    names: { serve: ["LLMCMD_SERVE_TOKEN"] },
    rule: anyText,
    otherwise: "the one that it keeps",
    about: "the token that requests must have",
    option: "token",
    environmentOnly: true,
  }),
};

/** The rows in the order of the table. */
export const ROWS: readonly Setting[] = Object.values(SETTINGS);
