import assert from "node:assert/strict";
import { formatOf, type TextFormat, TextScan } from "./text_format.ts";

const utf8 = (text: string) => [...new TextEncoder().encode(text)];
const wide = (text: string, bigEndian = false) =>
  Array.from(text, (unit) => {
    const code = unit.charCodeAt(0);
    return bigEndian ? [code >> 8, code & 255] : [code & 255, code >> 8];
  }).flat();
const format = (given: Partial<TextFormat>): TextFormat => ({
  encoding: "UTF-8",
  bom: false,
  strays: 0,
  lineEnd: undefined,
  mixed: false,
  ...given,
});

const CASES: Record<string, [bytes: number[], found: TextFormat | undefined]> = {
  "nothing": [[], format({})],
  "ASCII": [utf8("a"), format({})],
  "LF": [utf8("a\nb\n"), format({ lineEnd: "\n" })],
  "CRLF": [utf8("a\r\nb\r\n"), format({ lineEnd: "\r\n" })],
  "CR": [utf8("a\rb\r"), format({ lineEnd: "\r" })],
  "a CR within lines that end in LF": [utf8("a\rb\n"), format({ lineEnd: "\n" })],
  "mostly CRLF": [utf8("a\r\nb\r\nc\n"), format({ lineEnd: "\r\n", mixed: true })],
  "mostly LF": [utf8("a\r\nb\nc\n"), format({ lineEnd: "\n", mixed: true })],
  "UTF-8": [utf8("\u00e4\u20ac\u{1f41f}\n"), format({ lineEnd: "\n" })],
  "UTF-8 with a mark": [utf8("\ufeffa\n"), format({ bom: true, lineEnd: "\n" })],
  "only the mark of UTF-8": [utf8("\ufeff"), format({ bom: true })],
  "UTF-8 with stray bytes": [
    [...utf8("\u00e4\u00f6\u00fc"), 0xff, 0xe4],
    format({ strays: 2 }),
  ],
  "marked UTF-8 with more strays than characters": [
    [...utf8("\ufeffa"), 0xff],
    format({ bom: true, strays: 1 }),
  ],
  "Latin-1": [[65, 0xe4, 66], format({ encoding: "windows-1252" })],
  "windows-1252 with quotes": [
    [0x93, 65, 0x94, 13, 10],
    format({ encoding: "windows-1252", lineEnd: "\r\n" }),
  ],
  "Latin-1 with a DOS mark of the end": [[0xe4, 26], format({ encoding: "windows-1252" })],
  "Latin-1 with a control character": [[0xe4, 1], undefined],
  "Latin-1 with a NUL": [[0xe4, ...utf8("x".repeat(9000)), 0], undefined],
  "a byte that windows-1252 does not define": [[0xe4, 0x81], undefined],
  "a NUL": [[65, 0, 66], undefined],
  "a NUL far into UTF-8": [[...utf8("x".repeat(8192)), 0], format({})],
  "overlong, surrogates and beyond U+10FFFF": [
    // Marked, as windows-1252 has them all.
    [...utf8("\ufeff"), 0xc0, 0xaf, 0xe0, 0x80, 0xaf, 0xed, 0xa0, 0x80, 0xf4, 0x90, 0xaf, 0xaf],
    format({ bom: true, strays: 12 }),
  ],
  "UTF-16LE": [
    [0xff, 0xfe, ...wide("a\r\nb\r\n")],
    format({ encoding: "UTF-16LE", bom: true, lineEnd: "\r\n" }),
  ],
  "UTF-16BE": [
    [0xfe, 0xff, ...wide("\u0a0d\n", true)],
    format({ encoding: "UTF-16BE", bom: true, lineEnd: "\n" }),
  ],
  "only the mark of UTF-16": [[0xff, 0xfe], format({ encoding: "UTF-16LE", bom: true })],
  "half a unit of UTF-16": [[0xff, 0xfe, 65, 0, 10], undefined],
  "UTF-16 with half a pair": [[0xff, 0xfe, 0x3d, 0xd8, 65, 0], undefined],
  "UTF-32": [[0xff, 0xfe, 0, 0, 65, 0, 0, 0], undefined],
  "UTF-16 without a mark": [wide("ab"), undefined],
};

for (const [name, [bytes, found]] of Object.entries(CASES)) {
  Deno.test(`TextScan finds ${name}, whatever blocks it comes in`, () => {
    assert.deepEqual(formatOf(Uint8Array.from(bytes)), found);
    for (const size of [1, 2, 3, 7]) {
      const scan = new TextScan();
      for (let at = 0; at < bytes.length; at += size) {
        scan.push(Uint8Array.from(bytes.slice(at, at + size)));
      }
      assert.deepEqual(scan.end(), found, `blocks of ${size}`);
    }
  });
}

Deno.test("TextScan takes half a character at the end of a cut file for whole", () => {
  const scanned = (bytes: number[]) => {
    const scan = new TextScan();
    scan.push(Uint8Array.from(bytes));
    return scan;
  };
  const half = scanned([...utf8("a"), 0xf0, 0x9f]);
  assert.equal(half.end({ cut: true })?.encoding, "UTF-8");
  assert.equal(half.end()?.encoding, "windows-1252");
  assert.equal(scanned([0xff, 0xfe, 65]).end({ cut: true })?.encoding, "UTF-16LE");
  assert.equal(scanned([0xff, 0xfe, 0x3d, 0xd8]).end({ cut: true })?.encoding, "UTF-16LE");
});

Deno.test("TextScan says early that a file is binary", () => {
  const scan = new TextScan();
  scan.push(Uint8Array.of(65, 0));
  assert.equal(scan.binary, true);
});
