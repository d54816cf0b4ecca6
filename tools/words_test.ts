import assert from "node:assert/strict";
import { countWords } from "./words.ts";

Deno.test("countWords finds doc comments that begin with a question word", () => {
  assert.equal(countWords("/** Whether it is there. */\n/**\n * What it does.\n */"), 2);
  assert.equal(countWords("/** True if it is there. */\n// What it does\n/** Whatever */"), 0);
});

Deno.test("countWords finds turns of phrase that stand for a plain word", () => {
  assert.equal(countWords('/** It is told why. */ const message = "not read for want of";'), 2);
});
