import assert from "node:assert/strict";
import { errorOf, isSettled, ScriptedSource, text } from "./_testing.ts";
import { concatSources, lazySource } from "./combine.ts";
import type { ByteSource } from "./source.ts";

async function textOf(source: ByteSource): Promise<string> {
  let all = "";
  for await (const chunk of source) all += text(chunk);
  return all;
}

Deno.test("concatSources gives one source after the other and closes each", async () => {
  const first = new ScriptedSource(["a", "b"]);
  const second = new ScriptedSource([]);
  const third = new ScriptedSource(["c"]);
  assert.equal(await textOf(concatSources([first, second, () => third])), "abc");
  assert.deepEqual([first.releases, second.releases, third.releases], [1, 1, 1]);
  assert.equal(await textOf(concatSources([])), "");
});

Deno.test("concatSources opens a source when its turn comes, not before", async () => {
  const opened: number[] = [];
  const open = (number: number) => () => {
    opened.push(number);
    return Promise.resolve(new ScriptedSource([String(number)]));
  };
  const source = concatSources([open(1), open(2), open(3)]);
  assert.deepEqual(opened, []);
  await source.next();
  assert.deepEqual(opened, [1]);
  await source.next();
  assert.deepEqual(opened, [1, 2]);
  await source.return();
  assert.deepEqual(opened, [1, 2]);
});

Deno.test("concatSources closed early closes the current source and those that are open", async () => {
  const first = new ScriptedSource(["a", "b"]);
  const second = new ScriptedSource(["c"]);
  const source = concatSources([first, second]);
  await source.next();
  await source.return();
  assert.deepEqual([first.releases, second.releases, second.pulls], [1, 1, 0]);
});

Deno.test("concatSources with an error closes the rest and rejects with it", async () => {
  const first = new ScriptedSource(["a", new Error("read")]);
  const second = new ScriptedSource(["c"], new Error("release"));
  assert.deepEqual(await errorOf(textOf(concatSources([first, second]))), new Error("read"));
  assert.deepEqual([first.releases, second.releases], [1, 1]);
  const fails = concatSources([() => Promise.reject(new Error("open")), second]);
  assert.deepEqual(await errorOf(fails.next()), new Error("open"));
});

Deno.test("concatSources closes all even if some fail, and reports that once", async () => {
  const sources = [1, 2, 3].map((n) => new ScriptedSource(["a"], new Error(`release ${n}`)));
  const source = concatSources(sources);
  await source.next();
  const error = await errorOf(source.return());
  assert.ok(error instanceof AggregateError);
  assert.equal(error.message, "3 did not close: release 1; release 2; release 3");
  assert.deepEqual(sources.map((one) => one.releases), [1, 1, 1]);
  assert.deepEqual(await source.return(), { done: true, value: undefined });
});

Deno.test("lazySource that is closed unread is never opened", async () => {
  let opened = 0;
  const source = lazySource(() => (opened++, new ScriptedSource(["a"])));
  await source.return();
  assert.deepEqual(await source.next(), { done: true, value: undefined });
  assert.equal(opened, 0);
});

Deno.test("lazySource closed while it opens tells the opener and closes what comes of it", async () => {
  const inner = new ScriptedSource(["a"]);
  let finish = (_: ByteSource): void => {};
  let seen: AbortSignal | undefined;
  const source = lazySource((signal) => {
    seen = signal;
    return new Promise((resolve) => finish = resolve);
  });
  const pending = source.next();
  assert.equal(seen?.aborted, false);
  const returned = source.return();
  assert.equal(seen?.aborted, true);
  assert.deepEqual(await pending, { done: true, value: undefined });
  assert.equal(await isSettled(returned), false);
  finish(inner);
  await returned;
  assert.deepEqual([inner.pulls, inner.releases], [0, 1]);
});

Deno.test("lazySource closed while its opener gives up ends without an error", async () => {
  const source = lazySource((signal) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
  );
  const pending = source.next();
  await source.return();
  assert.deepEqual(await pending, { done: true, value: undefined });
});
