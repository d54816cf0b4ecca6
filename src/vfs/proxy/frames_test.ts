import assert from "node:assert/strict";
import { fromBase64Into, toBase64 } from "./base64.ts";
import { bytesOf, frameAround, frameOf, FrameReader, FrameTooLongError } from "./frames.ts";
import { decodeStrictUtf8 } from "./params.ts";

const documents = [
  { id: "\u00e9\u{1f41f}" },
  { id: "2", list: Array.from({ length: 40 }, () => 7) },
  {},
];
const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

Deno.test("FrameReader gives the documents of frames, however their bytes are cut", async () => {
  const bytes = bytesOf(documents.map(frameOf));
  for (const size of [1, 2, 3, 5, 7, 50, bytes.length]) {
    const cuts = Array.from(
      { length: Math.ceil(bytes.length / size) },
      (_, index) => bytes.slice(index * size, (index + 1) * size),
    );
    const reader = new FrameReader(ReadableStream.from(cuts));
    for (const document of documents) {
      assert.deepEqual(JSON.parse(text(await reader.next(1000))), document, `cut at ${size}`);
    }
    assert.equal(await reader.next(1000), undefined);
  }
});

Deno.test("FrameReader leaves the chunks as they came, and keeps none of a frame too long", async () => {
  const bytes = bytesOf([frameOf("one"), frameOf("a longer one"), frameOf("x".repeat(20))]);
  const chunks = [bytes.slice(0, 6), bytes.slice(6, 20), bytes.slice(20)];
  const copies = chunks.map((chunk) => chunk.slice());
  const reader = new FrameReader(ReadableStream.from(chunks));
  assert.equal(text(await reader.next(20)), '"one"');
  assert.equal(text(await reader.next(20)), '"a longer one"');
  await assert.rejects(reader.next(20), FrameTooLongError);
  assert.deepEqual(chunks, copies);
});

Deno.test("a frame around bytes is that of the same document", () => {
  for (const length of [0, 1, 2, 3, 1000]) {
    const data = Uint8Array.from({ length }, (_, index) => index * 31);
    assert.deepEqual(
      bytesOf([frameAround('{"\u00e9":"', data, '"}')]),
      bytesOf([frameOf({ "\u00e9": toBase64(data) })]),
    );
  }
});

Deno.test("fromBase64Into takes padded base64 alone, and no more than there is room for", () => {
  const into = new Uint8Array(4);
  assert.equal(fromBase64Into("AQIDBA==", into), 4);
  assert.deepEqual([...into], [1, 2, 3, 4]);
  assert.equal(fromBase64Into("", into), 0);
  assert.equal(fromBase64Into("CQ==", into), 1);
  assert.equal(into[0], 9);
  for (const bad of ["A", "AQI", "AQIDBAU=", "!!!!", "AQ==AQ==", "A Q =", " AQ="]) {
    assert.equal(fromBase64Into(bad, into), undefined, bad);
  }
});

Deno.test("decodeStrictUtf8 refuses what is not UTF-8, and takes U+FFFD as it is", () => {
  assert.equal(decodeStrictUtf8(new TextEncoder().encode('"\ufffd"')), '"\ufffd"');
  assert.throws(() => decodeStrictUtf8(Uint8Array.of(0x22, 0xff, 0x22)), TypeError);
});
