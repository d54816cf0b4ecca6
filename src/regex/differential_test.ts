import assert from "node:assert/strict";
import { type Case, differing, gnuOutputs, ourAnswer, skipped } from "./gnu/_testing.ts";
import { latin1, Random, randomLine, randomPattern } from "./_testing.ts";
import type { RegexOptions } from "./mod.ts";

function randomCase(random: Random): Case {
  const extended = random.chance(60);
  const wide = random.chance(50);
  // glibc treats an invalid byte as the Latin-1 letter when it checks for a word boundary.
  const anchors = random.chance(50);
  const raw = wide && !anchors && random.chance(30);
  const dialect = random.chance(50) ? "sed" : "grep";
  const pattern = randomPattern(random, { extended, wide, anchors });
  // GNU's -w is wrong for patterns that can match in several lengths.
  const word = dialect === "grep" && !/[?*,{]|\\b|\\</.test(pattern) && random.chance(50);
  const options: RegexOptions = {
    syntax: extended ? "extended" : "basic",
    dialect,
    ignoreCase: random.chance(20),
    ...(word
      ? { whole: "word" }
      : dialect === "grep" && random.chance(20)
      ? { whole: "line" }
      : {}),
  };
  const lines = Array.from({ length: 12 }, () => randomLine(random, wide, raw));
  return { pattern, options, lines };
}

Deno.test("random patterns find the same matches and sub-matches as grep and sed", () => {
  // The seed is fixed because these cases are recorded.
  const random = new Random(1);
  const cases = Array.from({ length: 120 }, () => randomCase(random));
  const answers = gnuOutputs(cases);
  if (answers === undefined) return;
  cases.forEach((test, i) => {
    const ours = ourAnswer(test);
    if (ours === skipped) return;
    const about = `${test.pattern} ${JSON.stringify(test.options)} on ${
      JSON.stringify(test.lines.map(latin1))
    }`;
    assert.equal(ours, answers[i], about);
  });
});

Deno.test("back-references find the same matches as grep and sed", () => {
  const patterns = [
    ...["(a)\\1", "(a*)b\\1", "(a|b)*\\1", "^(.*)\\1$", "(.)(.)\\2\\1", "([ab]+)-\\1", "(.).*\\1"],
    ...[
      "(a)(b)?\\2",
      "((a)b*)\\2\\1",
      "(.+)\\1+",
      "\\b(\\w+) \\1\\b",
      "(a?)(b?)\\2\\1c",
    ],
    ...["(\u00e9|a)\\1", "(a|ab)(bc|c)?\\1", "x*(.)\\1", "(.)\\1{2}", "(..?)[^a]\\1"],
  ];
  const random = new Random(1);
  const cases: Case[] = [];
  for (const pattern of patterns) {
    for (const dialect of ["grep", "sed"] as const) {
      for (const ignoreCase of [false, true]) {
        const lines = Array.from({ length: 40 }, () => randomLine(random, false, false));
        cases.push({ pattern, lines, options: { syntax: "extended", dialect, ignoreCase } });
      }
    }
  }
  const answers = gnuOutputs(cases);
  if (answers === undefined) return;
  cases.forEach((test, i) => {
    const about = `${test.options.dialect} ${test.options.ignoreCase} ${test.pattern}`;
    assert.equal(ourAnswer(test), answers[i], about);
  });
});

Deno.test("letters of either case match as in grep -i", () => {
  const letters = [
    ..."\u00e9\u00c9\u00df\u1e9e\u0130\u0131iIsS\u017fkK\u212a\u03c3\u03c2\u03a3\u00b5\u03bc\u039c",
    ..."\u01c4\u01c5\u01c6\u1fb3\u1fbc\u1f80\u1f88\u0436\u0416\uff21\uff41\u{10400}\u{10428}\u24d0\u24b6",
  ];
  const lines = letters.map((letter) => new TextEncoder().encode(letter));
  const cases: Case[] = letters.map((pattern) => ({
    pattern,
    lines,
    odd: true,
    options: { syntax: "basic", ignoreCase: true, dialect: "grep" },
  }));
  assert.deepEqual(differing(cases), []);
});

Deno.test("classes hold the characters that they hold in grep", () => {
  const points: number[] = [];
  for (let point = 1; point < 0x3100; point++) if (point !== 10) points.push(point);
  for (let point = 0x1f600; point < 0x1f610; point++) points.push(point);
  const lines = points.map((point) => new TextEncoder().encode(String.fromCodePoint(point)));
  const names = "alpha upper lower digit xdigit alnum punct space blank cntrl print graph";
  const patterns = [...names.split(" ").map((name) => `[[:${name}:]]`), "\\w", "\\W", "\\s", "\\S"];
  const cases: Case[] = patterns.map((pattern) => ({
    pattern,
    lines,
    odd: true,
    options: { syntax: "basic", dialect: "grep" },
  }));
  assert.deepEqual(differing(cases), []);
});
