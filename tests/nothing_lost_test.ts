/**
 * A user's files after a run that went wrong: in each row the model gives up, guesses or is cut
 * off, through the whole command. An output file is replaced by what the task asked for, or stays
 * byte for byte.
 */
import assert from "node:assert/strict";
import { Bench, call, step } from "./_cli.ts";
import { runAll, type RunOutcome } from "./_runs.ts";

const OLD = "name,age\nbob,7\nada,9\n";
const SORTED = "ada,9\nbob,7\nname,age\n";

const pipe = (input: Record<string, unknown>) => call("pipe", input);
const sort = pipe({ cmd: "sort", in_fd: 3, out_fd: 1 });
const awk = pipe({ cmd: "awk -F, '{print $2}'", in_fd: 3, out_fd: 1 });
const exit = (code = 0) => call("exit", { code });
const say = (content: string, ...calls: ReturnType<typeof call>[]) => ({
  response: calls.length === 0 ? { content } : { content, tool_calls: calls },
});
const cutWrite = (args: string) => ({
  response: {
    tool_calls: [{ function: { name: "write", arguments: args } }],
    finish_reason: "length" as const,
  },
});

interface Row {
  /** The event of the row. */
  readonly name: string;
  readonly steps: readonly unknown[];
  /** The model's steps after the hint that its answer does not end the run. */
  readonly then?: readonly unknown[];
  /** The arguments; if absent, those that read and write `a.csv`. */
  readonly args?: readonly string[];
  /** A script for bash that runs the command, in place of arguments. */
  readonly script?: string;
  readonly env?: Record<string, string>;
  readonly code: number;
  /** The content of `a.csv` afterwards. Default: unchanged. */
  readonly file?: string;
  readonly stdout?: string;
  readonly stderr?: RegExp;
  /** The content of `a.csv.partial` afterwards. */
  readonly partial?: string;
}

const TO_STDOUT = ["Do it", "a.csv"];
const FROM_PIPE = 'cat a.csv | llmcmd "Do it"';

const ROWS: readonly Row[] = [
  {
    name: "a failed pipe and exit in one message, then exit again",
    steps: [step(awk, exit()), step(exit())],
    code: 1,
    stderr: /ended the run although pipe failed: awk: command not found/,
  },
  {
    name: "a failed pipe and exit in one message, then a better pipe",
    steps: [step(awk, exit()), step(sort, exit())],
    code: 0,
    file: SORTED,
  },
  {
    name: "a failed pipe, then a final answer, twice",
    steps: [step(awk), say("Sorted as you asked.")],
    then: [say("Sorted as you asked.")],
    code: 1,
    stderr: /although pipe failed: awk/,
  },
  {
    name: "a pipe to the output that the model never wrote to, and exit, then what it forgot",
    steps: [
      step(pipe({ cmd: "sort", out_fd: 1 })),
      step(call("write", { fd: 3, data: "b\na\n" })),
      step(exit()),
      step(call("write", { fd: 4, data: "b\na\n", eof: true }), exit()),
    ],
    code: 0,
    file: "a\nb\n",
  },
  {
    name: "a write to an input, then exit again and again",
    steps: [step(call("write", { fd: 3, data: "b\n" })), step(exit()), step(exit())],
    code: 1,
    stderr: /ended the run although write failed: Cannot write to fd 3/,
  },
  {
    name: "a call that is written as text, then the call itself",
    steps: [say('<tool_call>\n{"name": "pipe", "arguments": {"cmd": "sort"}}\n</tool_call>')],
    then: [step(sort), step(exit())],
    code: 0,
    file: SORTED,
  },
  {
    name: "calls that are written as text, twice",
    steps: [say('pipe(cmd: "sort", in_fd: 3, out_fd: 1)\nexit(code: 0)')],
    then: [say('pipe(cmd: "sort", in_fd: 3, out_fd: 1)\nexit(code: 0)')],
    code: 3,
    stderr: /^llmcmd: The model wrote its tool calls as text, which does nothing: use a model/,
  },
  {
    name: "a failed read, then an answer",
    steps: [step(call("read", { fd: 9 })), say("There is no fd 9.")],
    code: 0,
    file: "There is no fd 9.\n",
  },
  {
    name: "a failed pipe in one message and exit in the next, on the last call",
    steps: [step(awk), step(exit()), step(exit())],
    env: { LLMCMD_MAX_API_CALLS: "2" },
    code: 7,
    stderr: /LLMCMD_MAX_API_CALLS/,
  },
  {
    name: "a pipe that nobody read, and exit on the last call",
    steps: [step(pipe({ cmd: "sort", in_fd: 3 })), step(exit())],
    env: { LLMCMD_MAX_API_CALLS: "2" },
    code: 7,
    stderr: /LLMCMD_MAX_API_CALLS/,
  },
  {
    name: "a pipe to the output that the model never wrote to, and exit on the last call",
    steps: [step(pipe({ cmd: "sort", out_fd: 1 })), step(exit())],
    env: { LLMCMD_MAX_API_CALLS: "2" },
    code: 7,
    stderr: /LLMCMD_MAX_API_CALLS/,
  },
  {
    name: "a command that fails in the middle, then exit, twice",
    steps: [step(pipe({ cmd: "sed 2q5", in_fd: 3, out_fd: 1 })), step(exit()), step(exit())],
    code: 1,
    partial: "name,age\nbob,7\n",
    stderr: /pipe failed: sed failed with status 5; 15 bytes of its output stay on fd 1/,
  },
  {
    name: "a command that refuses its input in the middle, then exit, twice",
    steps: [step(pipe({ cmd: "base64 -d", in_fd: 3, out_fd: 1 })), step(exit()), step(exit())],
    code: 1,
    stderr: /pipe failed: base64 failed with status 1: base64: invalid input; its output was not/,
  },
  {
    name: "an unsorted input of comm, then the same sorted",
    steps: [
      step(pipe({ cmd: "sed '1i 0' | comm -12 a.csv -", in_fd: 3, out_fd: 1 })),
      step(pipe({ cmd: "sort", in_fd: 3 })),
      step(pipe({ cmd: "sort a.csv | comm -12 - /dev/fd/5", out_fd: 1 })),
      step(exit()),
    ],
    code: 0,
    file: SORTED,
  },
  {
    name: "a pipe fed by the model that fails at its end, then exit, twice",
    steps: [
      step(pipe({ cmd: "base64 -d", out_fd: 1 }), call("write", { fd: 4, data: "%%%" })),
      step(exit()),
      step(exit()),
    ],
    code: 1,
    stderr: /base64 failed with status 1/,
  },
  {
    name: "a write with a wrong argument and exit beside it, twice",
    steps: [step(call("write", { text: "x" }), exit()), step(exit())],
    code: 1,
    stderr: /write failed/,
  },
  {
    name: "a tool that is not there beside a good pipe, then exit again",
    steps: [step(sort, call("awk", {}), exit()), step(exit())],
    code: 0,
    file: SORTED,
  },
  {
    name: "grep without a match is no failure",
    steps: [step(pipe({ cmd: "grep zoe", in_fd: 3, out_fd: 1 }), exit())],
    code: 0,
    file: "",
    stderr: /a\.csv is empty now/,
  },
  {
    name: "exit with code 1 and a reason",
    steps: [say("I cannot sort this", exit(1))],
    code: 1,
    stderr: /^llmcmd: I cannot sort this$/m,
  },
  {
    name: "exit with code 1 and a reason, to standard output",
    args: TO_STDOUT,
    steps: [say("I cannot sort this", exit(1))],
    code: 1,
    stdout: "",
    stderr: /^llmcmd: I cannot sort this$/m,
  },
  {
    name: "half an output, then exit with code 3",
    steps: [step(pipe({ cmd: "head -n 1", in_fd: 3, out_fd: 1 })), say("No way", exit(3))],
    code: 3,
    stderr: /No way; the partial output is in .*a\.csv\.partial/,
    partial: "name,age\n",
  },
  {
    name: "header kept and the rest sorted, from a pipe",
    script: FROM_PIPE,
    steps: [
      step(
        pipe({ cmd: "head -n1", in_fd: 0, out_fd: 1 }),
        pipe({ cmd: "tail -n +2 | sort", in_fd: 0, out_fd: 1 }),
      ),
      step(exit()),
    ],
    code: 0,
    stdout: "name,age\nada,9\nbob,7\n",
  },
  {
    name: "a pipe that nobody reads, then exit, then it is read",
    steps: [
      step(pipe({ cmd: "sort", in_fd: 3 })),
      step(exit()),
      step(pipe({ in_fd: 5, out_fd: 1 }), exit()),
    ],
    code: 0,
    file: SORTED,
  },
  {
    name: "a pipe that nobody reads, then a final answer, then it is read",
    steps: [step(pipe({ cmd: "sort", in_fd: 3 })), say("Done")],
    then: [step(pipe({ in_fd: 5, out_fd: 1 }), exit())],
    code: 0,
    file: SORTED,
  },
  {
    name: "a pipe that nobody wants to read",
    steps: [step(pipe({ cmd: "sort", in_fd: 3 }), sort), step(exit()), step(exit())],
    code: 0,
    file: SORTED,
  },
  {
    name: "a write that is cut, and goes on",
    args: TO_STDOUT,
    steps: [
      cutWrite('{"fd":1,"data":"one\\ntw'),
      step(call("write", { data: "o\nthree\n" })),
      step(exit()),
    ],
    code: 0,
    stdout: "one\ntwo\nthree\n",
  },
  {
    name: "complete calls before the one that is cut",
    args: TO_STDOUT,
    steps: [
      {
        response: {
          tool_calls: [
            { function: { name: "write", arguments: { data: "one\n" } } },
            { function: { name: "write", arguments: '{"data":"t\\u00e' } },
          ],
          finish_reason: "length",
        },
      },
      step(call("write", { data: "\u00e9\n" })),
      step(exit()),
    ],
    code: 0,
    stdout: "one\nt\u00e9\n",
  },
  {
    name: "a write that is cut, then exit, twice",
    steps: [cutWrite('{"data":"one\\ntw'), step(exit()), step(exit())],
    code: 1,
    stderr: /was cut at 4096 tokens: 6 bytes were written to fd 1/,
    partial: "one\ntw",
  },
  {
    name: "an answer that ends in the middle of a write: what arrived is kept",
    steps: [{
      response: { tool_calls: [call("write", { fd: 1, data: "one two three four five six\n" })] },
      fault: { end_after: 4 },
    }],
    code: 3,
    stderr: /without finish_reason.*; the partial output is in a\.csv\.partial/,
    partial: "one two three fo",
  },
  {
    name: "a write that turns out to be wrong once its data have flowed, then exit, twice",
    steps: [step(call("write", { fd: 1, data: "one\n", text: "x" })), step(exit()), step(exit())],
    code: 1,
    stderr: /4 bytes of its data were written to fd 1 before that was known/,
    partial: "one\n",
  },
  {
    name: "a text that is cut is told once",
    steps: [{ response: { content: "Half an", finish_reason: "length" } }],
    then: [step(call("write", { data: "whole\n" })), step(exit())],
    code: 0,
    file: "whole\n",
  },
  {
    name: "a text that is cut twice",
    steps: [{ response: { content: "Half an", finish_reason: "length" } }],
    then: [{ response: { content: "Half an", finish_reason: "length" } }],
    code: 3,
    stderr: /cut off/,
  },
  {
    name:
      "a write without fd that is cut while a pipe waits for data goes nowhere, as it may be for it",
    steps: [
      step(pipe({ cmd: "sort", out_fd: 1 })),
      cutWrite('{"data":"b\\na\\n'),
      step(call("write", { fd: 4, data: "b\na\n", eof: true })),
      step(exit()),
    ],
    code: 0,
    file: "a\nb\n",
  },
  {
    name: "a remark on an empty result is told once, and does not become the output",
    args: TO_STDOUT,
    steps: [step(pipe({ cmd: "grep zoe", in_fd: 3, out_fd: 1 })), say("No line has zoe.")],
    then: [step(exit())],
    code: 0,
    stdout: "",
  },
  {
    name: "an answer after an empty result, again when told that it becomes the output",
    args: TO_STDOUT,
    steps: [step(pipe({ cmd: "grep zoe", in_fd: 3, out_fd: 1 })), say("no")],
    then: [say("no")],
    code: 0,
    stdout: "no\n",
  },
  {
    name: "a remark beside a pipe that has no result, and exit",
    args: TO_STDOUT,
    steps: [
      say("Here it is:", pipe({ cmd: "grep zoe", in_fd: 3, out_fd: 1 }), exit()),
      step(exit()),
    ],
    code: 0,
    stdout: "",
  },
  {
    name: "exit before another call in its message: that runs, and exit comes again",
    steps: [step(exit(), sort), step(exit())],
    code: 0,
    file: SORTED,
  },
  {
    name: "a pipe to the output that was given up for another, as what was to feed it failed",
    steps: [
      step(pipe({ cmd: "sort", out_fd: 1 })),
      step(pipe({ cmd: "awk 1", in_fd: 3, out_fd: 4 })),
      step(sort),
      step(exit()),
      step(exit()),
    ],
    code: 0,
    file: SORTED,
  },
  {
    name: "a pipe to the output that got nothing, as what was to feed it failed, then its end",
    steps: [
      step(pipe({ cmd: "sort", out_fd: 1 })),
      step(pipe({ cmd: "awk 1", in_fd: 3, out_fd: 4 })),
      step(call("write", { fd: 4, eof: true }), exit()),
      step(exit()),
      step(exit()),
    ],
    code: 1,
    stderr: /fd 4 did not get all its data: awk: command not found/,
  },
  {
    name: "a thought whose beginning the template wrote is no output: a failed call, exit, twice",
    steps: [
      say("I look.\n</think>\n\n", call("read", { fd: 9 })),
      say("Done.\n</think>\n\n", exit()),
      say("Done.\n</think>\n\n", exit()),
    ],
    code: 1,
    stderr: /although read failed: Cannot read fd 9/,
  },
  {
    name: "a thought whose beginning the template wrote is no remark on an empty result",
    args: TO_STDOUT,
    steps: [
      say("I look.\n</think>\n\n", pipe({ cmd: "grep zoe", in_fd: 3, out_fd: 1 })),
      say("Done.\n</think>\n\n", exit()),
    ],
    code: 0,
    stdout: "",
  },
  {
    name: "an exit that is written as text ends a run that has its output",
    steps: [step(sort), say('{"name": "exit", "parameters": {"code": 0}}')],
    code: 0,
    file: SORTED,
  },
  {
    name: "a pipe that nobody reads, and exit on the last call with nothing written",
    steps: [step(pipe({ cmd: "sort", in_fd: 3 })), step(exit())],
    env: { LLMCMD_MAX_API_CALLS: "2" },
    code: 7,
    stderr: /LLMCMD_MAX_API_CALLS/,
  },
  {
    name: "a write after the end of a pipe to the output, then exit, twice",
    steps: [
      step(pipe({ cmd: "sort", out_fd: 1 })),
      step(call("write", { fd: 4, data: "b\n", eof: true })),
      step(call("write", { fd: 4, data: "a\n", eof: true })),
      step(exit()),
      step(exit()),
    ],
    code: 1,
    stderr: /although write failed: Cannot write to fd 4 .* it was closed with eof/,
    partial: "b\n",
  },
  {
    name: "a command that fails into a pipe to the output, then exit, twice",
    steps: [
      step(pipe({ cmd: "sort", out_fd: 1 })),
      step(pipe({ cmd: "base64 -d", in_fd: 3, out_fd: 4 }), call("write", { fd: 4, eof: true })),
      step(exit()),
      step(exit()),
    ],
    code: 1,
    stderr: /although write failed: fd 4 did not get all its data: base64 failed/,
  },
  {
    name: "exit that is refused leaves a pipe to the output open",
    steps: [
      step(
        pipe({ cmd: "sort", out_fd: 1 }),
        call("write", { fd: 4, data: "b\n" }),
        call("read", { fd: 99 }),
        exit(),
      ),
      step(call("write", { fd: 4, data: "a\n" })),
      step(exit()),
    ],
    code: 0,
    file: "a\nb\n",
  },
  {
    name: "an answer that is nothing at all",
    steps: [{ response: { content: "" } }],
    code: 3,
    stderr: /answered with nothing/,
  },
];

Deno.test("nothing is lost", async (t) => {
  await using benches = new AsyncDisposableStack();
  const rows: { row: Row; bench: Bench }[] = [];
  for (const row of ROWS) {
    const bench = await Bench.open([
      { name: "row", trigger: "Do it", steps: row.steps },
      { name: "refused", trigger: "Not ended", steps: row.then ?? [say("?")] },
      { name: "cut", trigger: "Your answer was cut", steps: row.then ?? [say("?")] },
    ]);
    benches.use(bench);
    await bench.write("a.csv", OLD);
    rows.push({ row, bench });
  }
  // Runs that need no shell share one process, which is much faster.
  const folder = await Deno.makeTempDir({ prefix: "llmcmd-lost-" });
  benches.defer(() => Deno.remove(folder, { recursive: true }));
  const direct = rows.filter(({ row }) => row.script === undefined);
  const outcomes = await runAll(
    folder,
    direct.map(({ row, bench }) => ({
      args: row.args ?? ["-i", "a.csv", "-o", "a.csv", "Do it"],
      env: bench.environment(row.env),
      cwd: bench.folder,
    })),
  );
  const ran = new Map(direct.map(({ row }, index) => [row, outcomes[index]]));
  for (const { row, bench } of rows) {
    await t.step(row.name, async () => {
      const run = ran.get(row) ?? await bench.sh(row.script ?? assert.fail());
      await checkRow(row, bench, run);
    });
  }
});

async function checkRow(row: Row, bench: Bench, run: RunOutcome): Promise<void> {
  assert.equal(run.code, row.code, run.stderr);
  assert.equal(await bench.read("a.csv"), row.file ?? OLD);
  if (row.stdout !== undefined) assert.equal(run.stdout, row.stdout);
  if (row.stderr === undefined) assert.equal(run.stderr, "");
  else assert.match(run.stderr, row.stderr);
  const partial = bench.names().includes("a.csv.partial")
    ? await bench.read("a.csv.partial")
    : undefined;
  assert.equal(partial, row.partial);
}
