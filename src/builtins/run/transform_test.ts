import assert from "node:assert/strict";
import { cat, grep, head, sed, sort, tail, tr, transform, wc } from "../mod.ts";
import { bytes } from "../_testing.ts";

function streamOf(text: string): ReadableStream<Uint8Array> {
  return new Response(text).body ?? new ReadableStream();
}

function endless(): { stream: ReadableStream<Uint8Array>; cancelled: () => boolean } {
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(bytes("line\n")),
    cancel: () => void (cancelled = true),
  });
  return { stream, cancelled: () => cancelled };
}

Deno.test("transform factories chain with pipeThrough", async () => {
  const output = streamOf("b 2\na 1\nc 3\nb 2\n")
    .pipeThrough(cat())
    .pipeThrough(grep(["-v", "c"]))
    .pipeThrough(sort(["-u"]))
    .pipeThrough(tr(["a-z", "A-Z"]))
    .pipeThrough(sed(["s/ /=/"]))
    .pipeThrough(head(["-n", "5"]))
    .pipeThrough(tail(["-n", "1"]));
  assert.equal(await new Response(output).text(), "B=2\n");
  assert.equal(await new Response(streamOf("a\nb\n").pipeThrough(wc(["-l"]))).text(), "2\n");
});

Deno.test("transform of a command that does not read is a source", async () => {
  const numbers = transform("seq", ["3"]).readable.pipeThrough(tail(["-n", "1"]));
  assert.equal(await new Response(numbers).text(), "3\n");
});

Deno.test("transform gives status and warnings, and no unhandled rejection", async () => {
  const missing = cat(["missing"]);
  assert.equal(await new Response(streamOf("").pipeThrough(missing)).text(), "");
  assert.equal(await missing.status, 1);
  assert.deepEqual(missing.warnings, [
    "cat: missing: Files cannot be opened here, only standard input",
  ]);
});

Deno.test("transform stops an endless producer when head has enough", async () => {
  const { stream, cancelled } = endless();
  const counted = cat();
  const output = stream.pipeThrough(counted).pipeThrough(head(["-n", "2"]));
  assert.equal(await new Response(output).text(), "line\nline\n");
  assert.equal(await counted.status, 141);
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.equal(cancelled(), true);
});

Deno.test("transform: cancelling the readable side errors the writable side at once", async () => {
  const { readable, writable, status } = transform("cat");
  const writer = writable.getWriter();
  const written = writer.write(bytes("a"));
  const reader = readable.getReader();
  assert.deepEqual((await reader.read()).value, bytes("a"));
  await reader.cancel();
  assert.equal(await status, 141);
  await written.catch(() => {});
  await assert.rejects(writer.closed, { name: "BrokenPipeError" });
});

Deno.test("transform: a write waits until the builtin has read", async () => {
  const { readable, writable, status } = transform("cat");
  const writer = writable.getWriter();
  let done = false;
  const first = writer.write(bytes("a")).then(() => done = true);
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(done, false);
  const closed = writer.close();
  assert.equal(await new Response(readable).text(), "a");
  await Promise.all([first, closed]);
  assert.equal(await status, 0);
});

Deno.test("transform: aborting the writable side or the signal errors the readable side", async () => {
  const one = transform("sort");
  const reason = new Error("Enough");
  const reading = new Response(one.readable).text();
  await one.writable.abort(reason);
  await assert.rejects(reading, /Enough/);
  await assert.rejects(one.status, /Enough/);

  const controller = new AbortController();
  const two = transform("sort", [], { signal: controller.signal });
  const other = new Response(two.readable).text();
  controller.abort(reason);
  await assert.rejects(other, /Enough/);
  await two.writable.abort().catch(() => {});
});

Deno.test("transform: the signal also stops what reads no input", async () => {
  for (const line of ["yes", "seq inf", "printf %s a b"]) {
    const [name = "", ...args] = line.split(" ");
    const controller = new AbortController();
    const { readable, status } = transform(name, args, { signal: controller.signal });
    const reader = readable.getReader();
    assert.equal((await reader.read()).done, false);
    controller.abort(new Error("Enough"));
    // One chunk may already be buffered, but no more follow.
    const further = async () => {
      for (let i = 0; i < 3; i++) await reader.read();
    };
    await assert.rejects(further, /Enough/, name);
    await assert.rejects(status, /Enough/, name);
  }
});

Deno.test("transform refuses an unknown name at once, and chunks that are no bytes", async () => {
  assert.throws(() => transform("wcc"), RangeError);
  const { readable, writable } = transform("cat");
  const reading = new Response(readable).text().catch((error) => String(error));
  const writer = writable.getWriter();
  await assert.rejects(writer.write("text" as never), /pipe it through a TextEncoderStream/);
  await writer.abort().catch(() => {});
  await readable.cancel().catch(() => {});
  await reading;
});
