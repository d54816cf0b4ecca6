import assert from "node:assert/strict";
import { SettingValues } from "../configuration/mod.ts";
import { type RunSettings, runSettings } from "./run_settings.ts";

const PATIENCE_NAMES = {
  firstTokenTimeout: "LLMCMD_FIRST_TOKEN_TIMEOUT",
  maxRetryWait: "LLMCMD_MAX_RETRY_WAIT",
};

function check(values: Record<string, string>, warn: (text: string) => void = () => {}) {
  const settings = new SettingValues("llmcmd");
  const entries = Object.entries(values).map(([key, value]) => ({ key, value, line: 1 }));
  settings.addFile(entries, "rc", warn);
  return runSettings(settings, warn);
}

Deno.test("runSettings has the defaults that docs/configuration.md lists", () => {
  const expected: RunSettings = {
    apiKey: undefined,
    internalModel: "gpt-4o-mini",
    maxTokens: 4096,
    baseUrl: "https://api.openai.com/v1",
    model: "gpt-4o-mini",
    limits: {
      apiCalls: 50,
      tokens: 0,
      tokenWeights: { input: 1, cached: 0.25, output: 4 },
      seconds: 300,
      inputBytes: 10485760,
      outputBytes: 10485760,
      readBufferSize: 4096,
      names: {
        apiCalls: "LLMCMD_MAX_API_CALLS",
        inputBytes: "LLMCMD_MAX_INPUT_BYTES",
        outputBytes: "LLMCMD_MAX_OUTPUT_BYTES",
        seconds: "LLMCMD_TIMEOUT",
        tokens: "LLMCMD_MAX_TOKENS_BUDGET",
      },
    },
    patience: { firstTokenTimeout: Infinity, maxRetryWait: 60_000, names: PATIENCE_NAMES },
  };
  assert.deepEqual(check({}), expected);
});

Deno.test("runSettings takes every key", () => {
  const { apiKey, baseUrl, model, limits, patience } = check({
    OPENAI_API_KEY: "sk-1\n",
    OPENAI_BASE_URL: "http://[::1]:8000/v1/",
    LLMCMD_MODEL: "m",
    LLMCMD_MAX_INPUT_BYTES: "1",
    LLMCMD_MAX_OUTPUT_BYTES: "2",
    LLMCMD_READ_BUFFER_SIZE: "3",
    LLMCMD_MAX_API_CALLS: "4",
    LLMCMD_TIMEOUT: "0.5",
    LLMCMD_MAX_TOKENS_BUDGET: "6",
    LLMCMD_FIRST_TOKEN_TIMEOUT: "0.25",
    LLMCMD_MAX_RETRY_WAIT: "0",
  });
  assert.deepEqual(patience, {
    ...{ firstTokenTimeout: 250, maxRetryWait: 0 },
    names: PATIENCE_NAMES,
  });
  assert.deepEqual([apiKey, baseUrl, model], ["sk-1", "http://[::1]:8000/v1/", "m"]);
  const { inputBytes, outputBytes, readBufferSize, apiCalls, seconds, tokens } = limits;
  assert.deepEqual(
    [inputBytes, outputBytes, readBufferSize, apiCalls, seconds, tokens],
    [1, 2, 3, 4, 0.5, 6],
  );
});

Deno.test("runSettings takes sizes with a unit", () => {
  const { limits } = check({
    LLMCMD_MAX_INPUT_BYTES: "20M",
    LLMCMD_MAX_OUTPUT_BYTES: "1GiB",
    LLMCMD_READ_BUFFER_SIZE: "8k",
  });
  const { inputBytes, outputBytes, readBufferSize } = limits;
  assert.deepEqual([inputBytes, outputBytes, readBufferSize], [20_971_520, 1_073_741_824, 8192]);
});

Deno.test("runSettings names key and file of a wrong value", () => {
  const cases: [Record<string, string>, string][] = [
    [
      { LLMCMD_MAX_API_CALLS: "many" },
      `LLMCMD_MAX_API_CALLS in rc is "many": give a whole number of calls, at least 1`,
    ],
    [
      { LLMCMD_MAX_API_CALLS: "0" },
      `LLMCMD_MAX_API_CALLS in rc is "0": give a whole number of calls, at least 1`,
    ],
    [
      { LLMCMD_MAX_INPUT_BYTES: "10X" },
      `LLMCMD_MAX_INPUT_BYTES in rc is "10X": give a number of bytes, such as 1048576, 64K, ` +
      "20M or 1G, at least 1",
    ],
    [
      { LLMCMD_MAX_OUTPUT_BYTES: "0K" },
      `LLMCMD_MAX_OUTPUT_BYTES in rc is "0K": give a number of bytes, such as 1048576, 64K, ` +
      "20M or 1G, at least 1",
    ],
    [
      { LLMCMD_TIMEOUT: "0" },
      `LLMCMD_TIMEOUT in rc is "0": give a number of seconds above 0, at most 2147483`,
    ],
    [
      { LLMCMD_TIMEOUT: "1e9" },
      `LLMCMD_TIMEOUT in rc is "1e9": give a number of seconds above 0, at most 2147483`,
    ],
    [
      { LLMCMD_FIRST_TOKEN_TIMEOUT: "0" },
      `LLMCMD_FIRST_TOKEN_TIMEOUT in rc is "0": give a number of seconds above 0, at most 2147483`,
    ],
    [
      { LLMCMD_MAX_RETRY_WAIT: "1m" },
      `LLMCMD_MAX_RETRY_WAIT in rc is "1m": give a number of seconds from 0 to 2147483`,
    ],
    [
      { LLMCMD_MAX_TOKENS_BUDGET: "-1" },
      `LLMCMD_MAX_TOKENS_BUDGET in rc is "-1": give a whole number of tokens, or 0 for no limit`,
    ],
    [
      { OPENAI_API_KEY: "sk secret" },
      "OPENAI_API_KEY in rc has a character that no key has, such as a space",
    ],
    [
      { OPENAI_API_KEY: '"sk-secret"' },
      "OPENAI_API_KEY in rc has quotes around it, which are sent: leave them out",
    ],
    [
      { OPENAI_BASE_URL: "localhost:8000" },
      "OPENAI_BASE_URL in rc is not a web address: give one that begins with https:// or " +
      "http://, such as https://api.openai.com/v1",
    ],
    [
      { OPENAI_BASE_URL: "https://user:secret@host/v1" },
      "OPENAI_BASE_URL in rc has a user or password in it: give the key by itself, and an " +
      "address, such as https://api.openai.com/v1",
    ],
  ];
  for (const [values, message] of cases) {
    assert.throws(() => check(values), { name: "ConfigError", message });
  }
});

Deno.test("runSettings warns of a read buffer that read never fills", () => {
  const warnings: string[] = [];
  const { limits } = check(
    { LLMCMD_READ_BUFFER_SIZE: "1000000" },
    (text) => void warnings.push(text),
  );
  assert.equal(limits.readBufferSize, 65536);
  assert.deepEqual(warnings, [
    "LLMCMD_READ_BUFFER_SIZE is 1000000: a read gives at most 65536 bytes",
  ]);
});
