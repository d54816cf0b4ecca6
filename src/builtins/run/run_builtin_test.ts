import assert from "node:assert/strict";
import { runBuiltin, type RunBuiltinIo } from "../mod.ts";
import { bytes } from "../_testing.ts";

/** A stream that keeps what is written to it. */
function capture() {
  let text = "";
  let closed = false;
  const decoder = new TextDecoder();
  const stream = new WritableStream<Uint8Array>({
    write: (chunk) => void (text += decoder.decode(chunk, { stream: true })),
    close: () => void (closed = true),
  });
  return { stream, text: () => text, closed: () => closed };
}

function streamOf(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      if (text !== "") controller.enqueue(bytes(text));
      controller.close();
    },
  });
}

async function run(argv: string[], stdin = "", more: Partial<RunBuiltinIo> = {}) {
  const [stdout, stderr] = [capture(), capture()];
  const status = await runBuiltin(argv, {
    stdin: streamOf(stdin),
    stdout: stdout.stream,
    stderr: stderr.stream,
    ...more,
  });
  for (const { stream, closed } of [stdout, stderr]) {
    assert.deepEqual([stream.locked, closed()], [false, false]);
  }
  return [status, stdout.text(), stderr.text()];
}

Deno.test("runBuiltin gives the status and leaves the output streams open and unlocked", async () => {
  assert.deepEqual(await run(["sort", "-r"], "a\nb\n"), [0, "b\na\n", ""]);
  assert.deepEqual(await run(["grep", "x"], "a\n"), [1, "", ""]);
  assert.deepEqual(await run(["sort", "-k0"]), [
    2,
    "",
    "sort: field number is zero: invalid field specification \u20180\u2019\n",
  ]);
});

Deno.test("runBuiltin of a command that does not exist is 127 with a suggestion", async () => {
  assert.deepEqual(await run(["gerp", "x"]), [
    127,
    "",
    "gerp: command not found; did you mean 'grep'?\n",
  ]);
  assert.equal((await run([]))[0], 127);
});

Deno.test("runBuiltin opens, writes and appends files by the port, and only by it", async () => {
  const files = new Map([["in", "b\na\n"]]);
  const open: RunBuiltinIo["open"] = (path, mode) => {
    if (mode === "r") {
      const text = files.get(path);
      if (text === undefined) throw Object.assign(new Error(path), { code: "ENOENT" });
      return streamOf(text);
    }
    if (mode === "w") files.set(path, "");
    return new WritableStream({
      write: (chunk) =>
        void files.set(path, (files.get(path) ?? "") + new TextDecoder().decode(chunk)),
    });
  };
  assert.deepEqual(await run(["sort", "-o", "in", "in"], "", { open }), [0, "", ""]);
  assert.equal(files.get("in"), "a\nb\n");
  assert.deepEqual(await run(["cat", "in", "nope", "-"], "x", { open }), [
    1,
    "a\nb\nx",
    "cat: nope: No such file or directory\n",
  ]);
  assert.deepEqual(await run(["cat", "in"]), [
    1,
    "",
    "cat: in: Files cannot be opened here, only standard input\n",
  ]);
});

Deno.test("runBuiltin may share one stream for output and errors, and between commands", async () => {
  const both = capture();
  const io = { stdout: both.stream, stderr: both.stream };
  const statuses = await Promise.all([
    runBuiltin(["cat", "-", "missing"], { ...io, stdin: streamOf("one\n") }),
    runBuiltin(["cat", "missing", "-"], { ...io, stdin: streamOf("two\n") }),
  ]);
  assert.deepEqual(statuses, [1, 1]);
  assert.equal(both.stream.locked, false);
  assert.deepEqual(both.text().split("\n").filter((line) => line.length === 3).sort(), [
    "one",
    "two",
  ]);
});

Deno.test("runBuiltin is 130 after an abort and 141 when the reader of stdout has left", async () => {
  const stuck = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) });
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 5);
  assert.deepEqual(await run(["sort"], "", { stdin: stuck, signal: controller.signal }), [
    130,
    "",
    "",
  ]);

  const gone = new WritableStream<Uint8Array>({
    write: () => {
      throw Object.assign(new Error("gone"), { code: "EPIPE" });
    },
  });
  assert.equal((await run(["cat"], "a", { stdout: gone }))[0], 141);
});

Deno.test("runBuiltin reports failing streams as the command's failure", async () => {
  const full = new WritableStream<Uint8Array>({
    write: () => {
      throw Object.assign(new Error("full"), { code: "ENOSPC" });
    },
  });
  assert.deepEqual(await run(["cat"], "a", { stdout: full }), [
    1,
    "",
    "cat: write error: No space left on device\n",
  ]);
  const broken = new ReadableStream<Uint8Array>({
    pull: () => {
      throw Object.assign(new Error("bad"), { code: "EIO" });
    },
  });
  assert.deepEqual(await run(["wc", "-c"], "", { stdin: broken }), [
    1,
    "0\n",
    "wc: 'standard input': Input/output error\n",
  ]);
  const locked = streamOf("");
  const reader = locked.getReader();
  assert.equal((await run(["cat"], "", { stdin: locked }))[0], 1);
  reader.releaseLock();
});

Deno.test("runBuiltin cancels what is left of standard input", async () => {
  let cancelled = false;
  const stdin = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(bytes("line\n")),
    cancel: () => void (cancelled = true),
  });
  assert.deepEqual(await run(["head", "-n1"], "", { stdin }), [0, "line\n", ""]);
  assert.equal(cancelled, true);
});
