import assert from "node:assert/strict";
import { INVALID } from "./charset.ts";
import { symbolAt, symbolBefore, symbolLength } from "./utf8.ts";

Deno.test("symbolAt decodes what TextDecoder accepts, and nothing else", () => {
  const fatal = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const bytes = new Uint8Array(4);
  const leads = [
    0x41,
    0x80,
    0xbf,
    0xc1,
    0xc2,
    0xdf,
    0xe0,
    0xe3,
    0xed,
    0xef,
    0xf0,
    0xf4,
    0xf5,
    0xff,
  ];
  const interesting = [0x41, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc2];
  for (const a of leads) {
    for (const b of interesting) {
      for (const c of interesting) {
        for (const d of interesting) {
          bytes.set([a, b, c, d]);
          const symbol = symbolAt(bytes, 0, 4);
          let expected = INVALID + a;
          for (let length = 1; length <= 4; length++) {
            try {
              const text = fatal.decode(bytes.subarray(0, length));
              expected = text.codePointAt(0) ?? expected;
              break;
            } catch {
              // An incomplete character.
            }
          }
          assert.equal(symbol, a < 0x80 ? a : expected, `${bytes}`);
        }
      }
    }
  }
});

Deno.test("symbolBefore cuts where symbolAt does", () => {
  let state = 1;
  const bytes = Uint8Array.from({ length: 20_000 }, () => {
    state = Math.imul(state, 1664525) + 1013904223 | 0;
    const choices = [0x41, 0x80, 0x9f, 0xbf, 0xc3, 0xe3, 0x81, 0x82, 0xf0, 0x9f, 0x98, 0x80, 0xed];
    return choices[(state >>> 8) % choices.length] as number;
  });
  const forwards: number[] = [];
  for (let at = 0; at < bytes.length;) {
    const symbol = symbolAt(bytes, at, bytes.length);
    forwards.push(symbol);
    at += symbolLength(symbol);
  }
  const backwards: number[] = [];
  for (let at = bytes.length; at > 0;) {
    const symbol = symbolBefore(bytes, at, 0);
    backwards.push(symbol);
    at -= symbolLength(symbol);
  }
  assert.deepEqual(backwards.reverse(), forwards);
});
