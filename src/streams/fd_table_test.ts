import assert from "node:assert/strict";
import { bytes, errorOf, isSettled, ScriptedSource, text, withSeed } from "./_testing.ts";
import { bufferedPipe } from "./buffered_pipe.ts";
import { BadFdError, FdTable } from "./fd_table.ts";
import { MemorySink, memorySource } from "./memory.ts";
import { BrokenPipeError, pipe } from "./pipe.ts";
import type { ByteSink } from "./source.ts";

/** A sink that counts its calls, and whose close and abort may fail or wait. */
class CountingSink implements ByteSink {
  closes = 0;
  aborts: unknown[] = [];
  readonly #closing: Promise<void>;
  constructor(closing: Promise<void> = Promise.resolve()) {
    this.#closing = closing;
    closing.catch(() => {});
  }
  write(): Promise<void> {
    return Promise.resolve();
  }
  close(): Promise<void> {
    this.closes++;
    return this.#closing;
  }
  abort(reason?: unknown): Promise<void> {
    this.aborts.push(reason);
    return Promise.resolve();
  }
}

Deno.test("FdTable numbers descriptors from 0, and never uses a number twice", async () => {
  const fds = new FdTable();
  const open = (number?: number) => fds.open({ name: "x", source: memorySource(""), number });
  assert.deepEqual([open().number, open().number, open(5).number], [0, 1, 5]);
  assert.deepEqual([open().number, open().number, open().number, open().number], [2, 3, 4, 6]);
  await fds.close(1);
  assert.equal(open().number, 7);
  assert.equal(fds.used(1), true);
  assert.equal(fds.has(1), false);
  assert.throws(() => open(1), {
    name: "RangeError",
    message: "Cannot open fd 1 again: numbers are used once (next free: 8)",
  });
  assert.equal(fds.nextNumber(), 8);
  assert.equal(fds.nextNumber(11), 12);
  assert.deepEqual(fds.list().map((fd) => fd.number), [0, 2, 3, 4, 5, 6, 7]);
  await fds[Symbol.asyncDispose]();
});

Deno.test("FdTable refuses numbers that make no sense, and takes nothing then", async () => {
  const fds = new FdTable();
  const source = new ScriptedSource(["a"]);
  for (const number of [-1, 1.5, NaN]) {
    assert.throws(() => fds.open({ name: "x", source, number }), {
      name: "RangeError",
      message: `Cannot open fd ${number}: give a whole number of at least 0`,
    });
  }
  await fds[Symbol.asyncDispose]();
  assert.equal(source.releases, 0);
  assert.equal(fds.nextNumber(), 0);
});

Deno.test("FdTable names what is open when a number is not", async () => {
  const fds = new FdTable();
  assert.throws(() => fds.get(7), {
    message: "Cannot open fd 7: not an open descriptor (open: none)",
  });
  for (const name of ["stdin", "stdout", "stderr", "a.txt"]) {
    fds.open({ name, sink: new MemorySink() });
  }
  const open = "not an open descriptor (open: 0, 1, 2, 3)";
  assert.throws(() => fds.get(7), (error) => {
    assert.ok(error instanceof BadFdError && error instanceof RangeError);
    assert.deepEqual([error.name, error.fd], ["BadFdError", 7]);
    assert.equal(error.message, `Cannot open fd 7: ${open}`);
    return true;
  });
  assert.throws(() => fds.dup(7), { message: `Cannot duplicate fd 7: ${open}` });
  await assert.rejects(fds.close(7), { message: `Cannot close fd 7: ${open}` });
  await fds[Symbol.asyncDispose]();
});

Deno.test("FdTable.get gives the ends as they were opened", async () => {
  const fds = new FdTable();
  const source = memorySource("a");
  const sink = new MemorySink();
  fds.open({ name: "in", source });
  fds.open({ name: "out", sink });
  const both = fds.open({ name: "both", source, sink });
  assert.equal(fds.get(0).source, source);
  assert.equal(fds.get(0).sink, undefined);
  assert.equal(fds.get(1).sink, sink);
  assert.equal(fds.get(1).source, undefined);
  assert.equal(fds.get(2), both);
  assert.equal(fds.get(1).name, "out");
  await fds[Symbol.asyncDispose]();
});

Deno.test("Fd.readable and Fd.writable are WHATWG streams, made once", async () => {
  const fds = new FdTable();
  const out = new MemorySink();
  const input = fds.open({ name: "in", source: memorySource("hello") });
  const output = fds.open({ name: "out", sink: out });
  assert.equal(input.readable, fds.get(0).readable);
  assert.equal(output.writable, fds.dup(1).writable);
  assert.throws(() => input.writable, {
    name: "TypeError",
    message: "Cannot write to fd 0 (in): it is open for reading only",
  });
  assert.throws(() => output.readable, {
    name: "TypeError",
    message: "Cannot read from fd 1 (out): it is open for writing only",
  });
  await input.readable.pipeTo(output.writable);
  assert.deepEqual([out.text(), out.closed], ["hello", true]);
  await fds[Symbol.asyncDispose]();
});

Deno.test("FdTable.dup shares the ends; the last close closes them", async () => {
  const fds = new FdTable();
  const source = new ScriptedSource(["a", "b"]);
  const sink = new CountingSink();
  fds.open({ name: "tty", source, sink });
  const second = fds.dup(0, { name: "copy" });
  const third = fds.dup(second.number, { number: 9 });
  assert.deepEqual([second.number, second.name, third.number, third.name], [1, "copy", 9, "copy"]);
  assert.equal(third.source, source);
  await fds.close(0);
  await fds.close(9);
  assert.deepEqual([source.releases, sink.closes], [0, 0]);
  assert.equal(text((await second.source?.next())?.value ?? bytes("")), "a");
  await fds.close(1);
  assert.deepEqual([source.releases, sink.closes], [1, 1]);
  await assert.rejects(fds.close(1), BadFdError);
  await fds[Symbol.asyncDispose]();
  assert.deepEqual([source.releases, sink.closes], [1, 1]);
});

Deno.test("FdTable.dup to a number that was used leaves the reference count alone", async () => {
  const fds = new FdTable();
  const source = new ScriptedSource([]);
  fds.open({ name: "in", source });
  assert.throws(() => fds.dup(0, { number: 0 }), RangeError);
  await fds.close(0);
  assert.equal(source.releases, 1);
});

Deno.test("FdTable.close reports the error of an end after closing the other", async () => {
  const fds = new FdTable();
  const source = new ScriptedSource([], new Error("release"));
  const sink = new CountingSink(Promise.reject(new Error("flush")));
  fds.open({ name: "a", source });
  fds.open({ name: "b", source: new ScriptedSource([]), sink });
  fds.open({ name: "c", source: new ScriptedSource([], new Error("release")), sink });
  assert.deepEqual(await errorOf(fds.close(0)), new Error("release"));
  assert.deepEqual(await errorOf(fds.close(1)), new Error("flush"));
  const both = await errorOf(fds.close(2));
  assert.ok(both instanceof AggregateError);
  assert.deepEqual(both.errors, [new Error("release"), new Error("flush")]);
  await fds[Symbol.asyncDispose]();
});

Deno.test("FdTable disposal closes everything once, whatever fails, and says what", async () => {
  const fds = new FdTable();
  const sources = [undefined, new Error("one"), undefined, new Error("two")]
    .map((error) => new ScriptedSource(["a"], error));
  sources.forEach((source, index) => fds.open({ name: `f${index}`, source }));
  const sink = new CountingSink(Promise.reject(new Error("three")));
  fds.open({ name: "out", sink });
  fds.dup(4);
  const error = await errorOf(fds[Symbol.asyncDispose]());
  assert.ok(error instanceof AggregateError);
  assert.equal(
    error.message,
    "3 did not close: fd 1 (f1): one; fd 3 (f3): two; fd 4 (out): three",
  );
  assert.deepEqual(error.errors, [new Error("one"), new Error("two"), new Error("three")]);
  assert.deepEqual(sources.map((source) => source.releases), [1, 1, 1, 1]);
  assert.equal(sink.closes, 1);
  assert.deepEqual(fds.list(), []);
});

Deno.test("FdTable disposal with one error rejects with that error itself", async () => {
  const fds = new FdTable();
  const failure = new Error("one");
  fds.open({ name: "a", source: new ScriptedSource([], failure) });
  fds.open({ name: "b", source: new ScriptedSource([]) });
  assert.equal(await errorOf(fds[Symbol.asyncDispose]()), failure);
});

Deno.test("FdTable disposed of opens nothing more, and is disposed of once", async () => {
  const fds = new FdTable();
  const sink = new CountingSink();
  fds.open({ name: "out", sink });
  await Promise.all([fds[Symbol.asyncDispose](), fds[Symbol.asyncDispose]()]);
  await fds[Symbol.asyncDispose]();
  assert.equal(sink.closes, 1);
  assert.throws(() => fds.open({ name: "late", sink }), {
    name: "TypeError",
    message: "Cannot open late: the descriptor table is closed",
  });
  assert.throws(() => fds.get(0), BadFdError);
});

Deno.test("FdTable disposal waits for a close in progress and leaves its error to it", async () => {
  const fds = new FdTable();
  let fail = (_: Error): void => {};
  const sink = new CountingSink(new Promise((_, reject) => fail = reject));
  fds.open({ name: "out", sink });
  const closing = errorOf(fds.close(0));
  const disposed = fds[Symbol.asyncDispose]();
  assert.equal(await isSettled(disposed), false);
  fail(new Error("flush"));
  assert.deepEqual(await closing, new Error("flush"));
  await disposed;
  assert.equal(sink.closes, 1);
});

Deno.test("FdTable disposal closes both ends of a pipe at the same time: no end waits for another", async () => {
  const fds = new FdTable();
  const { source, sink } = pipe();
  const buffered = bufferedPipe();
  fds.open({ name: "write end", sink });
  fds.open({ name: "read end", source });
  fds.open({ name: "buffered", ...buffered });
  assert.equal(fds.get(2).source, buffered.source);
  const written = errorOf(sink.write(bytes("never read")));
  const pending = buffered.source.next();
  await fds[Symbol.asyncDispose]();
  assert.ok(await written instanceof BrokenPipeError);
  assert.deepEqual(await pending, { done: true, value: undefined });
});

Deno.test("FdTable.abort closes sources and aborts sinks, with errors reported once", async () => {
  const fds = new FdTable();
  const source = new ScriptedSource([], new Error("release"));
  const sink = new CountingSink();
  fds.open({ name: "in", source });
  fds.open({ name: "out", sink });
  assert.deepEqual(await errorOf(fds.abort("stop")), new Error("release"));
  await fds[Symbol.asyncDispose]();
  assert.deepEqual([sink.aborts, sink.closes, source.releases], [["stop"], 0, 1]);
  assert.throws(() => fds.open({ name: "late", sink }), TypeError);
});

Deno.test("FdTable.abort ends a disposal that hangs", async () => {
  let freed = (): void => {};
  const sink: ByteSink = {
    write: () => Promise.resolve(),
    close: () => new Promise((resolve) => freed = resolve),
    abort: () => Promise.resolve(freed()),
  };
  const fds = new FdTable();
  fds.open({ name: "out", sink });
  const disposed = fds[Symbol.asyncDispose]();
  assert.equal(await isSettled(disposed), false);
  await fds.abort("stop");
  await disposed;
});

Deno.test("FdTable leaks nothing, in any order of open, dup, close, abort and disposal", () =>
  withSeed(async (random) => {
    for (let round = 0; round < 200; round++) {
      const fds = new FdTable();
      const sources: ScriptedSource[] = [];
      const sinks: CountingSink[] = [];
      const calls: Promise<unknown>[] = [];
      for (let step = 0; step < 15; step++) {
        const known = fds.list();
        const any = known[random(known.length || 1)];
        switch (random(6)) {
          case 0:
          case 1: {
            const source = new ScriptedSource(
              ["a", "stuck"],
              random(3) === 0 ? new Error("release") : undefined,
            );
            const sink = new CountingSink(
              random(3) === 0 ? Promise.reject(new Error("flush")) : Promise.resolve(),
            );
            fds.open({ name: "x", source, sink });
            sources.push(source);
            sinks.push(sink);
            break;
          }
          case 2:
            if (any !== undefined) fds.dup(any.number);
            break;
          case 3:
            if (any !== undefined) calls.push(fds.close(any.number));
            break;
          case 4:
            if (any?.source !== undefined) calls.push(any.source.next());
            break;
          case 5:
            if (random(2) === 0) await new Promise<void>((resolve) => queueMicrotask(resolve));
            break;
        }
      }
      if (random(3) === 0) calls.push(fds.abort("stop"));
      calls.push(fds[Symbol.asyncDispose]());
      await Promise.allSettled(calls);
      assert.deepEqual(sources.map((source) => source.releases), sources.map(() => 1));
      for (const sink of sinks) {
        // An abort may follow a close that is in progress.
        assert.ok(sink.closes <= 1 && sink.aborts.length <= 1);
        assert.ok(sink.closes + sink.aborts.length >= 1);
      }
    }
  }));
