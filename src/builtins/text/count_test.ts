import assert from "node:assert/strict";
import { withSeed } from "../../streams/_testing.ts";
import { countNewlines } from "./count.ts";

Deno.test("countNewlines agrees with a loop at every alignment and length", () => {
  const memory = new Uint8Array(2048).map((_, index) => (index * 7) % 3 === 0 ? 10 : index & 255);
  for (let start = 0; start < 9; start++) {
    for (const length of [0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 64, 1007, 1024, 2000]) {
      const bytes = memory.subarray(start, start + length);
      const expected = bytes.reduce((count, byte) => count + Number(byte === 10), 0);
      assert.equal(countNewlines(bytes), expected, `start ${start}, length ${length}`);
    }
  }
});

Deno.test("countNewlines counts memory of newlines only", () => {
  assert.equal(countNewlines(new Uint8Array(5000).fill(10)), 5000);
  assert.equal(countNewlines(new Uint8Array(500_000).fill(10)), 500_000);
});

Deno.test("countNewlines agrees with a loop in small and in large memory", () =>
  withSeed((below) => {
    for (let round = 0; round < 12; round++) {
      const every = 1 + below(60);
      const bytes = Uint8Array.from({ length: below(300_000) }, () => below(every));
      const expected = bytes.reduce((count, byte) => count + Number(byte === 10), 0);
      assert.equal(countNewlines(bytes), expected);
    }
    return Promise.resolve();
  }));
