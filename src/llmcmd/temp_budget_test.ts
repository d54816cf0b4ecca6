import assert from "node:assert/strict";
import { MemorySink, memorySource } from "../streams/mod.ts";
import { ToolBench } from "./_testing.ts";
import { defaultLimits } from "./limits.ts";
import { mostTemp, TempBudget } from "./temp_budget.ts";

const GIB = 1024 ** 3;

Deno.test("mostTemp is 1 GiB, or 8 times what an input may hold", () => {
  assert.equal(mostTemp(defaultLimits), GIB);
  assert.equal(mostTemp({ inputBytes: GIB }), 8 * GIB);
});

/** Storage that keeps nothing, and says whether it was disposed of. */
function storage(): { open: () => Promise<Disposed>; disposed: () => number } {
  let disposed = 0;
  return {
    open: () =>
      Promise.resolve({
        create: () =>
          Promise.resolve({
            sink: new MemorySink(),
            open: () => Promise.resolve(memorySource("")),
          }),
        [Symbol.asyncDispose]: () => {
          disposed++;
          return Promise.resolve();
        },
      }),
    disposed: () => disposed,
  };
}

type Disposed = Awaited<ReturnType<Parameters<TempBudget["storage"]>[0]>>;

Deno.test("TempBudget counts all files of a run, and gives back those of storage that is disposed of", async () => {
  const { open, disposed } = storage();
  const budget = new TempBudget({ ...defaultLimits, names: { inputBytes: "MAX_INPUT" } });
  const limited = budget.storage(open);
  const chunk = new Uint8Array(16);
  const first = await limited();
  const { sink } = await first.create();
  budget.take(GIB - 40);
  await sink.write(chunk);
  const second = await limited();
  const { sink: other } = await second.create();
  await other.write(chunk);
  await assert.rejects(other.write(chunk), {
    name: "RangeError",
    message: `Temporary files would hold more than ${GIB} bytes, which is the most with this ` +
      "MAX_INPUT: give the command less data, such as with head before it",
  });
  await first[Symbol.asyncDispose]();
  await other.write(chunk);
  await assert.rejects(other.write(chunk), RangeError);
  assert.equal(disposed(), 1);
});

Deno.test("pipe tells of a command's own limit, and the run goes on", async () => {
  await using bench = new ToolBench({ inputs: ["b\na\n"] });
  const long = "yes | tr -d '\\n' | sort";
  const { success, error } = await bench.call("pipe", { cmd: long, out_fd: 1 });
  assert.deepEqual([success, error], [false, "A line is longer than lineBytes (33554432 bytes)"]);
  assert.equal(bench.state.failure, undefined);
  const better = await bench.call("pipe", { cmd: "sort", in_fd: 3, out_fd: 1 });
  assert.deepEqual([better.success, bench.out.text()], [true, "a\nb\n"]);
});
