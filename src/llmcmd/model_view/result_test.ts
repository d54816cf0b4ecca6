import assert from "node:assert/strict";
import { describeFailure } from "./result.ts";

Deno.test("describeFailure has the form of the tool's results", () => {
  const cases: [tool: string, fields: Record<string, unknown>][] = [
    ["read", { input: "", eof: false, size: 0, error: "No" }],
    ["write", { success: false, size: 0, error: "No" }],
    ["pipe", { success: false, size: 0, error: "No" }],
    ["exit", { success: false, error: "No" }],
    ["awk", { success: false, error: "No" }],
    ["grep", { success: false, error: "No; grep is a command: call pipe with cmd" }],
    ["toString", { success: false, error: "No" }],
  ];
  for (const [tool, fields] of cases) {
    assert.deepEqual(JSON.parse(describeFailure("No", tool)), fields);
  }
});
