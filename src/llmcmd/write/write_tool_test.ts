import assert from "node:assert/strict";
import { BrokenPipeError, type ByteSink } from "../../streams/mod.ts";
import { ToolBench } from "../_testing.ts";

Deno.test("write appends to fd 1 by default and counts bytes, not characters", async () => {
  await using bench = new ToolBench();
  assert.deepEqual(await bench.write({ data: "h\u00e9" }), { success: true, size: 3, error: null });
  assert.deepEqual(await bench.write({ fd: 1, data: "!\n", eof: null }), {
    success: true,
    size: 2,
    error: null,
  });
  assert.equal(bench.out.text(), "h\u00e9!\n");
});

Deno.test("write of nothing succeeds, without data and eof it fails", async () => {
  await using bench = new ToolBench();
  assert.deepEqual(await bench.write({ data: "" }), { success: true, size: 0, error: null });
  assert.deepEqual(await bench.write({ eof: true }), { success: true, size: 0, error: null });
  assert.match((await bench.write({})).error, /^Cannot write: give data/);
});

Deno.test("write refuses stdin, stderr, inputs and unknown descriptors", async () => {
  await using bench = new ToolBench({ inputs: ["abc"] });
  const errors = [0, 2, 3, 9].map(async (fd) => {
    const { success, size, error } = await bench.write({ fd, data: "x" });
    assert.deepEqual([success, size], [false, 0]);
    return error;
  });
  assert.deepEqual(await Promise.all(errors), [
    "Cannot write to fd 0 (stdin): inputs are read-only; output goes to fd 1",
    "Cannot write to fd 2 (stderr): it is reserved for messages; output goes to fd 1",
    "Cannot write to fd 3 (file3): inputs are read-only; output goes to fd 1",
    "Cannot write to fd 9: not an open descriptor (open: 0, 1, 2, 3)",
  ]);
});

Deno.test("write feeds a pipe made without in_fd, which read empties", async () => {
  await using bench = new ToolBench();
  assert.deepEqual(await bench.pipe({ cmd: "cat" }), {
    success: true,
    in_fd: 3,
    out_fd: 4,
    error: null,
    note: "The pipe has no input yet: write to fd 3, with eof true at the end. " +
      "To use an open descriptor instead, call pipe with in_fd",
  });
  await bench.write({ fd: 3, data: "one " });
  const first = await bench.read({ fd: 4 });
  assert.deepEqual([first.input, first.eof, first.next_offset], ["one ", false, 4]);
  const nothing = await bench.read({ fd: 4 });
  assert.deepEqual([nothing.input, nothing.eof, nothing.size], ["", false, 0]);
  await bench.write({ fd: 3, data: "two", eof: true });
  const last = await bench.read({ fd: 4 });
  assert.deepEqual([last.input, last.eof, last.next_offset], ["two", true, 7]);
  assert.match(
    (await bench.write({ fd: 3, data: "more" })).error,
    /^Cannot write to fd 3 \(input of `cat`\): it was closed with eof/,
  );
});

Deno.test("write into a pipe stops at 1 MiB and names the descriptor to read first", async () => {
  await using bench = new ToolBench();
  await bench.pipe({});
  const mib = 1024 * 1024;
  assert.equal((await bench.write({ fd: 3, data: "x".repeat(mib - 2) })).size, mib - 2);
  // Three bytes of three characters: only one fits, as characters are not cut.
  const partial = await bench.write({ fd: 3, data: "\u00e9\u00e9", eof: true });
  assert.deepEqual([partial.success, partial.size], [false, 2]);
  assert.match(partial.error, /fd 3 is full \(1 MiB\) after 2 bytes: read fd 4 first/);
  const full = await bench.write({ fd: 3, data: "z" });
  assert.deepEqual([full.success, full.size], [false, 0]);
  await bench.read({ fd: 4 });
  assert.deepEqual(await bench.write({ fd: 3, data: "\u00e9", eof: true }), {
    success: true,
    size: 2,
    error: null,
  });
  const rest = await bench.read({ fd: 4, offset: mib - 2 });
  assert.deepEqual([rest.input, rest.eof], ["\u00e9\u00e9", true]);
});

Deno.test("write to a pipe that was handed on names the end that can be read", async () => {
  await using bench = new ToolBench();
  await bench.pipe({});
  await bench.pipe({ in_fd: 4 });
  await bench.write({ fd: 3, data: "x".repeat(1024 * 1024) });
  assert.match((await bench.write({ fd: 3, data: "y" })).error, /read fd 6 first/);
});

Deno.test("write at the output limit writes what fits and ends the run", async () => {
  await using bench = new ToolBench({}, { outputBytes: 4 });
  const raw = await bench.raw("write", { data: "abcdef" });
  const { success, size, error } = JSON.parse(raw.content);
  assert.deepEqual([success, size], [false, 4]);
  assert.match(error, /^Output is larger than outputBytes \(4 bytes\)/);
  assert.equal(raw.stop, true);
  assert.equal(bench.out.text(), "abcd");
});

for (
  const [name, error, closed] of [
    ["a closed pipe", new BrokenPipeError(), true],
    ["Deno's BrokenPipe", new Deno.errors.BrokenPipe("Broken pipe"), true],
    ["a full disk", new Error("No space left on device"), false],
  ] as const
) {
  Deno.test(`write to ${name} ends the run`, async () => {
    const sink: ByteSink = {
      write: () => Promise.reject(error),
      close: () => Promise.resolve(),
    };
    await using bench = new ToolBench({ sink });
    const raw = await bench.raw("write", { data: "x" });
    assert.equal(raw.stop, true);
    assert.equal(JSON.parse(raw.content).error, `Cannot write to stdout: ${error.message}`);
    const failure = bench.state.descriptors.output.failure;
    assert.equal(
      failure !== undefined && "closedByReader" in failure && failure.closedByReader,
      closed,
    );
  });
}

Deno.test("write that is stuck ends with the signal", async () => {
  const sink: ByteSink = { write: () => new Promise(() => {}), close: () => Promise.resolve() };
  await using bench = new ToolBench({ sink });
  const writing = bench.raw("write", { data: "x" });
  bench.controller.abort(new Error("Stop"));
  await assert.rejects(writing, { message: "Stop" });
});
