import assert from "node:assert/strict";
import { closest } from "./mod.ts";

Deno.test("closest finds the name behind a slip", () => {
  const names = ["read", "write", "pipe", "exit", "read_file"];
  assert.equal(closest("raed", names), "read");
  assert.equal(closest("wirte", names), "write");
  assert.equal(closest("pip", names), "pipe");
  assert.equal(closest("readfile", names), "read_file");
  assert.equal(closest("srot", ["sed", "sort"]), "sort");
  assert.equal(closest("heda", ["head", "sed"]), "head");
  assert.equal(closest("LLMCMD_TIMEOT", ["LLMCMD_MODEL", "LLMCMD_TIMEOUT"]), "LLMCMD_TIMEOUT");
});

Deno.test("closest takes a name in another case as near as the name itself", () => {
  assert.equal(closest("Exit", ["read", "exit"]), "exit");
  assert.equal(closest("openai_api_key", ["OPENAI_API_KEY"]), "OPENAI_API_KEY");
  assert.equal(closest("Raed", ["write", "read"]), "read");
});

Deno.test("closest finds nothing where too much differs", () => {
  assert.equal(closest("bash", ["read", "write", "pipe", "exit"]), undefined);
  assert.equal(closest("ls", ["tr", "wc"]), undefined);
  assert.equal(closest("awk", ["cat", "grep"]), undefined);
  assert.equal(closest("", ["a", "exit"]), undefined);
  assert.equal(closest("x", ["y"]), undefined);
  assert.equal(closest("x", []), undefined);
});

Deno.test("closest allows no more than three edits, however long the name", () => {
  const names = ["LLMCMD_MAX_OUTPUT_BYTES"];
  assert.equal(closest("LLMCMD_MAX_OUT_BYTES", names), "LLMCMD_MAX_OUTPUT_BYTES");
  assert.equal(closest("LLMCMD_MAX_INPUT_BYTES", names), "LLMCMD_MAX_OUTPUT_BYTES");
  assert.equal(closest("LLMCMD_MAX_OUT_BITE", names), undefined);
});

Deno.test("closest gives the nearest, and of equally near ones the first", () => {
  assert.equal(closest("heads", ["heap", "head", "reads"]), "head");
  assert.equal(closest("cot", ["cat", "cut"]), "cat");
});
