import assert from "node:assert/strict";
import { type Reader, SETTINGS } from "../settings/mod.ts";
import { SettingValues } from "./values.ts";

const BOTH = {
  LLM_AUTH_TOKEN: "sk-llm",
  OPENAI_API_KEY: "sk-openai",
  LLM_BASE_URL: "http://llm/v1",
  OPENAI_BASE_URL: "http://openai/v1",
  LLM_DEFAULT_MODEL: "big",
  LLMCMD_MODEL: "other",
};

function endpoint(reader: Reader, ...sources: Record<string, string>[]) {
  const values = new SettingValues(reader);
  for (const source of sources) values.addEnvironment(new Map(Object.entries(source)));
  const { apiKey, baseUrl, model } = SETTINGS;
  return [values.get(apiKey), values.get(baseUrl), values.get(model)];
}

Deno.test("SettingValues: of synonyms the one counts that the command names first", () => {
  assert.deepEqual(endpoint("agent", BOTH), ["sk-llm", "http://llm/v1", "big"]);
  assert.deepEqual(endpoint("llmcmd", BOTH), ["sk-openai", "http://openai/v1", "other"]);
});

Deno.test("SettingValues: every synonym counts for every command, each on its own", () => {
  const { LLM_AUTH_TOKEN, LLM_BASE_URL, LLM_DEFAULT_MODEL, ...others } = BOTH;
  const llm = { LLM_AUTH_TOKEN, LLM_BASE_URL, LLM_DEFAULT_MODEL };
  for (const reader of ["agent", "llmcmd"] as const) {
    assert.deepEqual(endpoint(reader, llm), ["sk-llm", "http://llm/v1", "big"]);
    assert.deepEqual(endpoint(reader, others), ["sk-openai", "http://openai/v1", "other"]);
    assert.deepEqual(endpoint(reader, { LLM_AUTH_TOKEN: " ", OPENAI_API_KEY: "x" }), [
      ...["x", "https://api.openai.com/v1", "gpt-4o-mini"],
    ]);
  }
});

Deno.test("SettingValues: llmcmd sends no key of OpenAI to the address of the other family", () => {
  const { LLM_AUTH_TOKEN, LLM_BASE_URL, OPENAI_API_KEY, OPENAI_BASE_URL } = BOTH;
  const both = { LLM_BASE_URL, OPENAI_BASE_URL };
  const usual = "https://api.openai.com/v1";
  const cases: [variables: Record<string, string>, llmcmd: string[], agent: string[]][] = [
    [{ LLM_BASE_URL, OPENAI_API_KEY }, ["sk-openai", usual], ["sk-openai", "http://llm/v1"]],
    [{ ...both, LLM_AUTH_TOKEN }, ["sk-llm", "http://llm/v1"], ["sk-llm", "http://llm/v1"]],
    [{ OPENAI_BASE_URL, LLM_AUTH_TOKEN }, ["sk-llm", "http://openai/v1"], [
      ...["sk-llm", "http://openai/v1"],
    ]],
    [{ LLM_BASE_URL, LLM_AUTH_TOKEN, OPENAI_API_KEY }, ["sk-openai", usual], [
      ...["sk-llm", "http://llm/v1"],
    ]],
  ];
  for (const [variables, llmcmd, agent] of cases) {
    assert.deepEqual(endpoint("llmcmd", variables).slice(0, 2), llmcmd);
    assert.deepEqual(endpoint("agent", variables).slice(0, 2), agent);
  }
  const unused = (variables: Record<string, string>, reader: Reader = "llmcmd") => {
    const values = new SettingValues(reader);
    values.addEnvironment(new Map(Object.entries(variables)));
    return values.unusedAddress();
  };
  assert.equal(
    unused({ LLM_BASE_URL, OPENAI_API_KEY }),
    "LLM_BASE_URL in the environment is not used with OPENAI_API_KEY: " +
      "set OPENAI_BASE_URL, or LLM_AUTH_TOKEN in place of OPENAI_API_KEY",
  );
  // The agent uses it; and with a key of its own it is the agent's alone.
  assert.equal(unused({ LLM_BASE_URL, OPENAI_API_KEY }, "agent"), undefined);
  assert.equal(unused({ LLM_BASE_URL, OPENAI_API_KEY, LLM_AUTH_TOKEN }), undefined);
  assert.equal(unused({ ...both, OPENAI_API_KEY }), undefined);
  // In whatever source they are.
  assert.deepEqual(endpoint("llmcmd", { LLM_BASE_URL }, { OPENAI_API_KEY })[1], usual);
  assert.deepEqual(endpoint("llmcmd", { OPENAI_API_KEY }, both)[1], "http://openai/v1");
  const values = new SettingValues("llmcmd");
  values.addOption(SETTINGS.baseUrl, "http://option/v1");
  values.addEnvironment(new Map(Object.entries({ LLM_BASE_URL, OPENAI_API_KEY })));
  assert.equal(values.get(SETTINGS.baseUrl), "http://option/v1");
});

Deno.test("SettingValues: the source that was added first counts, under either name", () => {
  const { OPENAI_API_KEY, LLM_AUTH_TOKEN } = BOTH;
  for (const reader of ["agent", "llmcmd"] as const) {
    assert.equal(endpoint(reader, { OPENAI_API_KEY }, { LLM_AUTH_TOKEN })[0], "sk-openai");
    assert.equal(endpoint(reader, { LLM_AUTH_TOKEN }, { OPENAI_API_KEY })[0], "sk-llm");
  }
  const values = new SettingValues("agent");
  values.addOption(SETTINGS.baseUrl, "localhost");
  values.addEnvironment(new Map(Object.entries(BOTH)));
  assert.throws(() => values.get(SETTINGS.baseUrl), {
    name: "ConfigError",
    message: "--base-url in the command line is not a web address: give one that begins with " +
      "https:// or http://, such as https://api.openai.com/v1",
  });
});

Deno.test("SettingValues: one rule for all commands, and errors with the name that was used", () => {
  for (const reader of ["agent", "llmcmd"] as const) {
    const values = new SettingValues(reader);
    values.addEnvironment(
      new Map([["LLMCMD_FIRST_TOKEN_TIMEOUT", "2.5"], ["LLM_AUTH_TOKEN", "sk x"]]),
    );
    assert.equal(values.get(SETTINGS.firstTokenTimeout), 2.5);
    assert.throws(() => values.get(SETTINGS.apiKey), {
      name: "ConfigError",
      message: "LLM_AUTH_TOKEN in the environment has a character that no key has, such as a space",
    });
  }
});

Deno.test("SettingValues: of one file the last line counts; keys without effect are a warning", () => {
  for (const reader of ["agent", "llmcmd"] as const) {
    const warnings: string[] = [];
    const warn = (text: string) => void warnings.push(text);
    const values = new SettingValues(reader);
    values.addEnvironment(new Map([["OPENAI_API_KEY", "env"]]));
    const entries = [
      { key: "OPENAI_API_KEY", value: "file", line: 1 },
      { key: "LLMCMD_MODEL", value: "a", line: 2 },
      { key: "LLMCMD_MODEL", value: "b", line: 3 },
      { key: "LLMCMD_TIMEOT", value: "1", line: 4 },
      { key: "PATH", value: "1", line: 5 },
      { key: "LLMCMD_AGENT_CONTEXT", value: "1000", line: 6 },
      { key: "LLMCMD_SERVE_TOKEN", value: "1", line: 7 },
    ];
    values.addFile(entries, "one", warn);
    values.addFile([{ key: "LLMCMD_MODEL", value: "c", line: 1 }], "two", warn);
    assert.deepEqual([values.get(SETTINGS.apiKey), values.get(SETTINGS.model)], ["env", "b"]);
    assert.deepEqual(warnings, [
      "one, line 4: the key LLMCMD_TIMEOT is not known; did you mean LLMCMD_TIMEOUT?",
      "one, line 5: the key PATH is not known",
      "one, line 7: LLMCMD_SERVE_TOKEN is read from the environment only",
    ]);
  }
});
