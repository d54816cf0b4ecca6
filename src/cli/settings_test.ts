import assert from "node:assert/strict";
import { parseConfig } from "./config_file.ts";
import type { Setting } from "./endpoint_settings.ts";
import type { Key } from "./pages/mod.ts";
import { addEntries, checkSettings, type Settings } from "./settings.ts";

Deno.test("parseConfig reads keys, comments, quotes and export", () => {
  const text = [
    "\ufeff# a comment",
    "",
    "OPENAI_API_KEY=sk-1",
    "  export  LLMCMD_MODEL = gpt-4o   # the good one",
    "A='single # \" $x'",
    'B="double \\" \\\\ \\$x \\n"  # comment',
    "C=a#b",
    "D=",
    "E=#nothing",
    "F=with spaces inside  ",
  ].join("\r\n");
  assert.deepEqual(parseConfig(text, "rc"), [
    { key: "OPENAI_API_KEY", value: "sk-1", line: 3 },
    { key: "LLMCMD_MODEL", value: "gpt-4o", line: 4 },
    { key: "A", value: 'single # " $x', line: 5 },
    { key: "B", value: 'double " \\ $x \\n', line: 6 },
    { key: "C", value: "a#b", line: 7 },
    { key: "D", value: "", line: 8 },
    { key: "E", value: "", line: 9 },
    { key: "F", value: "with spaces inside", line: 10 },
  ]);
});

Deno.test("parseConfig names file and line, and never shows a value", () => {
  for (const line of ["sk-secret", "9KEY=sk-secret", "=sk-secret"]) {
    assert.throws(() => parseConfig(`A=1\n${line}`, "rc"), {
      name: "ConfigError",
      message: "rc, line 2: not a line like KEY=value",
    });
  }
  for (const value of ["'sk-secret", '"sk-secret', "'sk' secret"]) {
    assert.throws(() => parseConfig(`OPENAI_API_KEY=${value}`, "rc"), {
      message: "rc, line 1: the value of OPENAI_API_KEY has a quote without an end",
    });
  }
});

function check(values: Partial<Record<Key, string>>, warn: (text: string) => void = () => {}) {
  const settings = new Map<Key, Setting>();
  const entries = Object.entries(values).map(([key, value]) => ({ key, value, line: 1 }));
  addEntries(settings, entries, "rc", warn);
  return checkSettings(settings, warn);
}

Deno.test("checkSettings has the defaults that docs/configuration.md lists", () => {
  const expected: Settings = {
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
    patience: { firstTokenTimeout: Infinity, maxRetryWait: 60_000 },
  };
  assert.deepEqual(check({}), expected);
});

Deno.test("checkSettings takes every key", () => {
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
  assert.deepEqual(patience, { firstTokenTimeout: 250, maxRetryWait: 0 });
  assert.deepEqual([apiKey, baseUrl, model], ["sk-1", "http://[::1]:8000/v1/", "m"]);
  const { inputBytes, outputBytes, readBufferSize, apiCalls, seconds, tokens } = limits;
  assert.deepEqual(
    [inputBytes, outputBytes, readBufferSize, apiCalls, seconds, tokens],
    [1, 2, 3, 4, 0.5, 6],
  );
});

Deno.test("checkSettings takes sizes with a unit", () => {
  const { limits } = check({
    LLMCMD_MAX_INPUT_BYTES: "20M",
    LLMCMD_MAX_OUTPUT_BYTES: "1GiB",
    LLMCMD_READ_BUFFER_SIZE: "8k",
  });
  const { inputBytes, outputBytes, readBufferSize } = limits;
  assert.deepEqual([inputBytes, outputBytes, readBufferSize], [20_971_520, 1_073_741_824, 8192]);
});

Deno.test("checkSettings names key and file of a wrong value", () => {
  const cases: [Partial<Record<Key, string>>, string][] = [
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
      `LLMCMD_MAX_RETRY_WAIT in rc is "1m": give a number of seconds, at most 2147483`,
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

Deno.test("addEntries: what came first counts, of one file the last line; unknown keys warn", () => {
  const warnings: string[] = [];
  const warn = (text: string) => void warnings.push(text);
  const settings = new Map<Key, Setting>([
    ["OPENAI_API_KEY", { value: "env", from: "the environment" }],
  ]);
  const entries = [
    { key: "OPENAI_API_KEY", value: "file", line: 1 },
    { key: "LLMCMD_MODEL", value: "a", line: 2 },
    { key: "LLMCMD_MODEL", value: "b", line: 3 },
    { key: "LLMCMD_TIMEOT", value: "1", line: 4 },
    { key: "PATH", value: "1", line: 5 },
  ];
  addEntries(settings, entries, "one", warn);
  addEntries(settings, [{ key: "LLMCMD_MODEL", value: "c", line: 1 }], "two", warn);
  assert.deepEqual([...settings], [
    ["OPENAI_API_KEY", { value: "env", from: "the environment" }],
    ["LLMCMD_MODEL", { value: "b", from: "one" }],
  ]);
  assert.deepEqual(warnings, [
    "one, line 4: the key LLMCMD_TIMEOT is not known; did you mean LLMCMD_TIMEOUT?",
    "one, line 5: the key PATH is not known",
  ]);
});

Deno.test("checkSettings warns of a read buffer that read never fills", () => {
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
