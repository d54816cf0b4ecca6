import assert from "node:assert/strict";
import { compileRegex, RegexLimitError } from "./mod.ts";
import { parsePattern } from "./posix/parse.ts";
import { Program } from "./program.ts";
import { Ends } from "./ends.ts";
import { hasMatch, Starts } from "./search.ts";
import { symbolsOf } from "./utf8.ts";

const length = 50_000;

function random(): Uint8Array {
  let state = 12345;
  return Uint8Array.from({ length }, () => {
    state = Math.imul(state, 1103515245) + 12345 & 0x7fffffff;
    return 97 + (state >> 16 & 1);
  });
}

const texts: Readonly<Record<string, Uint8Array>> = {
  same: new Uint8Array(length).fill(97),
  pairs: Uint8Array.from({ length }, (_, i) => 97 + i % 2),
  random: random(),
  wide: new TextEncoder().encode("\u3042".repeat(length / 3)),
};

/** Patterns for which backtracking engines need exponential or cubic time. */
const bombs = [
  ...["(a+)+$", "(a|aa)+$", "(.*)*x$", ".*.*.*.*=x", "(a?){500}a{500}", "(a+)+b", "(a|a)*b"],
  ...[
    "(a|b|ab)*c",
    "(a*)*$",
    "(([ab]*)*)*c",
    "(a|b)*a(a|b){12}c",
    "(a|b)*a[ab]{200}",
    "(.?){500}x",
  ],
  ...["^(a?){300}a{300}$", "(\\ba*)*c", "(\\B.)*x", "(a*a*a*a*a*)*b", "a{1000,2000}b", "(x+x+)+y"],
  ...["(.*a){20}", "(.*a){100}b", "((a*)+)+b", "(a{1,50}){1,50}b", "(\u3042|.)*x", "\\w*\\w*\\w*!"],
  ...["((((((((((a?)*)*)*)*)*)*)*)*)*)*b", "[ab]{1,300}a{1,300}b{3}c", "(a|b)*(a|b)*(a|b)*c"],
];

for (const [name, text] of Object.entries(texts)) {
  Deno.test(`bombs on a line of ${text.length} bytes (${name}) keep to few states`, () => {
    for (const pattern of bombs) {
      const { tree } = parsePattern(symbolsOf(new TextEncoder().encode(pattern)), {
        extended: true,
        dialect: "grep",
        ignoreCase: false,
        multiline: false,
      });
      const program = new Program(tree, "glibc");
      const found = hasMatch(program, text, 0, text.length);
      const starts = new Starts();
      starts.collect(program, text, 0, text.length);
      assert.equal(starts.length > 0, found, pattern);
      if (found) {
        const start = starts.places[starts.length - 1] as number;
        assert.ok(new Ends(program).longest(text, 0, text.length, start) >= start, pattern);
      }
      // One step a byte, and at most one new state a byte.
      for (const dfa of [program.select, program.starts, program.longest]) {
        assert.ok(dfa.size <= text.length + 2, `${pattern}: ${dfa.size} states`);
      }
    }
  });
}

Deno.test("sub-matches of a bomb on a long line are found too", () => {
  const text = texts.same as Uint8Array;
  const match = compileRegex("((a?)+)*$", { syntax: "extended" }).exec(text, 0, text.length);
  assert.deepEqual(match?.subarray(0, 4).join(), `0,${length},0,${length}`);
});

Deno.test("back-references on long lines end in an answer or in the limit's error", () => {
  const patterns = [
    ...["(a*)*b\\1", "(a*)\\1b", "(a*)(a*)\\1\\2b", "(.*)\\1\\1x", "(a|b)*\\1x", "((a*)*)*\\2b"],
    ...["([ab]*)\\1$", "(.*)(.*)\\2\\1$", "((a|b)+)+\\1c?$", "(.+)+\\1{2}$"],
  ];
  let refused = 0;
  for (const pattern of patterns) {
    for (const text of Object.values(texts)) {
      const regex = compileRegex(pattern, { syntax: "extended", maxSteps: 50_000 });
      try {
        regex.test(text, 0, text.length);
      } catch (error) {
        assert.ok(error instanceof RegexLimitError);
        assert.match(error.message, /^Back-references need more than 16\d{5} steps/);
        assert.equal(error.limit, "maxSteps");
        refused++;
      }
    }
  }
  assert.ok(refused > 0);
});

Deno.test("a pattern with back-references is refused quickly where it cannot match at all", () => {
  const text = texts.same as Uint8Array;
  const regex = compileRegex("(a*)*b\\1", { syntax: "extended", maxSteps: 1 });
  assert.equal(regex.test(text, 0, text.length), false);
});
