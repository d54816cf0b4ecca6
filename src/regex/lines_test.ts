import assert from "node:assert/strict";
import { Random, randomLine, randomPattern } from "./_testing.ts";
import { compileRegex, type LineSet, type Regex, type RegexOptions } from "./mod.ts";
import { testSeed } from "../streams/_testing.ts";
import { optional, thorough } from "../../tests/_optional.ts";

const encoder = new TextEncoder();

function spansOf(lines: LineSet): number[] {
  return [...lines.spans.subarray(0, lines.length)];
}

function expectedSpans(
  regex: Regex,
  block: Uint8Array,
  start: number,
  end: number,
  separator: number,
): number[] {
  const out: number[] = [];
  for (let at = start; at < end;) {
    let stop = at;
    while (stop < end && block[stop] !== separator) stop++;
    const next = Math.min(end, stop + 1);
    if (regex.test(block, at, stop)) out.push(at, next);
    at = next;
  }
  return out;
}

function joinedRest(spans: readonly number[], start: number, end: number): number[] {
  const out: number[] = [];
  let at = start;
  for (let i = 0; i < spans.length; i += 2) {
    if ((spans[i] as number) > at) out.push(at, spans[i] as number);
    at = spans[i + 1] as number;
  }
  if (at < end) out.push(at, end);
  return out;
}

function blockOf(random: Random, bytes: number, separator: number, raw: boolean): Uint8Array {
  const out = new Uint8Array(bytes);
  let at = 0;
  while (at < bytes) {
    const line = [...randomLine(random, true, raw), separator].slice(0, bytes - at);
    out.set(line, at);
    at += line.length;
  }
  return out;
}

Deno.test("matchingLines gives the matching lines, or with invert the runs of others", () => {
  const regex = compileRegex("b", { syntax: "basic" });
  const block = encoder.encode("ab\ncc\n\nb\nxyb");
  assert.deepEqual(spansOf(regex.matchingLines(block, 0, block.length, 10, false)), [
    ...[0, 3],
    ...[7, 9],
    ...[9, 12],
  ]);
  const others = regex.matchingLines(block, 0, block.length, 10, true);
  assert.deepEqual(spansOf(others), [3, 7]);
  assert.equal(others.matched, 3);
});

Deno.test("matchingLines sees only the lines between start and end", () => {
  const block = encoder.encode("bb\nab\ncb\nbb\n");
  for (const pattern of ["b", ".b", "[ab]b$", "^.b"]) {
    const regex = compileRegex(pattern, { syntax: "basic" });
    const found = spansOf(regex.matchingLines(block, 3, 9, 10, false));
    assert.deepEqual(found, pattern === "[ab]b$" ? [3, 6] : [3, 6, 6, 9], pattern);
  }
});

Deno.test("matchingLines takes NUL as separator and newlines as characters", () => {
  const regex = compileRegex("a.b", { syntax: "basic" });
  const block = encoder.encode("a\nb\0ab\0a b");
  assert.deepEqual(spansOf(regex.matchingLines(block, 0, block.length, 0, false)), [0, 4, 7, 10]);
});

Deno.test("matchingLines with an empty pattern selects all lines, empty ones too", () => {
  const regex = compileRegex("", { syntax: "basic" });
  const block = encoder.encode("a\n\nb");
  assert.deepEqual(spansOf(regex.matchingLines(block, 0, 4, 10, false)), [0, 2, 2, 3, 3, 4]);
  assert.deepEqual(spansOf(regex.matchingLines(block, 0, 4, 10, true)), []);
  assert.deepEqual(spansOf(regex.matchingLines(block, 0, 0, 10, false)), []);
});

Deno.test("matchingLines gives a last line without separator once", () => {
  const regex = compileRegex("a*", { syntax: "basic", whole: "word" });
  const block = encoder.encode("b\na -b");
  assert.deepEqual(spansOf(regex.matchingLines(block, 0, 6, 10, false)), [2, 6]);
});

Deno.test(
  optional("matchingLines agrees with test on random blocks of every size", thorough),
  () => {
    const seed = testSeed();
    console.log(`seed ${seed}`);
    const random = new Random(seed);
    for (let i = 0; i < 25; i++) {
      const extended = random.chance(50);
      const options: RegexOptions = {
        syntax: extended ? "extended" : "basic",
        ignoreCase: random.chance(20),
        ...(random.chance(20) ? { whole: random.chance(50) ? "word" : "line" } : {}),
      };
      const pattern = random.chance(20)
        ? random.pick(["ab", "abc", "\u3042b", "aab.*c", "AB"])
        : randomPattern(random, { extended, wide: true, anchors: random.chance(50) });
      const separator = random.chance(80) ? 10 : 0;
      const size = random.pick([50, 3000, 20_000, 70_000, 140_000]);
      const block = blockOf(random, size, separator, random.chance(50));
      const start = random.chance(50) ? 0 : random.int(9);
      const end = size - (random.chance(50) ? 0 : random.int(9));
      const lines = compileRegex(pattern, options);
      const single = compileRegex(pattern, options);
      for (let round = 0; round < 2; round++) {
        const expected = expectedSpans(single, block, start, end, separator);
        const about = `seed ${seed} round ${i}: ${pattern} ${
          JSON.stringify(options)
        } ${start} ${end}`;
        // Compared as text, which is much faster than as an array.
        assert.equal(
          spansOf(lines.matchingLines(block, start, end, separator, false)).join(),
          expected.join(),
          about,
        );
        assert.equal(
          spansOf(lines.matchingLines(block, start, end, separator, true)).join(),
          joinedRest(expected, start, end).join(),
          about,
        );
      }
    }
  },
);

Deno.test("matchingLines goes on to the block's end when the automaton becomes too large", () => {
  const random = new Random(3);
  const bytes: number[] = [];
  while (bytes.length < 140_000) {
    for (let i = random.int(60); i > 0; i--) bytes.push(97 + random.int(2));
    if (random.chance(20)) bytes.push(100);
    bytes.push(10);
  }
  const block = Uint8Array.from(bytes);
  // At least 2^12 states.
  const pattern = "a[ab]{12}c|[d-f]";
  const lines = compileRegex(pattern, { syntax: "extended" });
  const single = compileRegex(pattern, { syntax: "extended" });
  const expected = expectedSpans(single, block, 0, block.length, 10);
  assert.ok(expected.length > 500);
  assert.deepEqual(spansOf(lines.matchingLines(block, 0, block.length, 10, false)), expected);
});

Deno.test("matchingLines stays right when the automaton drops its states", () => {
  const random = new Random(7);
  const letters = Array.from({ length: 60_000 }, () => random.chance(3) ? 10 : 97 + random.int(2));
  const block = Uint8Array.from(letters);
  const pattern = "(a|b)*a(a|b){60}";
  const lines = compileRegex(pattern, { syntax: "extended" });
  const long = Uint8Array.from(letters.map((byte, i) => byte === 10 && i % 7 !== 0 ? 97 : byte));
  for (const bytes of [block, long]) {
    const expected: number[] = [];
    for (let at = 0; at < bytes.length;) {
      const stop = bytes.indexOf(10, at) < 0 ? bytes.length : bytes.indexOf(10, at);
      const next = Math.min(bytes.length, stop + 1);
      const first = bytes.indexOf(97, at);
      if (first >= 0 && first + 61 <= stop) expected.push(at, next);
      at = next;
    }
    assert.deepEqual(
      spansOf(lines.matchingLines(bytes, 0, bytes.length, 10, false)),
      expected,
    );
  }
});

Deno.test("likelyLines leaves out no match, and says no place behind one", () => {
  const random = new Random(testSeed());
  const block = blockOf(random, 140_000, 10, false);
  let led = 0;
  for (const pattern of ["ab", "abc", "ab[ab]*", "a.*b", "\\(ab\\)\\{2\\}", "[ab]c", "x", "AB"]) {
    for (const ignoreCase of [false, true]) {
      const lines = compileRegex(pattern, { syntax: "basic", ignoreCase });
      const single = compileRegex(pattern, { syntax: "basic", ignoreCase });
      const { spans, length, places } = lines.likelyLines(block, 0, block.length, 10);
      const found: number[] = [];
      for (let i = 0; i < length; i += 2) {
        const start = spans[i] as number;
        const next = spans[i + 1] as number;
        const end = block[next - 1] === 10 ? next - 1 : next;
        const match = single.exec(block, start, end)?.slice();
        const place = places?.[i >> 1] ?? start;
        if (place > start) led++;
        assert.deepEqual(single.exec(block, start, end, place, true)?.slice(), match, pattern);
        if (match !== undefined) found.push(start, next);
      }
      assert.deepEqual(found, expectedSpans(single, block, 0, block.length, 10), pattern);
    }
  }
  assert.ok(led > 100);
});
