import assert from "node:assert/strict";
import { matchesAnswer } from "./echo.ts";

Deno.test("matchesAnswer finds what comes of the input, and not its echo", () => {
  const done = (text: string) => text.includes("DONE");
  const cases: [output: string, typed: string, matches: boolean][] = [
    ["$ make; echo DONE\n", "make; echo DONE\r", false],
    ["$ make; echo DO", "make; echo DONE\r", false],
    ["$ make; echo DONE", "make; echo DONE\r", false],
    // The line editor broke the line, and two lines came with prompts between them.
    ["$ make; echo \nDONE\nok\n", "make; echo DONE\r", false],
    ["$ true\n$ echo DONE\n", "true\recho DONE\r", false],
    ["$ make; echo DONE\nok\nDONE\n", "make; echo DONE\r", true],
    ["DONE\nDONE\n", "DONE\r", true],
    // The terminal shows nothing of what is typed.
    ["ok\nDONE\n", "make; echo DONE\r", true],
    ["ok\nDONE\n", "x\r", true],
    ["ok\nDONE\n", "", true],
    ["ok\n", "make; echo DONE\r", false],
  ];
  for (const [output, typed, matches] of cases) {
    assert.equal(matchesAnswer(done, output, typed), matches, output);
  }
  // A match that spans both is not an echo.
  const both = (text: string) => text.includes("y\ny\n");
  assert.equal(matchesAnswer(both, "y\ny\n", "y\r"), true);
});
