import assert from "node:assert/strict";
import { decodeText, encodeText, legible, wholeCharacters } from "./encoding.ts";
import { formatOf, plainFormat, type TextEncoding, type TextFormat } from "./text_format.ts";

const bytes = (...values: (number | string)[]) =>
  Uint8Array.from(
    values.flatMap((value) =>
      typeof value === "number" ? value : [...new TextEncoder().encode(value)]
    ),
  );
const format = (encoding: TextEncoding, given: Partial<TextFormat> = {}): TextFormat => ({
  ...plainFormat,
  encoding,
  ...given,
});

Deno.test("decodeText and encodeText of windows-1252 keep every byte", () => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const text = decodeText(all, format("windows-1252"));
  assert.equal(text.slice(0x80, 0x86), "\u20ac\x81\u201a\u0192\u201e\u2026");
  assert.equal(text.slice(0x9d), `\x9d\u017e\u0178${text.slice(0xa0)}`);
  assert.equal(text.charCodeAt(0xff), 0xff);
  assert.deepEqual(encodeText(text, format("windows-1252"), "f"), all);
});

Deno.test("decodeText agrees with the runtime's windows-1252", () => {
  const all = Uint8Array.from({ length: 128 }, (_, byte) => byte + 128);
  const expected = new TextDecoder("windows-1252").decode(all);
  assert.equal(decodeText(all, format("windows-1252")), expected);
});

Deno.test("decodeText and encodeText of UTF-16 keep every unit, and the mark", () => {
  const little = bytes(0xff, 0xfe, 65, 0, 0xac, 0x20, 0x3d, 0xd8, 0x1f, 0xdc, 10, 0);
  const big = bytes(0xfe, 0xff, 0, 65, 0x20, 0xac, 0xd8, 0x3d, 0xdc, 0x1f, 0, 10);
  for (const [encoding, whole] of [["UTF-16LE", little], ["UTF-16BE", big]] as const) {
    const found = formatOf(whole);
    assert(found !== undefined);
    assert.equal(found.encoding, encoding);
    assert.equal(decodeText(whole, found), "A\u20ac\ud83d\udc1f\n");
    assert.deepEqual(encodeText(decodeText(whole, found), found, "f"), whole);
  }
  // A block that does not begin where its buffer does.
  assert.equal(decodeText(little.subarray(2), format("UTF-16LE")), "A\u20ac\ud83d\udc1f\n");
});

Deno.test("decodeText and encodeText of UTF-8 keep the mark and bytes that are not UTF-8", () => {
  const broken = bytes("\ufeff", "\u00e4\u20ac", 0xff, "x", 0xe2, 0x82, "y\u{1f41f}", 0xc3);
  const found = formatOf(broken);
  assert.deepEqual(found, format("UTF-8", { bom: true, strays: 4 }));
  const text = decodeText(broken, found ?? plainFormat);
  assert.equal(text, "\u00e4\u20ac\udcffx\udce2\udc82y\u{1f41f}\udcc3");
  assert.equal(legible(text), "\u00e4\u20ac\ufffdx\ufffd\ufffdy\u{1f41f}\ufffd");
  assert.deepEqual(encodeText(text, found ?? plainFormat, "f"), broken);
});

Deno.test("encodeText names a character that the encoding lacks, and its line", () => {
  const message = (text: string, encoding: TextEncoding): string => {
    try {
      return `${encodeText(text, format(encoding), "a.txt").length} bytes`;
    } catch (error) {
      return error instanceof RangeError ? error.message : String(error);
    }
  };
  assert.equal(
    message("\u00e4\r\nb \u2192 c", "windows-1252"),
    "\u2192 (U+2192) in line 2 of the new contents is not in windows-1252 (Latin-1), the encoding " +
      "of a.txt: write it otherwise, or first convert the file with bash: " +
      "iconv -f WINDOWS-1252 -t UTF-8 FILE > NEW && mv NEW FILE",
  );
  assert.match(message("\u{1f41f}", "windows-1252"), /^\u{1f41f} \(U\+1F41F\) in line 1 /u);
  assert.equal(
    message("a\n\ud83d", "UTF-8"),
    "half of a surrogate pair, U+D83D, in line 2 of the new contents is not in UTF-8, the " +
      "encoding of a.txt: write the whole character",
  );
  assert.match(message("\udcff", "UTF-8"), /U\+DCFF/);
  assert.equal(message("\u00e4\u201c\u0178", "windows-1252"), "3 bytes");
});

Deno.test("wholeCharacters leaves out a character that is cut", () => {
  const count = (encoding: TextEncoding, ...values: (number | string)[]) =>
    wholeCharacters(bytes(...values), encoding);
  assert.equal(count("UTF-8"), 0);
  assert.equal(count("UTF-8", "a\u00e4"), 3);
  assert.equal(count("UTF-8", "a", 0xc3), 1);
  assert.equal(count("UTF-8", "a", 0xe2, 0x82), 1);
  assert.equal(count("UTF-8", "a\u{1f41f}"), 5);
  assert.equal(count("UTF-8", "a", 0xf0, 0x9f, 0x90), 1);
  assert.equal(count("windows-1252", 0xe4), 1);
  assert.equal(count("UTF-16LE", 65, 0, 66), 2);
  assert.equal(count("UTF-16LE", 65, 0, 0x3d, 0xd8), 2);
  assert.equal(count("UTF-16BE", 0, 65, 0xd8, 0x3d), 2);
  assert.equal(count("UTF-16BE", 0xd8, 0x3d, 0xdc, 0x1f), 4);
});
