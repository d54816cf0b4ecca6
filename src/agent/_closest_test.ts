import assert from "node:assert/strict";
import { closest } from "./_closest.ts";

Deno.test("closest finds one slip, and nothing where too much differs", () => {
  const names = ["read", "write", "pipe", "exit", "read_file"];
  assert.equal(closest("raed", names), "read");
  assert.equal(closest("wirte", names), "write");
  assert.equal(closest("Exit", names), "exit");
  assert.equal(closest("readfile", names), "read_file");
  assert.equal(closest("pip", names), "pipe");
  assert.equal(closest("bash", names), undefined);
  assert.equal(closest("", names), undefined);
  assert.equal(closest("x", []), undefined);
});
