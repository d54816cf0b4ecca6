/**
 * Command lines that would destroy files that the run reads or writes, and outputs that cannot be
 * written or opened.
 */
import assert from "node:assert/strict";
import { Bench, call, step } from "./_cli.ts";

const SCENARIOS = [
  {
    name: "copy",
    trigger: "copy",
    steps: [step(call("pipe", { cmd: "cat", in_fd: 3, out_fd: 1 })), step(call("exit"))],
  },
  {
    name: "through",
    trigger: "through",
    steps: [step(call("pipe", { cmd: "cat", in_fd: 0, out_fd: 1 })), step(call("exit"))],
  },
];

Deno.test("llmcmd refuses an input that the shell has emptied as the output", async () => {
  await using bench = await Bench.open(SCENARIOS);
  const why = "is the output, too, so the shell has emptied it before it could be read: with -o";
  await bench.write("a", "1\n");
  await bench.write("b", "");
  await Deno.symlink("a", `${bench.folder}/link`);
  const run = await bench.sh("llmcmd copy ./link > a");
  assert.equal(run.stderr, `llmcmd: './link' ${why} './link' it is replaced at the end\n`);
  assert.equal(run.code, 2);
  const through = await bench.sh("llmcmd through < a > a");
  assert.equal(
    through.stderr,
    `llmcmd: standard input ${why} FILE it is replaced at the end\n`,
  );
  assert.equal(through.code, 2);
  // No request was sent.
  assert.equal(bench.requests(), 0);
  const fine = await bench.sh("llmcmd copy b > c && llmcmd through < b > c && cat c");
  assert.deepEqual([fine.code, fine.stdout, fine.stderr], [0, "", ""]);
});

Deno.test("llmcmd ends an input where it ended before the output was appended to it", async () => {
  await using bench = await Bench.open(SCENARIOS);
  const lines = "one\ntwo\n".repeat(20_000);
  await bench.write("a", lines);
  await bench.write("b", lines);
  const run = await bench.sh("llmcmd copy a >> a; llmcmd through < b >> b");
  assert.deepEqual([run.code, run.stderr], [0, ""]);
  assert.equal(await bench.read("a"), lines + lines);
  assert.equal(await bench.read("b"), lines + lines);
});

Deno.test("llmcmd refuses --events in a file that is an input or the output", async () => {
  await using bench = await Bench.open(SCENARIOS);
  await bench.write("a", "1\n");
  await bench.write("task", "copy");
  await Deno.link(`${bench.folder}/a`, `${bench.folder}/hard`);
  const [input, link, instructions, output, fine] = await bench.runAll([
    { args: ["--events", "./a", "copy", "a"] },
    { args: ["--events", "hard", "copy", "a"] },
    { args: ["--events", "task", "-p", "@task", "a"] },
    { args: ["--events", "new", "-o", "./new", "copy", "a"] },
    { args: ["--events", "events", "-o", "new", "copy", "a"] },
  ]);
  for (const [run, name] of [[input, "./a"], [link, "hard"], [instructions, "task"]] as const) {
    const stderr = `llmcmd: --events would overwrite the input '${name}': give another file\n`;
    assert.deepEqual(run, { code: 2, stdout: "", stderr });
  }
  const same = "llmcmd: --events and -o name the same file 'new': give another one\n";
  assert.deepEqual(output, { code: 2, stdout: "", stderr: same });
  assert.deepEqual(fine, { code: 0, stdout: "", stderr: "" });
  assert.equal(await bench.read("a"), "1\n");
  assert.equal(await bench.read("task"), "copy");
  assert.equal(await bench.read("new"), "1\n");
  assert.match(await bench.read("events"), /^\{"type":"run_start"/);
  const stdout = await bench.sh("llmcmd --events both copy a > both");
  assert.deepEqual([stdout.code, stdout.stderr], [
    2,
    "llmcmd: --events would overwrite the output, which goes to 'both', too\n",
  ]);
});

Deno.test("llmcmd keeps partial output beside an input that has the name for it", async () => {
  await using bench = await Bench.open(SCENARIOS);
  await bench.write("a.partial", "1\n2\n");
  const { code, stderr } = await bench.sh("llmcmd copy a.partial -o a", {
    env: { LLMCMD_MAX_OUTPUT_BYTES: "2" },
  });
  assert.equal(code, 4);
  assert.equal(await bench.read("a.partial"), "1\n2\n");
  const [, kept = ""] = /; the partial output is in \.\/(\.llmcmd-\S+\.tmp)\n$/.exec(stderr) ?? [];
  assert.notEqual(kept, "", stderr);
  assert.equal(await bench.read(kept), "1\n");
});

Deno.test({
  name: "llmcmd tells that its help, manual and first request cannot be written",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    await using bench = await Bench.open(SCENARIOS);
    for (const what of ["--help", "--version", "--man", "agent --help", "--dry-run copy"]) {
      const { code, stderr } = await bench.sh(`llmcmd ${what} > /dev/full`);
      assert.match(stderr, /^llmcmd[^\n]*: Cannot write stdout: no space left on the disk$/m, what);
      assert.doesNotMatch(stderr, /at .*\.ts|Internal error/, what);
      assert.equal(code, 4, what);
    }
  },
});

Deno.test("llmcmd waits for the other end of a FIFO no longer than for a run", async () => {
  await using bench = await Bench.open(SCENARIOS);
  await bench.write("a", "1\n");
  await bench.sh("mkfifo pipe");
  for (const args of ["copy pipe", "--dry-run copy pipe", "--events pipe copy a"]) {
    const { code, stdout, stderr } = await bench.sh(`llmcmd ${args}`, {
      env: { LLMCMD_TIMEOUT: "0.5" },
    });
    assert.deepEqual([code, stdout], [6, ""], args);
    assert.equal(
      stderr,
      "llmcmd: Opening the files takes longer than LLMCMD_TIMEOUT (0.5 seconds)\n",
      args,
    );
  }
  assert.equal(bench.requests(), 0);
});
