import assert from "node:assert/strict";
import { redactor } from "./mod.ts";

Deno.test("redactor hides a secret as it is, in JSON and in an address", () => {
  const redact = redactor(['sk-"a/b"', undefined, "?key=value"]);
  assert.equal(
    redact(`sk-"a/b" ${JSON.stringify('sk-"a/b"')} sk-%22a%2Fb%22 http://h/?key=value`),
    `[secret] "[secret]" [secret] http://h/[secret]`,
  );
});

Deno.test("redactor hides a secret of eight characters within words, a shorter one not", () => {
  const long = redactor(["abcdefgh"]);
  assert.equal(long("xabcdefghx abcdefg"), "x[secret]x abcdefg");
  const short = redactor(["test"]);
  assert.equal(short("Invalid key: test"), "Invalid key: [secret]");
  assert.equal(
    short("Bearer test, tests latest test_1 \u00e9test"),
    "Bearer [secret], tests latest test_1 \u00e9test",
  );
  assert.equal(
    redactor(["?k=1"])("http://host?k=1 http://host?k=12"),
    "http://host[secret] http://host?k=12",
  );
});

Deno.test("redactor leaves text alone where the secret is a placeholder of a few letters", () => {
  const redact = redactor(["x", "key", ""]);
  assert.equal(redact("The context: no key x"), "The context: no key x");
});

Deno.test("redactor hides all of a secret that another one is a part of", () => {
  const redact = redactor(["abcdefgh", "abcdefgh-ijkl"]);
  assert.equal(redact("abcdefgh-ijkl abcdefgh"), "[secret] [secret]");
});

Deno.test("redactor takes a secret literally, whatever characters it has", () => {
  for (
    const secret of [
      "a.c*(+)?[x]{2}",
      "^$|\\/-sk",
      "$& $1 $$ ?",
      "\u{1f600}\u{1f600}sk",
      "\ud800bcdefgh",
    ]
  ) {
    const redact = redactor([secret]);
    assert.equal(redact(`<${secret}> abc`), "<[secret]> abc");
  }
});
