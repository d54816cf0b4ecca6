import assert from "node:assert/strict";
import { testSeed } from "../streams/_testing.ts";
import { Random } from "./_testing.ts";
import { ByteSearch } from "./bytes.ts";
import { Spans } from "./lines.ts";
import { compileRegex } from "./mod.ts";

const encoder = new TextEncoder();

Deno.test("ByteSearch finds the first place, as a search of text does", () => {
  const seed = testSeed();
  const random = new Random(seed);
  for (let round = 0; round < 3000; round++) {
    const word = (most: number) =>
      Array.from({ length: 1 + random.int(most) }, () => "ab"[random.int(2)]).join("");
    const [needle, text, from] = [word(6), word(60), random.int(10)];
    const found = new ByteSearch(encoder.encode(needle))
      .find(encoder.encode(text), from, text.length);
    assert.equal(found, text.indexOf(needle, from), `seed ${seed}: ${needle} in ${text}`);
  }
});

Deno.test("ByteSearch finds a string that repeats itself, after many near misses", () => {
  const needle = encoder.encode(`${"ab".repeat(5000)}c`);
  const text = encoder.encode(`${"ab".repeat(9000)}${"ab".repeat(5000)}c`);
  assert.equal(new ByteSearch(needle).find(text, 0, text.length), 18_000);
  assert.equal(new ByteSearch(needle).find(text, 18_001, text.length), -1);
  assert.equal(new ByteSearch(needle).find(text, 0, text.length - 1), -1);
});

Deno.test("ByteSearch gives each line once, and none for a string with a line's end", () => {
  const block = encoder.encode("xx\nab ab\n\nab");
  const lines = new Spans();
  new ByteSearch(encoder.encode("ab")).lines(block, 0, block.length, 10, lines);
  assert.deepEqual([...lines.spans.subarray(0, lines.length)], [3, 9, 10, 12]);
  new ByteSearch(encoder.encode("b\n")).lines(block, 0, block.length, 10, lines);
  assert.equal(lines.matched, 2);
});

Deno.test("a pattern of bytes that are not UTF-8 is found by bytes in blocks of every size", () => {
  const regex = compileRegex(Uint8Array.of(0xa9), { syntax: "basic" });
  const line = Uint8Array.of(0xc3, 0xa9, 10);
  for (const count of [1, 100, 60_000]) {
    const block = new Uint8Array(3 * count);
    for (let at = 0; at < block.length; at += 3) block.set(line, at);
    assert.equal(regex.matchingLines(block, 0, block.length, 10, false).matched, count);
  }
  assert.equal(regex.test(line, 0, 2), true);
});
