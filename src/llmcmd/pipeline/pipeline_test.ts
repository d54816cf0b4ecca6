import assert from "node:assert/strict";
import type { Builtin, TempStore } from "../../builtins/mod.ts";
import { drain, MemorySink, memorySource } from "../../streams/mod.ts";
import { noOperands } from "../_testing.ts";
import { type CheckedCommand, parseCommand } from "./parse_command.ts";
import { Pipeline } from "./pipeline.ts";

const context = { signal: new AbortController().signal, operands: noOperands };

/** A command that copies, complains and ends with a status. */
function command(name: string, status: number, complaint = ""): CheckedCommand {
  const builtin: Builtin = async function* (_, { stdin, warn }) {
    for await (const chunk of stdin) yield chunk;
    if (complaint !== "") warn(complaint);
    return status;
  };
  return { name, args: [], builtin, readsInput: true, opens: [] };
}

async function runAll(commands: CheckedCommand[], upstream?: Pipeline) {
  const source = upstream?.output ?? memorySource("abc\n");
  const pipeline = new Pipeline(commands, source, context, { upstream });
  const sink = new MemorySink();
  await drain(pipeline.output, sink);
  return { ...pipeline.report(), text: sink.text() };
}

Deno.test("Pipeline reports one status a stage, those before a pipe first", async () => {
  const first = new Pipeline([command("a", 0), command("grep", 1)], memorySource("abc\n"), context);
  assert.deepEqual(first.report(), { status: [null, null], stderr: "", error: null });
  assert.deepEqual(await runAll([command("c", 0, "c: hm")], first), {
    status: [0, 1, 0],
    stderr: "c: hm\n",
    error: null,
    text: "abc\n",
  });
});

Deno.test("Pipeline takes status 1 of grep and diff for success, and 2 for failure", async () => {
  for (const name of ["grep", "diff"]) {
    assert.equal((await runAll([command(name, 1)])).error, null);
    assert.equal((await runAll([command(name, 2)])).error, `${name} failed with status 2`);
  }
  assert.equal(
    (await runAll([command("sort", 1, "sort: disorder"), command("b", 3)])).error,
    "sort failed with status 1, b failed with status 3: sort: disorder",
  );
});

Deno.test("Pipeline keeps 4 KiB of standard error, of all stages together", async () => {
  const { stderr } = await runAll([
    command("a", 1, "\u00e9".repeat(2000)),
    command("b", 1, "b".repeat(1000)),
  ]);
  assert.equal(new TextEncoder().encode(stderr).length, 4096);
  assert.match(stderr, /^\u00e9{2000}\nb{95}$/);
});

Deno.test("Pipeline gives its commands temporary storage, and disposes of it", async () => {
  const opened: string[] = [];
  const store: TempStore = {
    create: () => Promise.reject(new Error("Not needed")),
    [Symbol.asyncDispose]: () => Promise.resolve(void opened.push("disposed")),
  };
  const temp = () => Promise.resolve((opened.push("opened"), store));
  const builtin: Builtin = async function* (_, { stdin, temp }) {
    await temp?.();
    yield* stdin;
    return 0;
  };
  const command = { name: "big", args: [], builtin, readsInput: true, opens: [] };
  const pipeline = new Pipeline([command], memorySource("x"), { ...context, temp });
  await drain(pipeline.output, new MemorySink());
  assert.deepEqual(opened, ["opened", "disposed"]);
});

Deno.test("parseCommand gives commands with their words", async () => {
  const commands = await parseCommand("head -n 3 | cat", context);
  assert.deepEqual(commands.map(({ name, args }) => [name, ...args]), [["head", "-n", "3"], [
    "cat",
  ]]);
});
