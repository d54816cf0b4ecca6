import assert from "node:assert/strict";
import { scriptEntry } from "../_testing.ts";
import { AgentError } from "../errors.ts";
import type { ModelEntry } from "../registry/mod.ts";
import { CallQueue } from "./mod.ts";

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

function entry(name: string, fields: Record<string, unknown> = {}): ModelEntry {
  return { ...scriptEntry("true", fields), name };
}

/** Enters calls, and records the order in which they get their places. */
function caller(queue: CallQueue) {
  const order: string[] = [];
  const places = new Map<string, () => void>();
  return {
    order,
    call(id: string, entry: ModelEntry, signal?: AbortSignal, conversation?: string) {
      return queue.enter(entry, signal, conversation).then(({ release }) => {
        order.push(id);
        places.set(id, release);
      });
    },
    release: (id: string) => (places.get(id) ?? assert.fail(id))(),
  };
}

const kindOf = (error: unknown): string => {
  assert.ok(error instanceof AgentError);
  return error.kind;
};

Deno.test("CallQueue runs maxConcurrent calls of a model and gives the next places in order", async () => {
  const queue = new CallQueue();
  const { call, release, order } = caller(queue);
  const model = entry("m", { worktree: true, maxConcurrent: 2 });
  for (const id of ["a", "b", "c", "d"]) void call(id, model);
  await turn();
  assert.deepEqual(order, ["a", "b"]);
  assert.deepEqual(queue.counts("m"), { running: 2, queued: 2 });
  release("b");
  release("b");
  await turn();
  assert.deepEqual(order, ["a", "b", "c"]);
  void call("e", model);
  release("a");
  release("c");
  await turn();
  assert.deepEqual(order, ["a", "b", "c", "d", "e"]);
  release("d");
  release("e");
  assert.deepEqual(queue.counts("m"), { running: 0, queued: 0 });
});

Deno.test("CallQueue: without worktree, calls of all models of one repository take turns", async () => {
  const queue = new CallQueue();
  const { call, release, order } = caller(queue);
  void call("a", entry("m"));
  void call("b", entry("n"));
  void call("other", entry("o", { repoPath: "/other" }));
  void call("tree", entry("p", { worktree: true }));
  await turn();
  assert.deepEqual(order.toSorted(), ["a", "other", "tree"]);
  release("a");
  await turn();
  assert.equal(order.at(-1), "b");
  for (const id of ["b", "other", "tree"]) release(id);
});

Deno.test("CallQueue: calls of one conversation take turns and leave places to others", async () => {
  const { call, release, order } = caller(new CallQueue());
  const model = entry("m", { worktree: true, maxConcurrent: 2 });
  void call("a", model, undefined, "talk");
  void call("b", model, undefined, "talk");
  void call("c", model, undefined, "other");
  await turn();
  assert.deepEqual(order.toSorted(), ["a", "c"]);
  release("a");
  await turn();
  assert.equal(order.at(-1), "b");
  for (const id of ["b", "c"]) release(id);
});

Deno.test("CallQueue refuses a call when maxQueue calls wait, and says when to come again", async () => {
  const queue = new CallQueue();
  const { call, release } = caller(queue);
  const model = entry("m", { maxQueue: 1 });
  await call("a", model);
  const waiting = call("b", model);
  await assert.rejects(call("c", model), (error: unknown) => {
    assert.ok(error instanceof AgentError);
    assert.equal(error.kind, "busy");
    assert.equal(error.message, "Too many calls of m wait already (maxQueue is 1)");
    assert.equal(error.retryAfter, 20);
    return true;
  });
  release("a");
  await waiting;
  release("b");
  const none = entry("n", { maxQueue: 0, repoPath: "/n" });
  await call("d", none);
  await assert.rejects(call("e", none), (error: unknown) => kindOf(error) === "busy");
  release("d");
});

Deno.test("CallQueue: who waits longer than timeout is told that it is busy", async () => {
  const { call, release, order } = caller(new CallQueue());
  await call("a", entry("m"));
  await assert.rejects(
    call("b", entry("m", { timeout: 0.05 })),
    new AgentError("busy", "Waited longer than timeout (0.05 s) for a place to run m", {
      retryAfter: 1,
    }),
  );
  const next = call("c", entry("m"));
  release("a");
  await next;
  assert.deepEqual(order, ["a", "c"]);
  release("c");
});

Deno.test("CallQueue: an abort frees the place in the queue and the turn that was held", async () => {
  const queue = new CallQueue();
  const { call, release, order } = caller(queue);
  const model = entry("m", { worktree: true, maxConcurrent: 1, maxQueue: 1 });
  await call("a", model);
  const controller = new AbortController();
  const gone = call("b", model, controller.signal, "talk");
  await turn();
  controller.abort();
  await assert.rejects(gone, (error: unknown) => kindOf(error) === "cancelled");
  assert.deepEqual(queue.counts("m"), { running: 1, queued: 0 });
  const next = call("c", model, undefined, "talk");
  release("a");
  await next;
  assert.deepEqual(order, ["a", "c"]);
  release("c");
});
