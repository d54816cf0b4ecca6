import assert from "node:assert/strict";
import { type Case, gnuErrors, gnuOutputs, ourAnswer } from "../gnu/_testing.ts";
import { compileRegex, RegexError, RegexLimitError, type RegexOptions } from "../mod.ts";

const encoder = new TextEncoder();

/** Offsets of the first match of `pattern` in `text`, as text. */
function first(pattern: string, text: string, options: RegexOptions): string {
  const bytes = encoder.encode(text);
  return compileRegex(pattern, options).exec(bytes, 0, bytes.length)?.join() ?? "none";
}

function errorOf(pattern: string, options: RegexOptions): string {
  try {
    compileRegex(pattern, options);
    return "";
  } catch (error) {
    assert.ok(error instanceof RegexError || error instanceof RegexLimitError);
    return error.message;
  }
}

const basicPatterns = String.raw`
a\) a\( \) \( *a a** a\{1 a\{,3\} a\{1,2 a\{,\} a\{\} a\{1,\} \(\) a\|\|b \+a \(*a\) \(\+a\) a\|*b
a\{2,1\} a\{99999\} a\{1a\} [b-a] [[:foo:]] [[:ALPHA:]] [:space:] [:alpha:x] [[:alpha:][:digit:]]
\(a\)\2 \(a\1\) \(a\)\1 \(a\)\|\1 [[.aa.]] [[.a.]] [[=a=]] [[=ab=]] [[.-.]] [[.space.]] ^*a ^*
\(^*a\) \(^a\) \(a^b\) a^b a$b ^^a \(^^a\) a\|^b a$\|b \(a$\) $a a$$ ^$ $^ x\{ x\{a \q a\?* a\+* a*\{2\}
[]a] []-a] [^]a] [^]-a] [a-] [-a] [--c] [a-c-e] [[:alpha:]-z] [a-[:alpha:]] [a\] [\]] [a-[.c.]]
[[=a=]-c] \w\W\s\S \bab\b \<ab\> \Bb a\Bb ${"\\`"}ab ab\' a.b a[.]b a\.b a\*b a\{2\} \(ab\)\{2\} \(a*\)*
\(a\|b\)\{0\}x a\{0\} .* ^.*$ [^a] [[:upper:]] [[:punct:]]* \(\(a\)\|b\)* a\b*b a\b* \b* a\>*b a\b\{x \(a\b\?\)b a\b\{2\}b \(a\b*\)
`.trim().split(/\s+/);

const extendedPatterns = String.raw`
a) a( ) ( *a a** a{1 a{,3} a{1,2 a{,} a{} a{1,} () a||b | (|a) (a|) +a ?a (*a) (+a) a|*b {1}a {a { x{
x{a a{2,1} a{99999} a{1a} [b-a] (a)\2 (a\1) (a)\1 (a)|\1 ((a)\2) ^*b ^* a$* a$b a^b (^a) (a$) ^^a a$$
()* ()+ (a*)+ (a+)* a{1}{2} a+? a*? a?? a{2}* \(a \) \{ \} \| \. a|b|ab (a|ab)(c|bcd)(d*) x*
(a?)(ab)?(abcd)? ${"\\`"}a a\' \<a \bb [[:digit:]]+ (a{0})b a{0,0}b {,2} a{1,2}{2} (a|b)*ab ((a)|b)* [a
(\b*) (*) (^*) (a|*) (\b*a) (\b*)) (^*)) (**) ($*) \b*|a (\b{2}) (a|\b?)b x^*y a\b{2,1} (\b*)\1 (\b*))\1
({1}*) {1}{1} \b*{x (a)\b*\1 a^{2} ^{2}a (\<+a)
`.trim().split(/\s+/);

const lines = [
  ..."ab b *a a) +a a^b a$b ^a a** aab abcd {1}a a{1 {a x{ x{a ^^a a$ a$$ $a ^* ] - \\ a\\ a] q 12"
    .split(" "),
  ...[
    "",
    " ",
    "a b",
    "AB",
    "foo ab bar",
    "ab_",
    "a.b",
    "a*b",
    "abab",
    "aa",
    "aaa",
    "a{}",
    "(a",
    "|",
  ],
].map((line) => encoder.encode(line));

Deno.test("odd patterns match what grep and sed match, or are refused with their messages", () => {
  const cases: Case[] = [];
  for (
    const [syntax, patterns] of [["basic", basicPatterns], ["extended", extendedPatterns]] as const
  ) {
    for (const pattern of patterns) {
      cases.push({ pattern, lines, odd: true, options: { syntax, dialect: "grep" } });
      cases.push({ pattern, lines, options: { syntax, dialect: "sed" } });
    }
  }
  const [answers, errors] = [gnuOutputs(cases), gnuErrors(cases)];
  if (answers === undefined || errors === undefined) return;
  const wrong: string[] = [];
  cases.forEach((test, i) => {
    const about = `${test.options.dialect} ${test.options.syntax} ${test.pattern}`;
    const error = errorOf(test.pattern, test.options);
    const expected = errors[i] ?? "";
    // sed itself parses brackets to find the end of the pattern.
    if (expected.startsWith("unterminated") || expected.startsWith("invalid reference")) return;
    if (error !== expected) wrong.push(`${about}: ${error || "no error"} / GNU: ${expected}`);
    else if (ourAnswer(test) !== answers[i]) {
      wrong.push(`${about}:\n${ourAnswer(test)}/ GNU:\n${answers[i]}`);
    }
  });
  assert.deepEqual(wrong, []);
});

Deno.test("compileRegex refuses bad patterns with GNU's messages", () => {
  const extended: RegexOptions = { syntax: "extended" };
  const basic: RegexOptions = { syntax: "basic" };
  assert.equal(errorOf("a(", extended), "Unmatched ( or \\(");
  assert.equal(errorOf("a\\)", basic), "Unmatched ) or \\)");
  assert.equal(errorOf("a)", { ...extended, dialect: "sed" }), "Unmatched ) or \\)");
  assert.equal(errorOf("[a", basic), "Unmatched [, [^, [:, [., or [=");
  assert.equal(errorOf("[[:alpha:", basic), "Unmatched [, [^, [:, [., or [=");
  assert.equal(errorOf("[", basic), "Invalid regular expression");
  assert.equal(errorOf("a\\", basic), "Trailing backslash");
  assert.equal(errorOf("[z-a]", basic), "Invalid range end");
  assert.equal(errorOf("\\(a\\)\\2", basic), "Invalid back reference");
  assert.equal(errorOf("a\\{2,1\\}", basic), "Invalid content of \\{\\}");
  assert.equal(errorOf("a\\{2", basic), "Unmatched \\{");
  assert.equal(errorOf("a\\{x\\}", basic), "Invalid content of \\{\\}");
  assert.equal(errorOf("a\\{\\\\}", basic), "Unmatched \\{");
  assert.equal(errorOf("a\\{1,2,3\\}", basic), "Invalid content of \\{\\}");
  assert.equal(errorOf("a{}", extended), "Invalid content of \\{\\}");
  assert.equal(errorOf("a{1,2,3}", extended), "Invalid content of \\{\\}");
  assert.equal(errorOf("a\\{1\\,2\\}", basic), "invalid content of \\{\\}");
  assert.equal(errorOf("a\\{\\0\\}", basic), "invalid content of \\{\\}");
  assert.equal(errorOf("a\\{0,2\\0\\}", basic), "invalid content of \\{\\}");
  assert.equal(errorOf("a\\{1,\\0\\}", basic), "Invalid content of \\{\\}");
  assert.equal(errorOf("a\\{\\1\\}", basic), "Invalid content of \\{\\}");
  assert.equal(errorOf("[:e:]\\(", basic), "Unmatched ( or \\(");
  assert.equal(
    errorOf("[:e:]", basic),
    "character class syntax is [[:space:]], not [:space:]",
  );
  for (const kind of ":.=") {
    const known = kind === ":" ? "Invalid character class name" : "Invalid collation character";
    for (const name of ["a".repeat(31), "\u00e9".repeat(15)]) {
      assert.equal(errorOf(`[[${kind}${name}${kind}]]`, basic), known);
      const longer = `[[${kind}a${name}a${kind}]]`;
      assert.equal(errorOf(longer, basic), "Unmatched [, [^, [:, [., or [=");
    }
  }
  assert.equal(errorOf("[[:foo:]]", basic), "Invalid character class name");
  assert.equal(errorOf("[[.ab.]]", basic), "Invalid collation character");
  assert.equal(
    errorOf("*a", { ...extended, dialect: "sed" }),
    "Invalid preceding regular expression",
  );
});

Deno.test("compileRegex takes an interval that is none for itself where grep -E does", () => {
  const matches = (pattern: string, text: string) => {
    const bytes = new TextEncoder().encode(text);
    return compileRegex(pattern, { syntax: "extended", whole: "line" }).test(
      bytes,
      0,
      bytes.length,
    );
  };
  for (const text of ["a{x", "a{1", "a{1,", "a{x}", "a{1a}", "{1,2,3}", "a{,", "{"]) {
    assert.ok(matches(text, text), text);
  }
  assert.ok(matches("a{3\\,4}", "a{3,4}"));
  assert.ok(matches("a{,2}", "aa"));
  assert.ok(matches("a{,}", "aaa"));
});

Deno.test("compileRegex warns where grep does", () => {
  const warnings = (pattern: string) => compileRegex(pattern, { syntax: "extended" }).warnings;
  assert.deepEqual(warnings("*a"), ["* at start of expression"]);
  assert.deepEqual(warnings("(+a)|?b"), ["+ at start of expression", "? at start of expression"]);
  assert.deepEqual(warnings("{2}a"), ["{...} at start of expression"]);
  assert.deepEqual(warnings("a*"), []);
});

Deno.test("compileRegex refuses intervals that need too many nodes", () => {
  const bombs = ["((a{100}){100}){100}", "((((a{50}){50}){50}){50}){50}", "(a{1,32767}){32767}"];
  for (const pattern of bombs) {
    assert.throws(
      () => compileRegex(pattern, { syntax: "extended" }),
      (error) =>
        error instanceof RegexLimitError && error.limit === "maxNodes" &&
        error.message.startsWith("Regular expression too big"),
    );
  }
  assert.throws(
    () => compileRegex("abcdef", { syntax: "basic", maxNodes: 5 }),
    RegexLimitError,
  );
  assert.throws(
    () => compileRegex("(".repeat(100_000), { syntax: "extended" }),
    RegexLimitError,
  );
});

Deno.test("fixed syntax takes every character as it is, and finds the longest of many words", () => {
  const fixed: RegexOptions = { syntax: "fixed" };
  assert.equal(first("a.*b", "xa.*b", fixed), "1,5");
  assert.equal(first("", "abc", fixed), "0,0");
  const text = encoder.encode("a foobar");
  const found = (patterns: string[], options: RegexOptions) =>
    compileRegex(patterns, options).exec(text, 0, text.length)?.join() ?? "none";
  assert.equal(found(["foo", "foobar", "bar"], fixed), "2,8");
  assert.equal(found(["FOO", "BARX"], { ...fixed, ignoreCase: true }), "2,5");
  assert.equal(found(["foo", "foobar"], { ...fixed, whole: "word" }), "2,8");
  assert.equal(found(["foo", "a foobar"], { ...fixed, whole: "line" }), "0,8");
  assert.equal(found(["foo", "bar"], { ...fixed, whole: "word" }), "none");
});

Deno.test("fixed syntax holds ten thousand words", () => {
  const words = Array.from({ length: 10_000 }, (_, i) => `w${i * 7919 % 10_007}x`);
  const regex = compileRegex(words, { syntax: "fixed" });
  const text = encoder.encode(`--w10006x w${7919 % 10_007}xx`);
  assert.equal(regex.exec(text, 0, text.length)?.join(), "2,9");
});

Deno.test("several patterns are alternatives with back-references of their own", () => {
  const regex = compileRegex(["(a)\\1", "(b)(c)\\2"], { syntax: "extended" });
  assert.equal(regex.groups, 3);
  const exec = (text: string) => {
    const bytes = encoder.encode(text);
    return regex.exec(bytes, 0, bytes.length)?.join() ?? "none";
  };
  assert.equal(exec("xaa"), "1,3,1,2,-1,-1,-1,-1");
  assert.equal(exec("bcc"), "0,3,-1,-1,0,1,1,2");
  assert.equal(exec("bcb"), "none");
});

Deno.test("multiline: anchors match at newlines, dots and inverted sets do not", () => {
  const sed: RegexOptions = { syntax: "extended", dialect: "sed" };
  const many: RegexOptions = { ...sed, multiline: true };
  assert.equal(first("^b", "a\nb", sed), "none");
  assert.equal(first("^b", "a\nb", many), "2,3");
  assert.equal(first("a$", "a\nb", many), "0,1");
  assert.equal(first("a.b", "a\nb", sed), "0,3");
  assert.equal(first("a.b", "a\nb", many), "none");
  assert.equal(first("a[^x]b", "a\nb", sed), "0,3");
  assert.equal(first("a[^x]b", "a\nb", many), "none");
  assert.equal(first("\\`b", "a\nb", many), "none");
  assert.equal(first("a\\'", "a\na", many), "2,3");
});

Deno.test("compileRegex warns of repetitions behind anchors at a start", () => {
  const warnings = (pattern: string) => compileRegex(pattern, { syntax: "extended" }).warnings;
  assert.deepEqual(warnings("\\b*a"), ["* at start of expression"]);
  assert.deepEqual(warnings("a|^$+b"), ["+ at start of expression"]);
  assert.deepEqual(warnings("a\\b*"), []);
  assert.deepEqual(warnings("{1}{1}"), ["{...} at start of expression"]);
  assert.deepEqual(warnings("\\b*{1}b"), [
    "* at start of expression",
    "{...} at start of expression",
  ]);
});

Deno.test("a fault that gnulib's parser finds comes with the warnings before it", () => {
  const faultOf = (patterns: string | string[]): [string, readonly string[]] => {
    try {
      compileRegex(patterns, { syntax: "extended" });
    } catch (error) {
      if (error instanceof RegexError) return [error.message, error.warnings];
    }
    return ["none", []];
  };
  const big = "regular expression too big";
  const braces = "{...} at start of expression";
  assert.deepEqual(faultOf("{99999}"), [big, [braces]]);
  assert.deepEqual(faultOf("*{99999}a"), [big, ["* at start of expression", braces]]);
  assert.deepEqual(faultOf(["+a", "^{99999}"]), [big, ["+ at start of expression", braces]]);
  const colons = "character class syntax is [[:space:]], not [:space:]";
  assert.deepEqual(faultOf("{1}[:a:]*"), [colons, [braces]]);
  assert.deepEqual(faultOf("[:a:]|*b"), [colons, []]);
  assert.deepEqual(faultOf("a{99999}"), ["Regular expression too big", []]);
});

Deno.test("a bracket expression of characters between colons is refused, others are not", () => {
  const wrong = "character class syntax is [[:space:]], not [:space:]";
  for (const pattern of ["[:a:]", "[^:a:]", "[:a:b:]", "[:a::]", "[:\u00e9:]"]) {
    assert.equal(errorOf(pattern, { syntax: "basic" }), wrong, pattern);
  }
  for (
    const pattern of ["[:-:]", "[:a-z:]", "[::]", "[:::]", "[:a]", "[:[:alpha:]:]", "[:[.a.]:]"]
  ) {
    assert.equal(errorOf(pattern, { syntax: "basic" }), "", pattern);
  }
});

Deno.test("one of several patterns is read twice where it is alone", () => {
  const regex = compileRegex(["{.", "b"], { syntax: "extended" });
  const matches = (text: string) => {
    const bytes = encoder.encode(text);
    return [regex.test(bytes, 0, bytes.length), regex.exec(bytes, 0, bytes.length)?.join()];
  };
  // gnulib's parser, which selects the lines, takes the brace literally; glibc's drops it.
  assert.deepEqual(matches("x{y"), [true, "0,1"]);
  assert.equal(matches("xy")[0], false);
  assert.equal(matches("b")[0], true);
});
