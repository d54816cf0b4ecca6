import assert from "node:assert/strict";
import { quotedWord, shellWord } from "./shell_word.ts";

Deno.test("shellWord quotes where a shell would read something else, or nothing", () => {
  for (const word of ["a", "--allow-read=/x/y,z", "user@host:1", "50%+2"]) {
    assert.equal(shellWord(word), word);
  }
  assert.deepEqual(["a b", "$x", "~", "", "it's"].map(shellWord), [
    "'a b'",
    "'$x'",
    "'~'",
    "''",
    "'it'\\''s'",
  ]);
  assert.equal(quotedWord("a"), "'a'");
});
