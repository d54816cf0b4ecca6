import assert from "node:assert/strict";
import { nameOnOneLine, printable } from "./mod.ts";

Deno.test("printable escapes what could take a terminal over, and keeps the rest", () => {
  assert.equal(printable("a\tb\n\u65e5\u672c\u{1f600}"), "a\tb\n\u65e5\u672c\u{1f600}");
  assert.equal(
    printable("\x1b[31m\r\x07\x7f\x9b\u202e\u2028\x00"),
    "\\x1b[31m\\x0d\\x07\\x7f\\x9b\\u202e\\u2028\\x00",
  );
});

Deno.test("nameOnOneLine quotes a name that would be more than one line, and no other", () => {
  assert.equal(nameOnOneLine(`my "notes".txt`), `my "notes".txt`);
  assert.equal(nameOnOneLine("a\n- fd 9: b"), `"a\\n- fd 9: b"`);
  assert.equal(nameOnOneLine("a\u2028b"), `"a\u2028b"`);
  assert.equal(nameOnOneLine("\x1b[2J"), `"\\u001b[2J"`);
});
