import assert from "node:assert/strict";
import { testSeed } from "../../streams/_testing.ts";
import { LOOKAHEAD, sliceText } from "./text_slice.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
/** Reads all of `bytes` in slices, as the read tool does. */
function slices(bytes: Uint8Array, max: number): ReturnType<typeof sliceText>[] {
  const all: ReturnType<typeof sliceText>[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + max + LOOKAHEAD;
    const slice = sliceText(bytes.subarray(at, end), max, end >= bytes.length);
    assert.ok(slice.size > 0);
    all.push(slice);
    at += slice.size;
  }
  return all;
}

Deno.test("sliceText cuts between characters and gives at least one", () => {
  const bytes = utf8("a\u00e9\u65e5\u{1f600}");
  assert.deepEqual(sliceText(bytes.subarray(0, 5), 2, false), { text: "a", size: 1 });
  assert.deepEqual(sliceText(bytes.subarray(0, 6), 3, false), { text: "a\u00e9", size: 3 });
  for (let max = 1; max < 12; max++) {
    const all = slices(bytes, max);
    assert.equal(all.map((slice) => slice.text).join(""), "a\u00e9\u65e5\u{1f600}");
    assert.ok(all.every((slice) => slice.encoding === undefined));
  }
});

Deno.test("sliceText keeps a byte order mark and NUL bytes", () => {
  assert.deepEqual(sliceText(utf8("\ufeffa\0b"), 9, true), { text: "\ufeffa\0b", size: 6 });
});

Deno.test("sliceText gives bytes that are not UTF-8 as base64 and loses none", () => {
  assert.deepEqual(sliceText(Uint8Array.of(0x61, 0xff, 0), 9, true), {
    text: "Yf8A",
    encoding: "base64",
    size: 3,
  });
  const seed = testSeed();
  let state = seed;
  const bytes = Uint8Array.from({ length: 3000 }, () => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return state >>> 24;
  });
  for (const max of [1, 2, 3, 7, 4096]) {
    const joined = slices(bytes, max).map((slice) =>
      slice.encoding === "base64"
        ? Uint8Array.from(atob(slice.text), (char) => char.charCodeAt(0))
        : utf8(slice.text)
    ).flatMap((piece) => [...piece]);
    assert.deepEqual(Uint8Array.from(joined), bytes, `seed ${seed}, max ${max}`);
  }
});

Deno.test("sliceText comes back to text after a piece in base64", () => {
  const bytes = Uint8Array.of(0xff, ...utf8("\u65e5\u65e5\u65e5"));
  assert.deepEqual(slices(bytes, 6).map((slice) => slice.encoding ?? slice.text), [
    "base64",
    "\u65e5\u65e5",
  ]);
});

Deno.test("sliceText gives a character that is cut by the end of the data as base64", () => {
  assert.deepEqual(sliceText(Uint8Array.of(0x61, 0xe6, 0x97), 9, true), {
    text: "YeaX",
    encoding: "base64",
    size: 3,
  });
  assert.deepEqual(sliceText(Uint8Array.of(0xe6), 9, false), { text: "", size: 0 });
  assert.deepEqual(sliceText(Uint8Array.of(0xe6, 0x41), 1, false), {
    text: "5g==",
    encoding: "base64",
    size: 1,
  });
});
