import assert from "node:assert/strict";
import { TextKernel } from "../../../simd/mod.ts";
import { bytes, withSeed } from "../../../streams/_testing.ts";
import { columnsTable, NOT_PRINTABLE } from "../../text/columns.ts";
import { WcCounter } from "./counter.ts";

const wanted = { lines: true, words: true, chars: true, bytes: true, columns: false };

/** Counts a text in chunks of `size` bytes. */
function count(text: Uint8Array<ArrayBuffer>, size: number) {
  const counter = new WcCounter(wanted);
  for (let at = 0; at < text.length; at += size) counter.add(text.subarray(at, at + size));
  // Columns are not requested, so their value is undefined.
  const { columns: _, ...counts } = counter.end();
  return counts;
}

Deno.test("WcCounter counts large chunks as it counts small ones", () =>
  withSeed((random) => {
    const odd = [
      "\u00e9",
      "\u65e5\u672c",
      "\u0416",
      "\u03b1",
      "\uac00",
      "\u2007",
      "\0",
      "\x7f",
      "\u{1f600}",
      "\x01\x02",
    ]
      .map(bytes);
    odd.push(Uint8Array.of(0xff), Uint8Array.of(0xc3), Uint8Array.of(0xe3, 0x81));
    // From few to many breaks, so that the kernel pays in some cases only.
    for (const every of [5000, 300, 60, 10]) {
      const parts: Uint8Array[] = [];
      for (let i = 0; i < 400_000 / every; i++) {
        const plain = Array.from({ length: random(2 * every) }, () => "aB~! \n\t\r"[random(8)]);
        parts.push(bytes(plain.join("")), odd[random(odd.length)] as Uint8Array);
      }
      const text = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
      let at = 0;
      for (const part of parts) {
        text.set(part, at);
        at += part.length;
      }
      const small = count(text, 100);
      assert.ok(small.words > 1000);
      for (const size of [text.length, 4097, 70_001]) assert.deepEqual(count(text, size), small);
    }
    return Promise.resolve();
  }));

Deno.test("WcCounter: what the kernel takes for letters are letters by the table", () => {
  const kernel = TextKernel.shared;
  assert.ok(kernel !== undefined);
  const columns = columnsTable();
  let letters = 0;
  for (let code = 0x80; code < 0x11000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const text = bytes(String.fromCodePoint(code));
    kernel.load(text, 0, text.length);
    kernel.begin();
    const end: number = kernel.countWords(0, text.length, false);
    if (end === 0) continue;
    letters++;
    assert.equal(end, text.length);
    assert.equal(kernel.words, 1);
    assert.ok(columns[code] !== NOT_PRINTABLE, code.toString(16));
    const counts = count(text, text.length);
    assert.deepEqual([counts.words, counts.chars], [1, 1], code.toString(16));
  }
  assert.equal(letters, 15 * 64 + 8 * 4096);
});
