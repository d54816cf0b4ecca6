import assert from "node:assert/strict";
import { errorOf, isSettled, readAll, ScriptedSource, text, withSeed } from "./_testing.ts";
import { type Chunk, Source } from "./source.ts";

const done = { done: true, value: undefined };

/** A source whose pulls are settled by hand. */
class ManualSource extends Source {
  log: string[] = [];
  pending: {
    resolve(value: Chunk | undefined): void;
    reject(error: unknown): void;
  } | undefined;
  releasing: Promise<void> = Promise.resolve();

  protected override pull(): Promise<Chunk | undefined> {
    this.log.push("pull");
    return new Promise((resolve, reject) => this.pending = { resolve, reject });
  }

  protected override async release(): Promise<void> {
    this.log.push("release");
    await this.releasing;
    this.log.push("released");
  }
}

Deno.test("Source gives its chunks, then the end, again and again", async () => {
  const source = new ScriptedSource(["a", "bc"]);
  const first = await source.next();
  assert.equal(first.done, false);
  assert.equal(text(first.value ?? new Uint8Array()), "a");
  await source.next();
  assert.deepEqual(await source.next(), done);
  assert.deepEqual(await source.next(), done);
  assert.equal(source.pulls, 3);
  assert.equal(source.releases, 1);
});

Deno.test("Source pulls nothing before it is asked for", async () => {
  const source = new ScriptedSource(["a"]);
  assert.equal(source.pulls, 0);
  await source.return();
  assert.equal(source.pulls, 0);
  assert.equal(source.releases, 1);
});

Deno.test("Source skips empty chunks, given at once or later, however many", async () => {
  class Empties extends Source {
    #left = 20_000;
    protected override pull(): Promise<Chunk | undefined> | Chunk | undefined {
      this.#left--;
      if (this.#left > 10_000) return new Uint8Array(0);
      if (this.#left > 0) return Promise.resolve(new Uint8Array(0));
      return this.#left === 0 ? new Uint8Array([7]) : undefined;
    }
  }
  assert.deepEqual([...await readAll(new Empties())], [7]);
});

Deno.test("Source takes chunks, ends and errors that pull gives at once", async () => {
  class Sync extends Source {
    #count = 0;
    released = 0;
    protected override pull(): Chunk | undefined {
      if (++this.#count === 3) throw new RangeError("sync");
      return new Uint8Array([this.#count]);
    }
    protected override release(): void {
      this.released++;
    }
  }
  const source = new Sync();
  assert.deepEqual([...(await source.next()).value ?? []], [1]);
  assert.deepEqual([...(await source.next()).value ?? []], [2]);
  await assert.rejects(source.next(), new RangeError("sync"));
  assert.deepEqual(await source.next(), done);
  assert.equal(source.released, 1);
});

Deno.test("Source.next refuses a call while another is pending, and goes on after", async () => {
  const source = new ManualSource();
  const first = source.next();
  await assert.rejects(source.next(), {
    name: "TypeError",
    message: "Cannot ask for a chunk: the last call of next() has not settled yet",
  });
  source.pending?.resolve(new Uint8Array([1]));
  assert.deepEqual([...(await first).value ?? []], [1]);
  assert.deepEqual(source.log, ["pull"]);
  await source.return();
});

Deno.test("Source.return settles a pending next with the end, though the pull is stuck", async () => {
  const source = new ManualSource();
  const pending = source.next();
  assert.deepEqual(await source.return(), done);
  assert.deepEqual(await pending, done);
  assert.deepEqual(await source.next(), done);
  assert.deepEqual(source.log, ["pull", "release", "released"]);
});

Deno.test("Source.return settles a pending next before a slow release ends", async () => {
  const source = new ManualSource();
  let finish = (): void => {};
  source.releasing = new Promise((resolve) => finish = resolve);
  const pending = source.next();
  const returned = source.return();
  assert.deepEqual(await pending, done);
  assert.equal(await isSettled(returned), false);
  finish();
  assert.deepEqual(await returned, done);
});

Deno.test("Source drops a chunk and an error that come after return", async () => {
  for (const late of ["chunk", "error"]) {
    const source = new ManualSource();
    const pending = source.next();
    await source.return();
    if (late === "chunk") source.pending?.resolve(new Uint8Array([1]));
    else source.pending?.reject(new Error("late"));
    assert.deepEqual(await pending, done);
    assert.deepEqual(await source.next(), done);
  }
});

Deno.test("Source.return runs the release once, and every call waits for it", async () => {
  const source = new ManualSource();
  let finish = (): void => {};
  source.releasing = new Promise((resolve) => finish = resolve);
  const calls = [source.return(), source.return(), source.return()];
  for (const call of calls) assert.equal(await isSettled(call), false);
  finish();
  for (const result of await Promise.all(calls)) assert.deepEqual(result, done);
  await source.return();
  assert.deepEqual(source.log, ["release", "released"]);
});

Deno.test("Source releases before next reports the end", async () => {
  const source = new ManualSource();
  const pending = source.next();
  source.pending?.resolve(undefined);
  await pending;
  assert.deepEqual(source.log, ["pull", "release", "released"]);
});

Deno.test("Source reports an error of release once: from next at the end", async () => {
  const source = new ScriptedSource([], new Error("release"));
  await assert.rejects(source.next(), new Error("release"));
  assert.deepEqual(await source.next(), done);
  assert.deepEqual(await source.return(), done);
});

Deno.test("Source reports an error of release once: from the first return", async () => {
  const source = new ScriptedSource(["a"], new Error("release"));
  const [first, second] = await Promise.allSettled([source.return(), source.return()]);
  assert.equal(first?.status, "rejected");
  assert.equal(second?.status, "fulfilled");
  assert.deepEqual(await source.return(), done);
});

Deno.test("Source reports an error of release from return if that came while the end was released", async () => {
  const source = new ManualSource();
  let fail = (_: Error): void => {};
  source.releasing = new Promise((_, reject) => fail = reject);
  const pending = source.next();
  source.pending?.resolve(undefined);
  assert.equal(await isSettled(pending), false);
  const returned = source.return();
  assert.deepEqual(await pending, done);
  fail(new Error("release"));
  await assert.rejects(returned, new Error("release"));
  assert.deepEqual(await source.return(), done);
});

Deno.test("Source lets the error of pull win over one of release", async () => {
  const source = new ScriptedSource([new Error("pull")], new Error("release"));
  await assert.rejects(source.next(), new Error("pull"));
  assert.deepEqual(await source.return(), done);
  assert.equal(source.releases, 1);
});

Deno.test("Source in a for loop is closed by break and by an error in the body", async () => {
  const broken = new ScriptedSource(["a", "b", "c"]);
  for await (const chunk of broken) {
    assert.equal(text(chunk), "a");
    break;
  }
  assert.deepEqual([broken.pulls, broken.releases], [1, 1]);

  const failed = new ScriptedSource(["a", "b"]);
  const error = await errorOf((async () => {
    for await (const _ of failed) throw new Error("body");
  })());
  assert.deepEqual(error, new Error("body"));
  assert.deepEqual([failed.pulls, failed.releases], [1, 1]);
});

Deno.test("Source may be closed from within its own pull", async () => {
  class Suicidal extends Source {
    protected override pull(): Chunk {
      void this.return();
      return new Uint8Array([1]);
    }
  }
  const source = new Suicidal();
  assert.deepEqual(await source.next(), done);
});

Deno.test("Source keeps its rules in any order of next, return and settling pulls", () =>
  withSeed(async (random) => {
    for (let round = 0; round < 300; round++) {
      const source = new ManualSource();
      const results: Promise<unknown>[] = [];
      let pending: Promise<unknown> | undefined;
      for (let step = 0; step < 8; step++) {
        switch (random(5)) {
          case 0:
            pending ??= source.next().catch(() => {}).finally(() => pending = undefined);
            results.push(pending);
            break;
          case 1:
            source.pending?.resolve(new Uint8Array([step]));
            break;
          case 2:
            source.pending?.resolve(random(2) === 0 ? undefined : new Uint8Array(0));
            break;
          case 3:
            if (random(4) === 0) source.pending?.reject(new Error("pull"));
            break;
          case 4:
            if (random(4) === 0) results.push(source.return());
            break;
        }
        if (random(2) === 0) await new Promise<void>((resolve) => queueMicrotask(resolve));
      }
      await source.return();
      await Promise.all(results);
      assert.equal(source.log.filter((entry) => entry === "release").length, 1);
      assert.equal(source.log.at(-1), "released");
      assert.equal(source.log.lastIndexOf("pull") < source.log.indexOf("release"), true);
    }
  }));
