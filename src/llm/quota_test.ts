import assert from "node:assert/strict";
import { LimitError } from "../streams/mod.ts";
import { Quota } from "./quota.ts";

const usage = (prompt: number, cached: number | undefined, completion: number) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  ...(cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
});

Deno.test("Quota allows maxCalls calls and refuses the next with the limit's name", () => {
  const quota = new Quota({ maxCalls: 2 });
  quota.startCall();
  assert.equal(quota.callsLeft, 1);
  quota.startCall();
  assert.throws(() => quota.startCall(), (error) => {
    assert(error instanceof LimitError);
    assert.equal(error.limit, "maxCalls");
    assert.equal(error.max, 2);
    assert.equal(error.message, "Reached maxCalls (2 API calls); raise it to go on");
    return true;
  });
  assert.equal(quota.calls, 2);
  assert.equal(quota.callsLeft, 0);
});

Deno.test("Quota counts at its parent too, and the lesser of both holds", () => {
  const names = { calls: "ALL_CALLS", tokens: "ALL_TOKENS" };
  const parent = new Quota({ maxCalls: 3, maxTokens: 100, names });
  const first = new Quota({ maxCalls: 2, parent });
  first.startCall();
  first.addUsage(usage(50, 0, 0));
  first.startCall();
  assert.throws(() => first.startCall(), { limit: "maxCalls" });
  const second = new Quota({ maxCalls: 2, parent });
  assert.equal(second.callsLeft, 1);
  second.startCall();
  second.addUsage(usage(10, 0, 10));
  assert.throws(() => second.startCall(), { limit: "ALL_CALLS" });
  assert.equal(second.calls, 1);
  assert.deepEqual([parent.calls, parent.weighted, second.weighted], [3, 100, 50]);
  const third = new Quota({ parent: new Quota({ maxTokens: 0, names }) });
  assert.throws(() => third.startCall(), { limit: "ALL_TOKENS" });
  assert.equal(third.calls, 0);
});

Deno.test("Quota has 50 calls and no token limit by default", () => {
  const quota = new Quota();
  for (let i = 0; i < 50; i++) {
    quota.startCall();
    quota.addUsage(usage(1e9, 0, 1e9));
  }
  assert.throws(() => quota.startCall(), { limit: "maxCalls" });
});

Deno.test("Quota weighs uncached, cached and output tokens", () => {
  const quota = new Quota();
  quota.addUsage(usage(1000, 800, 10));
  assert.equal(quota.weighted, 200 + 200 + 40);
  quota.addUsage(usage(100, undefined, 1));
  assert.equal(quota.weighted, 440 + 100 + 4);
  assert.deepEqual(quota.usage, {
    prompt_tokens: 1100,
    completion_tokens: 11,
    total_tokens: 1111,
    prompt_tokens_details: { cached_tokens: 800 },
  });
  const own = new Quota({ weights: { input: 2, cached: 0, output: 3 } });
  own.addUsage(usage(10, 4, 1));
  assert.equal(own.weighted, 15);
});

Deno.test("Quota refuses a call once the token budget is spent, not before", () => {
  const quota = new Quota({ maxTokens: 100, names: { calls: "CALLS", tokens: "TOKENS" } });
  quota.startCall();
  quota.addUsage(usage(99, 0, 0));
  quota.startCall();
  quota.addUsage(usage(1, 0, 0));
  assert.throws(() => quota.startCall(), {
    name: "LimitError",
    limit: "TOKENS",
    message: "Reached TOKENS (100 weighted tokens); raise it to go on",
  });
  assert.equal(quota.calls, 2);
});

Deno.test("Quota never counts more cached tokens than the prompt has", () => {
  const quota = new Quota();
  quota.addUsage(usage(10, 50, 0));
  assert.equal(quota.weighted, 2.5);
});

Deno.test("Quota refuses budgets that are not numbers of at least 0", () => {
  assert.throws(() => new Quota({ maxCalls: -1 }), RangeError);
  assert.throws(() => new Quota({ maxTokens: NaN }), RangeError);
  assert.throws(() => new Quota({ weights: { input: 1, cached: -1, output: 1 } }), RangeError);
  assert.throws(() => new Quota({ maxCalls: 0 }).startCall(), LimitError);
});
