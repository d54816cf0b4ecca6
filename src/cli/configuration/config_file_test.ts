import assert from "node:assert/strict";
import { parseConfig } from "./config_file.ts";

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
