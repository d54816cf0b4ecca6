import assert from "node:assert/strict";
import { FdTable, MemorySink, memorySource } from "../../streams/mod.ts";
import { PoisonSource } from "../../testing/poison_source.ts";
import { openFds, ToolBench } from "../_testing.ts";
import { defaultLimits } from "../limits.ts";
import { systemPrompt } from "./prompt.ts";

Deno.test("systemPrompt lists every descriptor with what is known of it", () => {
  const fds = openFds({ inputs: ["abcde", new PoisonSource("x")], dup: true });
  const prompt = systemPrompt(fds, defaultLimits);
  assert.ok(prompt.includes(
    "Open file descriptors:\n- fd 0: stdin (size unknown until it is read)\n- fd 1: stdout\n- fd 2: stderr\n" +
      "- fd 3: file3 (5 bytes)\n- fd 4: file4 (stream, size unknown)\n- fd 5: stdin (the same as fd 0)\n\n",
  ));
});

Deno.test("systemPrompt tells the size of standard input where it is the only input", () => {
  for (
    const [stdin, told] of [
      [memorySource("abcde", { seekable: true }), "file, at most 5 bytes"],
      [memorySource("", { seekable: true }), "size unknown until it is read"],
      [new PoisonSource("x"), "stream, size unknown"],
    ] as const
  ) {
    const fds = new FdTable();
    fds.open({ name: "stdin", source: stdin });
    fds.open({ name: "stdout", sink: new MemorySink() });
    fds.open({ name: "stderr" });
    fds.dup(0, { name: "-" });
    const prompt = systemPrompt(fds, defaultLimits);
    assert.ok(prompt.includes(`- fd 0: stdin (${told})\n- fd 1: stdout\n`), prompt.slice(0, 400));
    assert.ok(prompt.includes("- fd 3: - (the same as fd 0)\n"));
  }
});

Deno.test("systemPrompt names the output file, and says that a terminal is empty", () => {
  const fds = new FdTable();
  fds.open({ name: "stdin", source: memorySource("") });
  fds.open({ name: "out.json", sink: new MemorySink() });
  const prompt = systemPrompt(fds, defaultLimits, { terminal: true });
  assert.ok(prompt.includes("- fd 0: stdin (terminal: empty)\n- fd 1: out.json\n"));
  const task = systemPrompt(fds, defaultLimits, { instructionsFromInput: true });
  assert.ok(task.includes("- fd 0: stdin (empty: the task was read from it)\n"));
});

Deno.test("systemPrompt keeps a file name with line breaks on its line", () => {
  const fds = openFds();
  fds.open({ name: "a\n- fd 9: \u65e5", source: memorySource("", { seekable: true }) });
  assert.ok(
    systemPrompt(fds, defaultLimits).includes('- fd 3: "a\\n- fd 9: \u65e5" (0 bytes)\n'),
  );
});

Deno.test("systemPrompt shows how two inputs are named, in calls that work", async () => {
  await using bench = new ToolBench({ inputs: ["k2,b\nk1,a\n", "k1,x\nk2,y\n"] });
  const calls = [
    ...systemPrompt(bench.fds, defaultLimits).matchAll(
      /pipe\(cmd: ("[^"]*\/dev\/fd\/[^"]*"|"sort -t, -k1,1")(?:, in_fd: ([34]))?(?:, out_fd: 1)?\)/g,
    ),
  ];
  const cmds = calls.map(([, cmd = "", fd]) => ({
    cmd: JSON.parse(cmd),
    in_fd: Number(fd) || null,
  }));
  assert.deepEqual(cmds, [
    { cmd: "cat /dev/fd/3 /dev/fd/4", in_fd: null },
    { cmd: "diff -u /dev/fd/3 /dev/fd/4", in_fd: null },
    { cmd: "sort -t, -k1,1", in_fd: 4 },
    { cmd: "sort -t, -k1,1 | join -t, - /dev/fd/6", in_fd: 3 },
  ]);
  const [concatenate, compare, sort, join] = cmds;
  await bench.pipe({ ...concatenate, out_fd: 1 });
  assert.equal(bench.out.text(), "k2,b\nk1,a\nk1,x\nk2,y\n");
  assert.deepEqual((await bench.pipe({ ...compare, out_fd: 1 })).status, [1]);
  assert.equal((await bench.pipe(sort)).out_fd, 6);
  assert.equal((await bench.pipe({ ...join, out_fd: 1 })).error, null);
  assert.match(bench.out.text(), /k1,a,x\nk2,b,y\n$/);
});
