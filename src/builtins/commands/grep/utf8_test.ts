import assert from "node:assert/strict";
import { withSeed } from "../../../streams/_testing.ts";
import { isUtf8, isUtf8BySymbols } from "./utf8.ts";

/** Bytes at and next to the boundaries of UTF-8. */
const EDGES = [
  ...[0x00, 0x0a, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf],
  ...[0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf8, 0xff],
];

/** One byte of each kind for a third byte: below, within and above continuation bytes. */
const THIRD = [0x41, 0x7f, 0x80, 0xbf, 0xc0, 0xff];

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The result of the platform's decoder. */
function decodes(bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

Deno.test("isUtf8 knows every sequence of two, three and four bytes at the edges, at every place", () => {
  const frame = new Uint8Array(600).fill(0x61);
  let valid = 0;
  let place = 0;
  for (const a of EDGES) {
    for (const b of EDGES) {
      for (const c of THIRD) {
        for (const d of [0x41, 0x80, 0x8f, 0xbf, 0xc3]) {
          const at = 500 + place++ % 20;
          const bytes = frame.slice(0, at + 4);
          bytes.set([a, b, c, d], at);
          // The last character may be incomplete.
          for (const end of [at + 3, at + 4]) {
            const expected = decodes(bytes.subarray(at, end));
            assert.equal(isUtf8BySymbols(bytes, 0, end), expected, `${[a, b, c, d]}`);
            assert.equal(isUtf8(bytes, 0, end), expected, `${[a, b, c, d]} at ${at}`);
            if (expected) valid++;
          }
        }
      }
    }
  }
  assert.ok(valid > 1000);
});

Deno.test("isUtf8 agrees with the platform's decoder on large texts, also one byte off", () =>
  withSeed((below) => {
    const letters = [
      "a",
      "\n",
      "\u00e9",
      "\u20ac",
      "\u65e5",
      "\u{1f600}",
      "\u{10ffff}",
      "\u0800",
      "\ud7ff",
    ];
    for (let round = 0; round < 30; round++) {
      const text = Array.from({ length: 1 + below(60_000) }, () => letters[below(letters.length)]);
      const bytes = new TextEncoder().encode(text.join(""));
      const from = below(3);
      assert.equal(isUtf8(bytes, 0, bytes.length), true);
      bytes[below(bytes.length)] = below(256);
      const part = bytes.subarray(from);
      assert.equal(isUtf8(bytes, from, bytes.length), decodes(part));
    }
    return Promise.resolve();
  }));
