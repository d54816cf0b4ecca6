import assert from "node:assert/strict";
import { memorySource } from "../../streams/mod.ts";
import { PoisonSource } from "../../testing/poison_source.ts";
import { ToolBench } from "../_testing.ts";

const LONG = Array.from({ length: 30_000 }, (_, line) => `line ${line}\n`).join("");

Deno.test("read gives input, next_offset, eof, size and error, and goes on from the last position", async () => {
  await using bench = new ToolBench({ inputs: ["hello world"] });
  assert.deepEqual(await bench.read({ fd: 3, max_size: 5 }), {
    input: "hello",
    next_offset: 5,
    eof: false,
    size: 5,
    error: null,
  });
  assert.deepEqual(await bench.read({ fd: 3, offset: null, max_size: null }), {
    input: " world",
    next_offset: 11,
    eof: true,
    size: 6,
    error: null,
  });
  assert.deepEqual(await bench.read({ fd: 3 }), {
    input: "",
    next_offset: 11,
    eof: true,
    size: 0,
    error: null,
  });
});

Deno.test("read says eof with the last byte, also when it fills max_size", async () => {
  await using bench = new ToolBench({ stdin: "abcd", inputs: ["abcd"] });
  for (const fd of [0, 3]) {
    assert.equal((await bench.read({ fd, max_size: 4 })).eof, true);
  }
});

Deno.test("read with an offset seeks in a regular file, back and past its end", async () => {
  await using bench = new ToolBench({ inputs: ["0123456789"] });
  assert.equal((await bench.read({ fd: 3, offset: 7 })).input, "789");
  assert.equal((await bench.read({ fd: 3, offset: 0, max_size: 2 })).input, "01");
  assert.equal((await bench.read({ fd: 3, max_size: 2 })).input, "23");
  const past = await bench.read({ fd: 3, offset: 99 });
  assert.deepEqual(past, { input: "", next_offset: 99, eof: true, size: 0, error: null });
});

Deno.test("read without fd reads stdin; default size is the limit readBufferSize", async () => {
  await using bench = new ToolBench({ stdin: LONG }, { readBufferSize: 100 });
  const first = await bench.read();
  assert.deepEqual([first.size, first.next_offset, first.eof], [100, 100, false]);
  assert.equal(first.input + (await bench.read()).input, LONG.slice(0, 200));
});

Deno.test("read gives at most 64 KiB a call", async () => {
  await using bench = new ToolBench({ inputs: [LONG] }, { readBufferSize: 1e6 });
  assert.equal((await bench.read({ fd: 3, max_size: 1e6 })).size, 65_536);
  assert.equal((await bench.read({ fd: 3 })).size, 65_536);
});

Deno.test("read goes forward in a stream and back to its beginning", async () => {
  await using bench = new ToolBench({ stdin: LONG });
  assert.equal(
    (await bench.read({ offset: 200_000, max_size: 10 })).input,
    LONG.slice(200_000, 200_010),
  );
  assert.equal((await bench.read({ max_size: 5 })).input, LONG.slice(200_010, 200_015));
  const back = await bench.read({ offset: 200_015 - 65_536, max_size: 20 });
  assert.equal(back.input, LONG.slice(200_015 - 65_536).slice(0, 20));
  assert.equal((await bench.read({ offset: 100, max_size: 5 })).input, LONG.slice(100, 105));
});

Deno.test("read refuses sizes of zero and less, and negative offsets", async () => {
  await using bench = new ToolBench({ inputs: ["abc"] });
  assert.match((await bench.read({ fd: 3, max_size: 0 })).error, /^Cannot read 0 bytes/);
  assert.match((await bench.read({ fd: 3, max_size: -1 })).error, /^Cannot read -1 bytes/);
  assert.match((await bench.read({ fd: 3, offset: -1 })).error, /^Cannot read at offset -1/);
});

Deno.test("read refuses descriptors that are not for reading, and unknown ones", async () => {
  await using bench = new ToolBench({ inputs: ["abc"] });
  assert.match((await bench.read({ fd: 1 })).error, /^Cannot read fd 1 \(stdout\): .*writing/);
  assert.match((await bench.read({ fd: 2 })).error, /^Cannot read fd 2 \(stderr\): .*reserved/);
  assert.equal(
    (await bench.read({ fd: 7 })).error,
    "Cannot read fd 7: not an open descriptor (open: 0, 1, 2, 3)",
  );
  const raw = await bench.raw("read", { fd: 7 });
  assert.deepEqual([raw.error, raw.stop], [true, undefined]);
});

Deno.test("read cuts text between characters whatever the chunks are", async () => {
  const text = "\u65e5\u672c\u8a9e\u{1f600}\u00e9x".repeat(20);
  for (const size of [1, 2, 3, 5, 20]) {
    for (const max of [1, 2, 4, 5, 7, 64]) {
      const source = new PoisonSource(text, size);
      await using bench = new ToolBench({ stdin: source, inputs: [text] });
      for (const fd of [0, 3]) {
        let all = "";
        for (let eof = false; !eof;) {
          const piece = await bench.read({ fd, max_size: max });
          assert.equal(piece.encoding, undefined);
          assert.ok(piece.size > 0 && piece.size <= Math.max(4, max));
          all += piece.input;
          eof = piece.eof;
        }
        assert.equal(all, text);
      }
    }
  }
});

Deno.test("read gives bytes that are not UTF-8 as base64", async () => {
  const bytes = Uint8Array.of(0xff, 0x00, 0x61);
  await using bench = new ToolBench({ inputs: [bytes] });
  assert.deepEqual(await bench.read({ fd: 3 }), {
    input: "/wBh",
    next_offset: 3,
    eof: true,
    size: 3,
    error: null,
    encoding: "base64",
  });
});

Deno.test("read of a duplicate goes on where the original was read", async () => {
  for (const stdin of [new PoisonSource("abcdef"), memorySource("abcdef", { seekable: true })]) {
    await using bench = new ToolBench({ stdin, dup: true });
    assert.equal((await bench.read({ fd: 0, max_size: 2 })).input, "ab");
    assert.equal((await bench.read({ fd: 3, max_size: 2 })).input, "cd");
    assert.equal((await bench.read({ fd: 0, max_size: 2 })).input, "ef");
  }
});

Deno.test("read tells an error of the source and leaves the run to the model", async () => {
  const broken = memorySource("");
  Object.assign(broken, { next: () => Promise.reject(new Error("Input/output error")) });
  await using bench = new ToolBench({ stdin: broken });
  const raw = await bench.raw("read", {});
  assert.equal(JSON.parse(raw.content).error, "Cannot read fd 0 (stdin): Input/output error");
  assert.equal(raw.stop, undefined);
});

Deno.test("read of a stream over the input limit ends the run and names the limit", async () => {
  await using bench = new ToolBench({ stdin: LONG }, { inputBytes: 1000 });
  assert.equal((await bench.read({ max_size: 900 })).size, 900);
  const raw = await bench.raw("read", { offset: 2000 });
  assert.match(JSON.parse(raw.content).error, /inputBytes \(1000 bytes\)/);
  assert.equal(raw.stop, true);
  assert.equal(bench.state.failure?.name, "LimitError");
});
