import assert from "node:assert/strict";
import { toolLine } from "./view.ts";

Deno.test("toolLine tells the command or the path of a call, wherever it stands, else the first argument", () => {
  const lines: readonly [string, unknown, string][] = [
    ["read_file", { path: "a.txt" }, 'read_file("a.txt")'],
    ["edit_file", { old_string: "a", new_string: "b", path: "a.txt" }, 'edit_file("a.txt", ...)'],
    ["bash", { timeout: 5, command: "ls" }, 'bash("ls", ...)'],
    ["other", { n: 1, path: null }, "other(1, ...)"],
    ["other", {}, "other()"],
    ["bash", "{bad", 'bash("{bad")'],
  ];
  for (const [name, input, shown] of lines) {
    assert.equal(toolLine(name, input), `[Tool: ${shown}]\n`);
  }
});
