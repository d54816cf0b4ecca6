import assert from "node:assert/strict";
import {
  type ByteSource,
  type Chunk,
  drain,
  LimitError,
  limitSource,
  MemorySink,
  memorySource,
  pipe,
  Source,
} from "../../streams/mod.ts";
import { type Builtin, type BuiltinIo, READER_LEFT } from "../builtin.ts";
import { Stage } from "./stage.ts";
import { bytes } from "../_testing.ts";

function setUp(stdin: ByteSource | string = "", more: Partial<BuiltinIo> = {}) {
  const warnings: string[] = [];
  const io: BuiltinIo = {
    stdin: typeof stdin === "string" ? memorySource(stdin) : stdin,
    warn: (message) => void warnings.push(message),
    signal: new AbortController().signal,
    ...more,
  };
  return { io, warnings };
}

/** An endless source of the same line, which records its use. */
class Endless extends Source {
  pulls = 0;
  released = false;
  protected override pull(): Chunk {
    this.pulls++;
    return bytes("line\n");
  }
  protected override release(): void {
    this.released = true;
  }
}

async function text(stage: Stage): Promise<string> {
  const sink = new MemorySink();
  await drain(stage, sink);
  return sink.text();
}

Deno.test("Stage runs a builtin by name and sets its status", async () => {
  const stage = new Stage("tr", ["a-z", "A-Z"], setUp("abc").io);
  assert.equal(stage.status, undefined);
  assert.equal(await text(stage), "ABC");
  assert.equal(stage.status, 0);
  assert.equal(await stage.finished, 0);
});

Deno.test("Stage refuses a name that no builtin has and suggests one", () => {
  assert.throws(
    () => new Stage("gerp", [], setUp().io),
    /gerp: command not found; did you mean 'grep'\?/,
  );
});

Deno.test("Stage pulls nothing before it is read", () => {
  const source = new Endless();
  new Stage("cat", [], setUp(source).io);
  assert.equal(source.pulls, 0);
});

Deno.test("Stage stops its producer when its reader leaves, with status 141", async () => {
  const source = new Endless();
  const first = new Stage("cat", [], setUp(source).io);
  const second = new Stage("head", ["-n", "3"], setUp(first).io);
  assert.equal(await text(second), "line\nline\nline\n");
  assert.equal(source.released, true);
  assert.ok(source.pulls < 8, String(source.pulls));
  assert.deepEqual([first.status, second.status], [READER_LEFT, 0]);
});

Deno.test("Stage turns a failure into a line, a status and the end of the output", async () => {
  async function* broken(): AsyncGenerator<Chunk, number, void> {
    yield bytes("some\n");
    await Promise.resolve();
    throw new Error("It broke");
  }
  const { io, warnings } = setUp();
  const stage = new Stage(broken, [], io);
  assert.equal(await text(stage), "some\n");
  assert.deepEqual([stage.status, warnings], [1, ["broken: It broke"]]);
});

Deno.test("Stage lets a limit travel to its reader", async () => {
  const limited = limitSource(new Endless(), { name: "MAX", max: 12 });
  const { io, warnings } = setUp(limited);
  const stage = new Stage("cat", [], io);
  await assert.rejects(text(stage), LimitError);
  await assert.rejects(stage.finished, LimitError);
  assert.deepEqual([stage.status, warnings], [undefined, []]);
});

Deno.test("Stage ends a read that waits when the signal fires", async () => {
  const { source, sink } = pipe();
  const controller = new AbortController();
  const { io, warnings } = setUp(source, { signal: controller.signal });
  const stage = new Stage("sort", [], io);
  const result = stage.next();
  await sink.write(bytes("b\n")).catch(() => {});
  controller.abort(new DOMException("Too late", "TimeoutError"));
  await assert.rejects(result, /Too late/);
  await assert.rejects(sink.write(bytes("a\n")));
  assert.deepEqual([stage.status, warnings], [undefined, []]);
});

Deno.test("Stage does not start when the signal has fired already", async () => {
  const source = new Endless();
  const stage = new Stage("cat", [], setUp(source, { signal: AbortSignal.abort() }).io);
  await assert.rejects(stage.next(), { name: "AbortError" });
  assert.deepEqual([source.pulls, source.released], [0, true]);
});

Deno.test("Stage that is never read closes its producer when it is closed", async () => {
  const source = new Endless();
  const stage = new Stage("cat", [], setUp(source).io);
  await stage.return();
  assert.deepEqual([source.pulls, source.released, stage.status], [0, true, READER_LEFT]);
});

Deno.test("Stage closes the files it has opened, and aborts what it was writing", async () => {
  const file = new Endless();
  const events: string[] = [];
  const { io } = setUp("", {
    open: () => Promise.resolve(file),
    create: () =>
      Promise.resolve({
        write: () => Promise.resolve(),
        close: () => Promise.resolve(void events.push("close")),
        abort: () => Promise.resolve(void events.push("abort")),
      }),
    temp: () =>
      Promise.resolve({
        create: () => Promise.reject(new Error("unused")),
        [Symbol.asyncDispose]: () => Promise.resolve(void events.push("temp")),
      }),
  });
  const copy: Builtin = async function* copy(_args, inner) {
    await inner.temp?.();
    const sink = await inner.create?.("x");
    const source = await inner.open?.("y");
    for await (const chunk of source ?? []) {
      await sink?.write(chunk);
      yield chunk;
    }
    return 0;
  };
  const stage = new Stage(copy, [], io);
  await stage.next();
  await stage.return();
  assert.equal(file.released, true);
  assert.deepEqual(events, ["abort", "temp"]);
});

Deno.test("Stage does not take the end of a stopped read for the end of the input", async () => {
  let sawEnd = false;
  const { source, sink } = pipe();
  const count: Builtin = async function* count(_args, io) {
    while (true) {
      const { done, value } = await io.stdin.next();
      if (done === true) break;
      yield value;
    }
    sawEnd = true;
    return 0;
  };
  const stage = new Stage(count, [], setUp(source).io);
  const waiting = stage.next();
  await Promise.resolve();
  await stage.return();
  assert.equal((await waiting).done, true);
  assert.equal(sawEnd, false);
  await sink.close();
});

Deno.test("Stage lets timers run while it reads without a pause", async () => {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error("Time is up")), 20);
  const stage = new Stage("wc", [], setUp(new Endless(), { signal: controller.signal }).io);
  await assert.rejects(stage.next(), /Time is up/);
  clearTimeout(timer);
});
