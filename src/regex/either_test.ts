import assert from "node:assert/strict";
import { withSeed } from "../streams/_testing.ts";
import { compileRegex } from "./compile.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The match of a pattern of small letters and dots, found naively. */
function expected(patterns: readonly string[], text: string, from: number): number[] | null {
  for (let at = from; at <= text.length; at++) {
    const ends = patterns.flatMap((pattern) => {
      const part = text.slice(at, at + pattern.length);
      const fits = part.length === pattern.length &&
        [...pattern].every((char, i) => char === "." ? part[i] !== undefined : part[i] === char);
      return fits ? [at + pattern.length] : [];
    });
    if (ends.length > 0) return [at, Math.max(...ends)];
  }
  return null;
}

Deno.test("long strings among patterns are found as they are by themselves, leftmost and longest", () =>
  withSeed((below) => {
    for (let round = 0; round < 25; round++) {
      const unit = ["ab", "a", "aab"][below(3)] as string;
      const longs = Array.from(
        { length: 1 + below(3) },
        () => unit.repeat(600).slice(below(2), 1001 + below(9)) + (below(2) === 0 ? "c" : ""),
      );
      const patterns = [...longs, ...["cc", "a.c", "xyz"].slice(below(3))];
      const regex = compileRegex(patterns, { syntax: below(2) === 0 ? "basic" : "extended" });
      const texts = Array.from({ length: 6 }, () => {
        const middle = below(3) > 0 ? longs[below(longs.length)] : unit.repeat(below(700));
        return `${"abc".slice(below(4))}${middle}${["", "c", "cc", "xyz", "acc"][below(5)]}`;
      });
      for (const text of texts) {
        const bytes = encode(text);
        assert.equal(
          regex.test(bytes, 0, bytes.length),
          expected(patterns, text, 0) !== null,
        );
        for (let from = 0;;) {
          const wanted = expected(patterns, text, from);
          const found = regex.find(bytes, 0, bytes.length, from);
          assert.deepEqual(found === null ? null : [...found], wanted);
          if (wanted === null) break;
          from = wanted[1] as number;
        }
        const groups = regex.exec(bytes, 0, bytes.length);
        assert.deepEqual(groups === null ? null : [...groups], expected(patterns, text, 0));
      }
      const block = encode(texts.join("\n"));
      const lines = (invert: boolean): string[] => {
        const { spans, length } = regex.matchingLines(block, 0, block.length, 10, invert);
        const found: string[] = [];
        for (let i = 0; i < length; i += 2) {
          found.push(new TextDecoder().decode(block.subarray(spans[i], spans[i + 1])));
        }
        return found.join("").split("\n").filter((line) => line !== "");
      };
      const matches = (text: string): boolean => expected(patterns, text, 0) !== null;
      assert.deepEqual(lines(false), texts.filter((text) => text !== "" && matches(text)));
      assert.deepEqual(lines(true), texts.filter((text) => text !== "" && !matches(text)));
    }
    return Promise.resolve();
  }));

Deno.test("a long string keeps what its neighbours have: groups, warnings and empty matches", () => {
  const long = "the".repeat(500);
  const regex = compileRegex(["(x)d", "*a", long], { syntax: "extended" });
  assert.equal(regex.groups, 1);
  assert.deepEqual(regex.warnings, ["* at start of expression"]);
  const text = encode(`xd${long}`);
  assert.deepEqual([...regex.exec(text, 0, text.length) ?? []], [0, 2, 0, 1]);
  assert.deepEqual([...regex.exec(text, 0, text.length, 2) ?? []], [2, text.length, -1, -1]);
  const empty = compileRegex(["x*", long], { syntax: "basic" });
  assert.deepEqual([...empty.find(text, 0, text.length, 1) ?? []], [1, 1]);
  assert.deepEqual([...empty.find(text, 0, text.length, 2) ?? []], [2, text.length]);
});
