import assert from "node:assert/strict";
import { grepOutputs, onlyMatching } from "./_testing.ts";
import { Random, randomLine } from "../_testing.ts";
import { compilePerl, type PerlOptions, RegexError, RegexLimitError } from "../mod.ts";

const encoder = new TextEncoder();

function exec(pattern: string, text: string, options?: PerlOptions): string {
  const bytes = encoder.encode(text);
  return compilePerl(pattern, options).exec(bytes, 0, bytes.length)?.join() ?? "none";
}

Deno.test("compilePerl matches what grep -P matches, on random lines", () => {
  const patterns = String.raw`
    a|ab|abc (a|ab)(c|b)? a+? a*?b a{1,2}? (a|b)+?c? \w+ [\W] \d|\s \bab? a\B [^a-b]+ (?i)ab+ (?:ab)+
    ab\K[a-c]? (?<=a)b+ a+(?=b) (?<=[ab])[^a](?=.) (?<=ab|b)a* ^a+ b+$ (a*)* (a|)+b (?i:A)b .*?b .+
    [[:alpha:]_]+ [\w-]+ \x61+ \x{3042} a(?#comment)b \Qa]\E (?<name>a)b [\]_-]+ (a?)(ab)?
    (?i)[^a]+ a.?b b{2} b{2,} \p{Lu} [\p{L}]+ (a|b|ab)*?c
  `.trim().split(/\s+/);
  patterns.push("a b", "(?x) a  b ", "(?x)a\\ b\\ ?", "a{,2}");
  // The seed is fixed because these cases are recorded.
  const random = new Random(1);
  const cases = patterns.flatMap((pattern) =>
    [{}, { ignoreCase: true }, { whole: "word" as const }].map((options: PerlOptions) => ({
      pattern,
      options,
      lines: Array.from({ length: 15 }, () => randomLine(random, true, false)),
    }))
  );
  const answers = grepOutputs(cases);
  if (answers === undefined) return;
  cases.forEach(({ pattern, options, lines }, i) => {
    const regex = compilePerl(pattern, options);
    const ours = lines.map((line) => onlyMatching(regex, line)).join("");
    assert.equal(ours, answers[i], `${pattern} ${JSON.stringify(options)}`);
  });
});

Deno.test("compilePerl refuses bad patterns with PCRE2's messages", () => {
  const patterns = [
    "(a",
    "[a",
    "*a",
    "a)",
    "\\",
    "[b-a]",
    "[[:foo:]]",
    "a{2,1}",
    "(?z)",
    "(?<=a*)b",
    "(?<=a?)b",
    "(?<=(a|bc))b",
    "(?<=\\R)b",
    "(?|(?<n>a)|(?<m>b))",
    "(?|a",
    "[\\R]",
    "[\\N]",
    "[\\N{name}]",
    "[\\c]",
    "[\\Qa-c",
    "[\\E]",
    "\\c",
    "\\o",
    "\\o{8}",
    "\\x{g}",
    "\\x{61",
    "\\x{d800}",
    "\\x{110000}",
    "\\N{U+}",
    "\\N{name}",
    "\\p",
  ];
  const answers = grepOutputs(
    patterns.map((pattern) => ({ pattern, options: {}, lines: [] })),
  );
  if (answers === undefined) return;
  patterns.forEach((pattern, i) => {
    assert.throws(
      () => compilePerl(pattern),
      (error) => error instanceof RegexError && `grep: ${error.message}\n` === answers[i],
      `${pattern}: ${answers[i]}`,
    );
  });
});

Deno.test("compilePerl repeats what Perl repeats, and nothing else", () => {
  assert.equal(exec("a\\E+", "aab"), "0,2");
  assert.equal(exec("a(?#b)+", "aab"), "0,2");
  assert.equal(exec("\\Qa*\\E+", "a**"), "0,3");
  assert.equal(exec("(?x) a +", "aab"), "0,2");
  assert.equal(exec("a{2}+", "aaa"), "0,2");
  assert.equal(exec("\\141\\10", "a\b"), "0,2");
  const places = ["^*", "$+", "a\\b?", "\\B*", "\\A*", "\\z?", "\\K*", "(?i)*", "{1}", "a|{2}"];
  for (const pattern of [...places, "\\E*", "(?#x)*", "(*)", "a{1}{2}", "a*?*", "|+"]) {
    assert.throws(
      () => compilePerl(pattern),
      /^RegexError: quantifier does not follow a repeatable item$/,
      pattern,
    );
  }
});

Deno.test("compilePerl refuses POSIX brackets and references as PCRE2 does", () => {
  const errors: Readonly<Record<string, string>> = {
    "[:alpha:]": "POSIX named classes are supported only within a class",
    "[==]": "POSIX collating elements are not supported",
    "[[.a.]]": "POSIX collating elements are not supported",
    "[[:foo:]]": "unknown POSIX class name",
    "[\\d-a]": "invalid range in character class",
    "\\1": "reference to non-existent subpattern",
    "(a)\\2": "reference to non-existent subpattern",
    "\\x{}": "digits missing in \\x{} or \\o{} or \\N{U+}",
    "(?<>b)": "subpattern name expected",
    "(?<1a>b)": "subpattern name must start with a non-digit",
    "(?<a-b>b)": "syntax error in subpattern name (missing terminator?)",
    "(?'n>b)": "syntax error in subpattern name (missing terminator?)",
    "(?<n>a)(?<n>b)": "two named subpatterns have the same name (PCRE2_DUPNAMES not set)",
    "(?Px)": "unrecognized character after (?P",
    "(?#x": "missing ) after (?# comment",
    "(?i": "missing closing parenthesis",
  };
  for (const [pattern, message] of Object.entries(errors)) {
    assert.throws(() => compilePerl(pattern), { name: "RegexError", message }, pattern);
  }
  assert.equal(exec("[[:foo]+", "x:o["), "1,4");
  assert.equal(exec("[=]a]", "=a]"), "0,3");
});

Deno.test("compilePerl says what it does not support", () => {
  const patterns = ["(a)\\1", "(?!a)b", "a(?<!b)", "a(?<=b)c", "a(?=b)c", "a++", "(?>a)", "(?R)"];
  for (const pattern of [...patterns, "\\Ka|b", "(a\\K)b", "a|b(?=c)", "(?<=a)b|c"]) {
    assert.throws(
      () => compilePerl(pattern),
      (error) => error instanceof RegexError && error.message.startsWith("-P does not support"),
      pattern,
    );
  }
});

Deno.test("compilePerl gives Perl's sub-matches, without the marks of \\K and look-around", () => {
  assert.equal(exec("(a+?)(a*)", "aaa"), "0,3,0,1,1,3");
  assert.equal(exec("(a|ab)(c|bcd)(d*)", "abcd"), "0,4,0,1,1,4,4,4");
  assert.equal(exec("(?<=(a))(b)(?=(c))", "abc"), "1,2,0,1,1,2,2,3");
  assert.equal(exec("x(?:a|(b))", "xa"), "0,2,-1,-1");
});

Deno.test("compilePerl looks behind the place where the search goes on", () => {
  const bytes = encoder.encode("aab");
  const regex = compilePerl("(?<=a)[ab]");
  assert.equal(regex.exec(bytes, 0, 3)?.join(), "1,2");
  assert.equal(regex.exec(bytes, 0, 3, 2)?.join(), "2,3");
});

Deno.test("compilePerl stays linear, and refuses too many nodes", () => {
  const text = new Uint8Array(50_000).fill(97);
  for (
    const pattern of ["(a+)+$", "(a|aa)+?b", "(.*?)*x", "(a?){200}a{200}b", "\\w*?\\w*?\\w*?!"]
  ) {
    const match = compilePerl(pattern).exec(text, 0, text.length);
    assert.equal(match?.[1] ?? -1, pattern === "(a+)+$" ? text.length : -1, pattern);
  }
  assert.throws(() => compilePerl("((a{100}){100}){100}"), RegexLimitError);
});

Deno.test("compilePerl takes line ends, code points, quotes in brackets and reset numbers", () => {
  assert.equal(exec("a\\Rb", "a\r\nb"), "0,4");
  assert.equal(exec("\\r\\R", "a\r\nb"), "1,3");
  assert.equal(exec("\\R\\n", "a\r\nb"), "none");
  assert.equal(exec("\\R{2}", "a\r\n\rb"), "1,4");
  assert.equal(exec("\\N{2}\\N{U+63}", "abc"), "0,3");
  assert.equal(exec("[\\N{U+61}-c]+", "xabc"), "1,4");
  assert.equal(exec("[\\Q^]-\\E]+", "a^]-"), "1,4");
  assert.equal(exec("[a\\E-c]+", "xabc"), "1,4");
  assert.equal(exec("(?|(?<n>a)|(?<n>b)(c))(d)", "bcd"), "0,3,0,1,1,2,2,3");
});

Deno.test("compilePerl refuses a pattern that is not UTF-8 with PCRE2's messages", () => {
  const faults: [number[], string][] = [
    [[0x80], "isolated byte with 0x80 bit set"],
    [[0x61, 0xff], "illegal byte (0xfe or 0xff)"],
    [[0xc3], "1 byte missing at end"],
    [[0xf0, 0x90], "2 bytes missing at end"],
    [[0xc3, 0x28], "byte 2 top bits not 0x80"],
    [[0xe2, 0x82, 0x28], "byte 3 top bits not 0x80"],
    [[0xf0, 0x9f, 0x98, 0x28], "byte 4 top bits not 0x80"],
    [[0xc0, 0x80], "overlong 2-byte sequence"],
    [[0xe0, 0x80, 0x80], "overlong 3-byte sequence"],
    [[0xf0, 0x80, 0x80, 0x80], "overlong 4-byte sequence"],
    [[0xed, 0xa0, 0x80], "code points 0xd800-0xdfff are not defined"],
    [[0xf4, 0x90, 0x80, 0x80], "code points greater than 0x10ffff are not defined"],
    [[0xf8, 0x88, 0x80, 0x80, 0x80], "5-byte character is not allowed (RFC 3629)"],
    [[0xfc, 0x80, 0x80, 0x80, 0x80, 0x80], "overlong 6-byte sequence"],
  ];
  for (const [pattern, fault] of faults) {
    assert.throws(
      () => compilePerl(Uint8Array.from(pattern)),
      { name: "RegexError", message: `UTF-8 error: ${fault}` },
    );
  }
  assert.equal(exec("\u00e9\u{1f600}", "\u00e9\u{1f600}"), "0,6");
});

Deno.test("a pattern of Perl that ends within an escape is told as GNU grep tells it", () => {
  const fault = (pattern: string, whole?: "line" | "word"): string => {
    try {
      compilePerl(pattern, whole === undefined ? {} : { whole });
    } catch (error) {
      return (error as Error).message;
    }
    return "none";
  };
  const ends = "\\ at end of pattern";
  const cut = "\\c at end of pattern";
  const parenthesis = "missing closing parenthesis";
  const bracket = "missing terminating ] for character class";
  const rows = [["a\\", ends, parenthesis], ["(\\", ends, parenthesis], ["[\\", ends, bracket]];
  rows.push(["a\\c", cut, parenthesis], ["[a\\c", cut, bracket]);
  for (const [pattern = "", plain, word] of rows) {
    assert.equal(fault(pattern), plain, pattern);
    assert.equal(fault(pattern, "line"), plain, pattern);
    assert.equal(fault(pattern, "word"), word, pattern);
  }
});
