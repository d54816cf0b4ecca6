import assert from "node:assert/strict";
import { fromReadable } from "../../streams/mod.ts";
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
  assert.match(await told.promise, /^waiting for the end of standard input, .* give <\/dev\/null/);
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
