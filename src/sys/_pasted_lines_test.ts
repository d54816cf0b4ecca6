import assert from "node:assert/strict";
import { PastedLines } from "./_pasted_lines.ts";

Deno.test("PastedLines makes one line of several, wherever the marks are split", () => {
  const sent = "a\x1b[A\x1b[200~one\r\ntwo\x03\n\tthree\x1b[201~\r";
  for (let at = 0; at <= sent.length; at++) {
    const lines = new PastedLines();
    const typed = [...lines.typed(sent.slice(0, at)), ...lines.typed(sent.slice(at))];
    const keys = typed.map(({ text }) => text).join("");
    // A break between CR and LF is two.
    if (sent[at - 1] === "\r" && sent[at] === "\n") continue;
    // An escape before pasted text is a key of its own.
    if (sent.slice(0, at).endsWith("A\x1b")) continue;
    assert.equal(keys, "a\x1b[Aone\u2424two\u2424\tthree\r", `split at ${at}`);
    assert.equal(lines.read("one\u2424two"), "one\ntwo");
    assert.equal(lines.show("one\ntwo"), "one\u2424two");
  }
});

Deno.test("PastedLines inserts pasted text at once, also where the terminal puts no marks", () => {
  const lines = new PastedLines();
  assert.deepEqual(lines.typed("a\x1b[200~one\ntwo\x1b[201~\r"), [
    { text: "a", whole: false },
    { text: "one\u2424two", whole: true },
    { text: "\r", whole: false },
  ]);
  const long = "long ".repeat(8);
  assert.deepEqual(lines.typed(`${long}\rb\r${long}`), [
    { text: long, whole: true },
    { text: "\rb\r", whole: false },
    { text: long, whole: true },
  ]);
  // What follows an escape may belong to it.
  assert.deepEqual(lines.typed(`\x1b[A${long}`), [{ text: `\x1b[A${long}`, whole: false }]);
  assert.deepEqual(lines.typed("typed"), [{ text: "typed", whole: false }]);
});
