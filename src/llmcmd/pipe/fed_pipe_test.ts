import assert from "node:assert/strict";
import { ToolBench } from "../_testing.ts";

Deno.test("pipe from one that waits for the model fails and names the end to close", async () => {
  await using bench = new ToolBench();
  await bench.pipe({ cmd: "sort" });
  await bench.write({ fd: 3, data: "b\na\n" });
  const waiting = await bench.pipe({ in_fd: 4, out_fd: 1 });
  assert.equal(waiting.success, false);
  assert.match(waiting.error, /^Cannot pipe from fd 4: .*Close fd 3 first/);
  assert.equal(bench.out.text(), "");
  await bench.write({ fd: 3, eof: true });
  assert.equal((await bench.pipe({ in_fd: 4, out_fd: 1 })).size, 4);
  assert.equal(bench.out.text(), "a\nb\n");
});

Deno.test("pipe fails the same way through pipes between, and loses nothing", async () => {
  await using bench = new ToolBench();
  await bench.pipe({ cmd: "cat" });
  await bench.pipe({ cmd: "tr a-z A-Z", in_fd: 4 });
  await bench.write({ fd: 3, data: "ab\n" });
  assert.match((await bench.pipe({ in_fd: 6, out_fd: 1 })).error, /Close fd 3 first/);
  assert.equal((await bench.read({ fd: 6, max_size: 1 })).input, "A");
  await bench.write({ fd: 3, data: "cd\n", eof: true });
  assert.equal((await bench.pipe({ in_fd: 6, out_fd: 1 })).success, true);
  assert.equal(bench.out.text(), "AB\nCD\n");
});

Deno.test("pipe from one that has all it needs does not ask to close it", async () => {
  await using bench = new ToolBench();
  await bench.pipe({ cmd: "head -n 1" });
  await bench.write({ fd: 3, data: "one\ntwo\n" });
  const result = await bench.pipe({ in_fd: 4, out_fd: 1 });
  assert.deepEqual([result.success, result.size, bench.out.text()], [true, 4, "one\n"]);
  assert.match(
    (await bench.write({ fd: 3, data: "x" })).error,
    /`head -n 1` has ended and reads no more/,
  );
});

Deno.test("pipe to fd 1 without in_fd gives the end to write to, and flows as it is written", async () => {
  await using bench = new ToolBench();
  const made = await bench.pipe({ cmd: "tr a-z A-Z", out_fd: 1 });
  assert.deepEqual([made.success, made.in_fd, made.out_fd, made.error], [true, 3, undefined, null]);
  assert.match(made.note, /write to fd 3/);
  await bench.write({ fd: 3, data: "one\n" });
  assert.equal(bench.out.text(), "ONE\n");
  await bench.write({ data: "between\n" });
  assert.deepEqual(await bench.write({ fd: 3, data: "two\n", eof: true }), {
    success: true,
    size: 4,
    error: null,
    status: [0],
    stderr: "",
  });
  assert.equal(bench.out.text(), "ONE\nbetween\nTWO\n");
  assert.match((await bench.read({ fd: 3 })).error, /its output goes to fd 1/);
});

Deno.test("pipe to fd 1 without in_fd of a command that needs no input ends at once", async () => {
  await using bench = new ToolBench();
  assert.deepEqual(await bench.pipe({ cmd: "yes | head -n 2", out_fd: 1 }), {
    success: true,
    size: 4,
    status: [141, 0],
    stderr: "",
    error: null,
  });
  assert.equal(bench.out.text(), "y\ny\n");
});

Deno.test("pipe of a command that needs no input does not ask to close its write end", async () => {
  await using bench = new ToolBench();
  await bench.pipe({ cmd: "echo b a" });
  assert.equal(
    (await bench.pipe({ cmd: "tr ' ' '\\n' | sort", in_fd: 4, out_fd: 1 })).success,
    true,
  );
  assert.equal(bench.out.text(), "a\nb\n");
  await bench.pipe({ cmd: "yes" });
  assert.equal((await bench.read({ fd: 6, max_size: 4 })).input, "y\ny\n");
  assert.match((await bench.write({ fd: 5, data: "x" })).error, /read fd 6/);
  assert.equal((await bench.pipe({ cmd: "head", in_fd: 6, out_fd: 1 })).size, 20);
});

Deno.test("pipe to fd 1 tells in a write's result that its command has failed", async () => {
  await using bench = new ToolBench();
  await bench.pipe({ cmd: "sort -c", out_fd: 1 });
  const result = await bench.write({ fd: 3, data: "b\na\n" });
  assert.deepEqual([result.success, result.size, result.status], [false, 4, [1]]);
  assert.match(result.error, /^sort failed with status 1: sort: .*disorder/);
  assert.match((await bench.write({ fd: 3, data: "c\n" })).error, /`sort -c` has ended/);
});

Deno.test("pipe to fd 1 without in_fd takes more than its buffer, with back-pressure", async () => {
  await using bench = new ToolBench({ inputs: ["x".repeat(3_000_000)] });
  await bench.pipe({ cmd: "cat", out_fd: 1 });
  assert.equal((await bench.pipe({ in_fd: 3, out_fd: 4 })).size, 3_000_000);
  assert.equal(
    (await bench.write({ fd: 4, data: "y".repeat(2_000_000), eof: true })).size,
    2_000_000,
  );
  assert.equal(bench.out.length, 5_000_000);
});

Deno.test("pipe or write into a pipe whose command has enough stops there and says so", async () => {
  await using bench = new ToolBench({ inputs: ["line\n".repeat(500_000)] });
  for (const fd of [4, 5]) {
    await bench.pipe({ cmd: "head -n 1", out_fd: 1 });
    const { success, size, error } = fd === 4
      ? await bench.pipe({ in_fd: 3, out_fd: fd })
      : await bench.write({ fd, data: "line\n".repeat(500_000) });
    assert.equal(success, false);
    assert.ok(size > 0 && size <= 1024 * 1024);
    assert.match(error, new RegExp(`^Cannot write to fd ${fd}: .head -n 1. has ended`));
  }
  assert.equal(bench.out.text(), "line\nline\n");
});

Deno.test("pipe into the write end of a fed pipe collects several inputs", async () => {
  await using bench = new ToolBench({ inputs: ["b\n", "a\n"] });
  await bench.pipe({ cmd: "sort" });
  assert.equal((await bench.pipe({ in_fd: 3, out_fd: 5 })).size, 2);
  assert.equal((await bench.pipe({ in_fd: 4, out_fd: 5 })).size, 2);
  await bench.write({ fd: 5, eof: true });
  assert.equal((await bench.read({ fd: 6 })).input, "a\nb\n");
});

Deno.test("pipe into a full fed pipe says how much fitted and what to read first", async () => {
  await using bench = new ToolBench({ inputs: ["x".repeat(1_500_000)] });
  await bench.pipe({ cmd: "cat" });
  const result = await bench.pipe({ in_fd: 3, out_fd: 4 });
  assert.deepEqual([result.success, result.size], [false, 1024 * 1024]);
  assert.match(
    result.error,
    /fd 4 is full \(1 MiB\) after 1048576 bytes: read fd 5 first; .* dropped$/,
  );
});

Deno.test("pipe tells at its end that data did not fit into it, but not who left before", async () => {
  await using bench = new ToolBench({ inputs: ["x\n".repeat(1024 * 1024)] });
  await bench.pipe({ cmd: "cat" });
  await bench.pipe({ cmd: "head -n 1" });
  for (const fd of [4, 6]) {
    assert.match((await bench.pipe({ in_fd: 3, out_fd: fd })).error, /did not fit is dropped/);
    await bench.write({ fd, eof: true });
  }
  const { success, size, error } = await bench.pipe({ in_fd: 5, out_fd: 1 });
  assert.deepEqual([success, size], [false, 1024 * 1024]);
  assert.match(error, /^fd 4 did not get all its data: The buffer of fd 4 is full/);
  assert.equal((await bench.pipe({ in_fd: 7, out_fd: 1 })).error, null);
});

Deno.test("pipe tells no failure of a write into it that another write has followed", async () => {
  await using bench = new ToolBench();
  await bench.pipe({ cmd: "wc -c" });
  const first = await bench.write({ fd: 3, data: "x".repeat(1024 * 1024 + 1) });
  assert.match(first.error, /full .* after 1048576 bytes: read fd 4 first, then write the rest$/);
  await bench.read({ fd: 4 });
  await bench.write({ fd: 3, data: "x", eof: true });
  const { error } = await bench.pipe({ in_fd: 4, out_fd: 1 });
  assert.deepEqual([error, bench.out.text()], [null, "1048577\n"]);
});
