import assert from "node:assert/strict";
import { requiredLiterals } from "./literal.ts";
import { parsePattern } from "./parse.ts";
import { symbolsOf } from "./utf8.ts";

function literals(pattern: string, ignoreCase = false): string {
  const { tree } = parsePattern(symbolsOf(new TextEncoder().encode(pattern)), {
    extended: true,
    dialect: "grep",
    ignoreCase,
    multiline: false,
  });
  const found = requiredLiterals(tree);
  return found === undefined ? "none" : `${found.exact ? "exact " : ""}${found.strings.join("|")}`;
}

Deno.test("requiredLiterals finds what every match contains", () => {
  assert.equal(literals("abc"), "exact abc");
  assert.equal(literals("abc|de"), "exact abc|de");
  assert.equal(literals("ab?c"), "exact abc|ac");
  assert.equal(literals("^abc$"), "abc");
  assert.equal(literals("x.*error.*y"), "error");
  assert.equal(literals("[0-9]+ (404|500) "), " 404 | 500 ");
  assert.equal(literals("(abc)+d?"), "abc");
  assert.equal(literals("a{3}"), "exact aaa");
  assert.equal(literals("(ab){2,}"), "abab");
  assert.equal(literals("\u00e9"), "exact \u00c3\u00a9");
});

Deno.test("requiredLiterals finds nothing where nothing is needed", () => {
  for (const pattern of ["a*", ".*", "a|", "[a-z]+", "(a|b|c|d|e)", "a?", "(abc)*"]) {
    assert.equal(literals(pattern), "none", pattern);
  }
  assert.equal(literals("hello", true), "none");
});
