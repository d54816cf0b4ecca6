import assert from "node:assert/strict";
import { withSeed } from "../streams/_testing.ts";
import { Random, randomLine, randomPattern } from "./_testing.ts";
import {
  compilePerl,
  compileRegex,
  type Regex,
  RegexError,
  RegexLimitError,
  RegexPause,
} from "./mod.ts";
import { optional, thorough } from "../../tests/_optional.ts";

const encoder = new TextEncoder();

/** Calls `search` until it does not pause; returns the number of pauses. */
function patiently<T>(search: () => T): { value: T; pauses: number } {
  for (let pauses = 0;; pauses++) {
    assert.ok(pauses < 1_000_000, "no end");
    try {
      return { value: search(), pauses };
    } catch (error) {
      if (!(error instanceof RegexPause)) throw error;
    }
  }
}

/** All matches of a line with their sub-expressions. */
function matches(regex: Regex, line: Uint8Array, groups: boolean): string[] {
  const found: string[] = [];
  let from = 0;
  let fresh = true;
  while (from <= line.length) {
    const { value } = patiently(() =>
      groups
        ? regex.exec(line, 0, line.length, from, fresh)
        : regex.find(line, 0, line.length, from, fresh)
    );
    if (value === null) break;
    found.push(value.join());
    fresh = false;
    from = Math.max(value[1] as number, from + 1);
  }
  return found;
}

/** The matching lines of a block, found in as many calls as necessary. */
function selected(
  regex: Regex,
  block: Uint8Array,
  invert: boolean,
): { lines: string; calls: number } {
  const spans: number[] = [];
  let calls = 0;
  for (let at = 0; at < block.length; calls++) {
    assert.ok(calls < 100_000, `no end at ${at} of ${block.length}`);
    // A new view of the block each time, as in grep.
    const rest = block.subarray(at);
    const found = regex.matchingLines(rest, 0, rest.length, 10, invert);
    for (let i = 0; i < found.length; i += 2) {
      const start = at + (found.spans[i] as number);
      if (spans[spans.length - 1] === start) spans.pop();
      else spans.push(start);
      spans.push(at + (found.spans[i + 1] as number));
    }
    at += found.end;
  }
  return { lines: spans.join(), calls };
}

function joined(regex: Regex, block: Uint8Array, invert: boolean): string {
  return selected(regex, block, invert).lines;
}

Deno.test("searches that pause find what searches without a pause find", () =>
  withSeed((seeded) => {
    const random = new Random(seeded(1 << 30));
    for (let i = 0; i < 120; i++) {
      const backrefs = random.chance(40);
      const wide = random.chance(40);
      const pattern = randomPattern(random, { extended: true, backrefs, anchors: true, wide });
      const slice = 1 + random.int(random.chance(50) ? 50 : 3000);
      let plain: Regex;
      try {
        plain = compileRegex(pattern, { syntax: "extended" });
      } catch (error) {
        assert.ok(error instanceof RegexError);
        continue;
      }
      const pausing = compileRegex(pattern, { syntax: "extended", slice });
      const lines = Array.from({ length: 8 }, () => randomLine(random, wide, wide));
      const about = `slice ${slice}: ${pattern}`;
      for (const line of lines) {
        for (const groups of [false, true]) {
          assert.deepEqual(matches(pausing, line, groups), matches(plain, line, groups), about);
        }
        const { value } = patiently(() => pausing.test(line, 0, line.length));
        assert.equal(value, plain.test(line, 0, line.length), about);
      }
      const block = Uint8Array.from(lines.flatMap((line) => [...line, 10]));
      for (const invert of [false, true]) {
        assert.equal(joined(pausing, block, invert), joined(plain, block, invert), about);
      }
    }
    return Promise.resolve();
  }));

Deno.test("searches of Perl's patterns that pause find the same, too", () =>
  withSeed((seeded) => {
    const random = new Random(seeded(1 << 30));
    const patterns = [
      ...["(a+?)b*", "(a|ab)(c|b)?", "a\\K[ab]", "(?<=a)b+", "a+(?=b)", "(a|)+b", ".*?b", "\\bab?"],
      ...["(a*)*", "[^a]+", "(a?){3}b"],
    ];
    for (const pattern of patterns) {
      const slice = 1 + random.int(300);
      const plain = compilePerl(pattern);
      const pausing = compilePerl(pattern, { slice });
      for (let i = 0; i < 20; i++) {
        const line = randomLine(random, true, false);
        for (const groups of [false, true]) {
          const about = `slice ${slice}: ${pattern}`;
          assert.deepEqual(matches(pausing, line, groups), matches(plain, line, groups), about);
        }
      }
    }
    return Promise.resolve();
  }));

const letters = (length: number) => {
  let state = 12345;
  return Uint8Array.from({ length }, () => {
    state = Math.imul(state, 1103515245) + 12345 & 0x7fffffff;
    return 97 + (state >> 16 & 1);
  });
};

Deno.test(
  optional(
    "matchingLines pauses in large blocks, in every way of looking, and loses no line",
    thorough,
  ),
  () => {
    const text = letters(80_000);
    for (let at = 70; at < text.length; at += 71) text[at] = 10;
    text[text.length - 1] = 10;
    const patterns = ["a(a|b)*a[ab]{14}a", "abbab.*bab", "a[ab]{60}b", "(a|b)\\1\\1.*\\1{4}b"];
    for (const pattern of patterns) {
      const options = { syntax: "extended", maxSteps: 1e8 } as const;
      for (const invert of [false, true]) {
        const expected = joined(compileRegex(pattern, options), text, invert);
        const { lines, calls } = selected(
          compileRegex(pattern, { ...options, slice: 40_000 }),
          text,
          invert,
        );
        assert.equal(lines, expected, pattern);
        assert.ok(calls > 1, `${pattern}: ${calls} calls`);
      }
    }
  },
);

// Each of these takes seconds without pauses.
const bombs = [
  ...["(a|b)*a[ab]{9000}b", "(.*)(.*)(.*)\\3\\2\\1x?$", "((a|b)*a){80}"],
];

Deno.test(optional("a bomb pauses after each slice of its work", thorough), () => {
  const slice = 500_000;
  const text = letters(20_000);
  for (const pattern of bombs) {
    const regex = compileRegex(pattern, { syntax: "extended", slice, maxSteps: 2_000_000 });
    let pauses = -1;
    try {
      patiently(() => {
        pauses++;
        return regex.exec(text, 0, text.length);
      });
    } catch (error) {
      if (!(error instanceof RegexLimitError)) throw error;
    }
    assert.ok(pauses > 3, `${pattern}: ${pauses} pauses`);
  }
});

Deno.test("a call for another text forgets the search that has paused", () => {
  const regex = compileRegex("(a|b)*c", { syntax: "extended", slice: 100 });
  const first = encoder.encode(`${"ab".repeat(500)}c`);
  assert.throws(() => regex.exec(first, 0, first.length), RegexPause);
  const second = encoder.encode("xbc");
  const { value } = patiently(() => regex.exec(second, 0, second.length));
  assert.equal(value?.join(), "1,3,1,2");
});

Deno.test("without a slice nothing pauses", () => {
  const text = letters(100_000);
  for (const pattern of ["((a|b)*a){20}", "(a|b)*\\1x"]) {
    const regex = compileRegex(pattern, { syntax: "extended" });
    regex.exec(text, 0, text.length);
    assert.equal(regex.matchingLines(text, 0, text.length, 10, false).end, text.length);
  }
});
