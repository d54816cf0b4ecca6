import assert from "node:assert/strict";
import { estimateTokens, textTokens } from "./tokens.ts";

Deno.test("textTokens counts four ASCII characters as one, and each other character", () => {
  assert.equal(textTokens(""), 0);
  assert.equal(textTokens("12345678"), 2);
  assert.equal(textTokens("\u007f\n\0 "), 1);
  assert.equal(textTokens("\u0080"), 1);
  assert.equal(textTokens("ab\u65e5\u672ccd"), 3);
  // The halves of a pair.
  assert.equal(textTokens("1234\u{1f642}"), 3);
  assert.equal(textTokens("1234\uffff"), 2);
});

Deno.test("estimateTokens adds six for each message and call", () => {
  const call = {
    id: "a",
    type: "function",
    function: { name: "bash", arguments: "{}{}" },
  } as const;
  const tokens = estimateTokens([
    { role: "user", content: "12345678" },
    { role: "assistant", content: null, tool_calls: [call] },
  ]);
  assert.equal(tokens, 6 + 2 + 6 + 6 + 1 + 1);
});
