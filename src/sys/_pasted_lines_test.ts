import assert from "node:assert/strict";
import { PastedLines } from "./_pasted_lines.ts";

Deno.test("PastedLines makes one line of several, wherever the marks are split", () => {
  const sent = "a\x1b[A\x1b[200~one\r\ntwo\x03\n\tthree\x1b[201~\r";
  for (let at = 0; at <= sent.length; at++) {
    const lines = new PastedLines();
    const keys = lines.keys(sent.slice(0, at)) + lines.keys(sent.slice(at));
    // A break between CR and LF is two.
    if (sent[at - 1] === "\r" && sent[at] === "\n") continue;
    // An escape before pasted text is a key of its own.
    if (sent.slice(0, at).endsWith("A\x1b")) continue;
    assert.equal(keys, "a\x1b[Aone\u2424two\u2424\tthree\r", `split at ${at}`);
    assert.equal(lines.read("one\u2424two"), "one\ntwo");
    assert.equal(lines.show("one\ntwo"), "one\u2424two");
  }
});
