import assert from "node:assert/strict";
import { EITHER_CASE, leadingLiteral, requiredLiterals } from "./literal.ts";
import { parsePattern } from "./posix/parse.ts";
import { symbolsOf } from "./utf8.ts";

function treeOf(pattern: string, ignoreCase = false) {
  return parsePattern(symbolsOf(new TextEncoder().encode(pattern)), {
    extended: true,
    dialect: "grep",
    ignoreCase,
    multiline: false,
  }).tree;
}

/** The strings, with letters that stand for both cases as capitals. */
function literals(pattern: string, ignoreCase = false): string {
  const found = requiredLiterals(treeOf(pattern, ignoreCase)).map(({ strings, exact, leads }) =>
    `${exact ? "exact " : ""}${leads ? "first " : ""}${strings.map(shown).join("|")}`
  );
  return found.length === 0 ? "none" : found.join("; ");
}

function shown(text: string): string {
  return text.replace(
    /[\u0100-\u01ff]/g,
    (char) => String.fromCharCode(char.charCodeAt(0) - EITHER_CASE - 32),
  );
}

Deno.test("requiredLiterals finds what every match contains", () => {
  assert.equal(literals("abc"), "exact first abc");
  assert.equal(literals("abc|de"), "exact abc|de");
  assert.equal(literals("ab?c"), "exact abc|ac");
  assert.equal(literals("^abc$"), "first abc");
  assert.equal(literals("x.*error.*y"), "error; first x; y");
  assert.equal(literals("[0-9]+ (404|500) "), " 404 | 500 ; 404|500");
  assert.equal(literals("(abc)+d?"), "first abc");
  assert.equal(literals("a{3}"), "exact first aaa");
  assert.equal(literals("(ab){2,}"), "abab");
  assert.equal(literals("\u00e9"), "exact first \u00c3\u00a9");
});

Deno.test("requiredLiterals finds nothing where nothing is needed", () => {
  for (const pattern of ["a*", ".*", "a|", "[a-z]+", "(a|b|c|d|e)", "a?", "(abc)*"]) {
    assert.equal(literals(pattern), "none", pattern);
  }
});

Deno.test("requiredLiterals takes letters of either case together, but for those that have more", () => {
  assert.equal(literals("hello-1", true), "exact first HELLO-1");
  assert.equal(literals("[hH]ello"), "exact first Hello");
  // The Kelvin sign and the long s are cases of k and s.
  assert.equal(literals("request", true), "exact REQUEST|REQUEsT|REQUE\u00c5\u00bfT");
  assert.equal(literals("[a@]b"), "exact @b|ab");
});

Deno.test("requiredLiterals gives a choice, the most telling first", () => {
  assert.equal(
    literals("ERROR .* (POST|PUT) .*status=[45]"),
    "first ERROR ; status=4|status=5;  POST | PUT ",
  );
});

Deno.test("leadingLiteral finds what every match begins with", () => {
  const lead = (pattern: string) => shown(leadingLiteral(treeOf(pattern)));
  assert.equal(lead("user=u([0-9]+)"), "user=u");
  assert.equal(lead("(user)=(u[0-9])"), "user=u");
  assert.equal(lead("((ab)+)c"), "ab");
  assert.equal(lead("^ab?"), "a");
  assert.equal(lead("a|ab"), "");
  assert.equal(lead("(ab)*c"), "");
  assert.equal(lead("(".repeat(12) + "a[bc]" + ")".repeat(12)), "");
});
