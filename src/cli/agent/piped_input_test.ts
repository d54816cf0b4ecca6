import assert from "node:assert/strict";
import { fromReadable } from "../../streams/mod.ts";
import { sourceLines } from "./lines.ts";
import { withInput } from "./piped_input.ts";

const never = new AbortController().signal;
const source = (...pieces: string[]) =>
  fromReadable(ReadableStream.from(pieces.map((piece) => new TextEncoder().encode(piece))));

Deno.test("withInput puts what is piped below the message", async () => {
  const tell = () => assert.fail();
  assert.equal(
    await withInput("Do", source("one\n", "two\n"), { signal: never, tell }),
    "Do\n\none\ntwo\n",
  );
  assert.equal(await withInput("Do", source(" \n"), { signal: never, tell }), "Do");
});

Deno.test("withInput says what it waits for when the input does not end", async () => {
  const input = new TransformStream<Uint8Array, Uint8Array>();
  const told = Promise.withResolvers<string>();
  const text = withInput("Do", fromReadable(input.readable), {
    ...{ signal: never, patience: 1, tell: told.resolve },
  });
  assert.match(await told.promise, /^waiting for the end of standard input, .* add <\/dev\/null/);
  const writer = input.writable.getWriter();
  await writer.write(new TextEncoder().encode("late"));
  await writer.close();
  assert.equal(await text, "Do\n\nlate");
});

Deno.test("withInput ends at its signal", async () => {
  const stop = new AbortController();
  const { readable } = new TransformStream<Uint8Array, Uint8Array>();
  const text = withInput("Do", fromReadable(readable), { signal: stop.signal, tell() {} });
  stop.abort(new Error("Stopped"));
  await assert.rejects(text, /Stopped/);
});

Deno.test("withInput tells of input that is not UTF-8, once", async () => {
  const told: string[] = [];
  const tell = (message: string) => void told.push(message);
  const latin1 = fromReadable(ReadableStream.from([Uint8Array.of(0x63, 0xe9, 0xe8, 0x0a)]));
  assert.equal(await withInput("Do", latin1, { signal: never, tell }), "Do\n\nc\ufffd\ufffd\n");
  assert.equal(told.length, 1);
  assert.match(told[0] ?? "", /^warning: standard input is not UTF-8: .* convert it with iconv/);
  // A character that is split between chunks stays whole, and U+FFFD itself is valid UTF-8.
  const halves = fromReadable(ReadableStream.from([Uint8Array.of(0xc3), Uint8Array.of(0xa9)]));
  assert.equal(await withInput("Do", halves, { signal: never, tell }), "Do\n\n\u00e9");
  assert.equal(await withInput("Do", source("\ufffd"), { signal: never, tell }), "Do\n\n\ufffd");
  assert.equal(told.length, 1);
});

Deno.test("sourceLines tells of lines that are not UTF-8, once", async () => {
  const told: string[] = [];
  const pieces = [[0x63, 0xe9, 0x0a, 0xe8], [0x0a, 0xc3], [0xa9, 0x0a, 0xc3]];
  const input = fromReadable(ReadableStream.from(pieces.map((bytes) => Uint8Array.from(bytes))));
  const lines = sourceLines(input, (message) => void told.push(message));
  assert.equal(await lines.next(), "c\ufffd");
  assert.match(told[0] ?? "", /^warning: standard input is not UTF-8: .* convert it with iconv/);
  assert.equal(await lines.next(), "\ufffd");
  assert.equal(await lines.next(), "\u00e9");
  assert.equal(await lines.next(), "\ufffd");
  assert.equal(await lines.next(), undefined);
  assert.equal(told.length, 1);
  const cut = fromReadable(ReadableStream.from([Uint8Array.of(0x61, 0xc3)]));
  assert.equal(await sourceLines(cut, (message) => void told.push(message)).next(), "a\ufffd");
  assert.equal(told.length, 2, "a character that is cut by the end");
});
