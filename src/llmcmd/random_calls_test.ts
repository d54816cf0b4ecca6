import assert from "node:assert/strict";
import { testSeed } from "../streams/_testing.ts";
import { PoisonSource } from "../testing/poison_source.ts";
import { ToolBench } from "./_testing.ts";

const COMMANDS = [
  undefined,
  "cat",
  "head -n 2",
  "head -c 0",
  "tail -n 3",
  "tr a-z A-Z",
  "wc -c",
  "sort -r",
  "grep -v 3",
  "cat | head -n 1 | wc",
  "yes | head -n 2",
  "echo hi",
  "uniq -c",
  "head -n x",
  "nosuch",
  "cat >",
  "cat - /dev/fd/3 file4",
  "cat /dev/stdin",
  "diff - /dev/fd/0",
  "diff file3 file4 | head -n 3",
  "paste /dev/fd/6 /dev/fd/7",
  "comm - /dev/fd/7",
  "sort -m /dev/fd/7 /dev/fd/8 -",
  "grep -f /dev/fd/9",
  "sed '2r /dev/fd/8'",
  "cat /dev/fd/8 /dev/fd/8",
  "tee file3",
];

/** Calls that a model may make, sensible or not. */
function randomCall(random: (below: number) => number): [tool: string, input: unknown] {
  const fd = () => random(4) === 0 ? undefined : random(16) - 1;
  const kind = random(8);
  if (kind < 2) {
    const offset = random(3) === 0 ? random(300) : undefined;
    return ["read", { fd: fd(), offset, max_size: random(2) === 0 ? random(200) : undefined }];
  }
  if (kind < 4) {
    const data = random(4) === 0 ? undefined : "line 3\n\u00e9t\u00e9\n".repeat(random(4));
    return ["write", { fd: fd(), data, eof: random(3) === 0 }];
  }
  return ["pipe", { cmd: COMMANDS[random(COMMANDS.length)], in_fd: fd(), out_fd: fd() }];
}

Deno.test("tools never hang, throw or leak, whatever is called in whatever order", async () => {
  const seed = testSeed();
  let state = seed;
  const random = (below: number) =>
    Math.floor(((state = (state * 1664525 + 1013904223) >>> 0) / 2 ** 32) * below);
  const text = Array.from({ length: 40 }, (_, line) => `line ${line}\n`).join("");
  for (let session = 0; session < 300; session++) {
    const calls: unknown[] = [];
    const context = () => `seed ${seed}, session ${session}: ${JSON.stringify(calls)}`;
    const stdin = new PoisonSource(text, [1 + random(50)]);
    const bench = new ToolBench({ stdin, inputs: [text, new PoisonSource(text, 9)], dup: true });
    const watchdog = setTimeout(() => bench.controller.abort(new Error("It hangs")), 20_000);
    try {
      for (let call = 0; call < 20; call++) {
        const [name, input] = randomCall(random);
        calls.push([name, input]);
        const before = bench.out.length;
        const answer = await bench.call(name, input);
        assert.ok(answer.error === null || answer.error.length > 0, context());
        if (name === "read") {
          assert.equal(bench.out.length, before, context());
          continue;
        }
        assert.equal(answer.success, answer.error === null, context());
        const { fd, out_fd: outFd, in_fd: inFd } = input as Record<string, number | undefined>;
        const toOutput = name === "write" ? (fd ?? 1) === 1 : outFd === 1 && inFd !== undefined;
        if (toOutput) assert.equal(bench.out.length - before, answer.size, context());
      }
      await bench.state.ending.drain();
      await bench.state.descriptors.close();
      assert.deepEqual(bench.fds.list().map((fd) => fd.number), [0, 1, 2, 3, 4, 5], context());
    } catch (error) {
      throw new Error(context(), { cause: error });
    } finally {
      clearTimeout(watchdog);
      await bench[Symbol.asyncDispose]();
    }
  }
});
