/**
 * Common mistakes of models in their calls, through the whole command. In each row the task is done
 * all the same. If a call is ambiguous, the model gets a message about the right way, and takes it.
 */
import assert from "node:assert/strict";
import type { ScenarioStep } from "../src/mock/mod.ts";
import { Bench, call, step } from "./_cli.ts";

const FILE = "name,age\nbob,7\nada,9\n";
const SORTED = "ada,9\nbob,7\nname,age\n";

interface Row {
  readonly name: string;
  /** The model's calls before it ends the run. */
  readonly steps: readonly ScenarioStep[];
  readonly out: string;
  readonly code?: number;
}

const raw = (name: string, text: string): ScenarioStep => ({
  response: { tool_calls: [{ function: { name, arguments: text } }] },
});
/** A step that the model takes after a result with this text. */
const told = (text: string, then: ScenarioStep): ScenarioStep => ({
  ...then,
  match: { tool_result_contains: text },
});
const pipe = (cmd: string) => step(call("pipe", { cmd, in_fd: 3, out_fd: 1 }));
const SORT = { cmd: "sort", in_fd: 3, out_fd: 1 };
const twice = JSON.stringify(JSON.stringify(SORT));

const ROWS: readonly Row[] = [
  {
    name: "numbers as strings",
    steps: [step(call("pipe", { ...SORT, in_fd: "3", out_fd: "1" }))],
    out: SORTED,
  },
  { name: "arguments encoded twice", steps: [raw("pipe", twice)], out: SORTED },
  {
    name: "arguments under a needless key",
    steps: [step(call("pipe", { arguments: SORT }))],
    out: SORTED,
  },
  {
    name: "an empty cmd",
    steps: [step(call("pipe", { ...SORT, cmd: "" }))],
    out: FILE,
  },
  {
    name: "a command as in a script",
    steps: [pipe("LC_ALL=C /usr/bin/sort -t, -k1,1 2>/dev/null || true")],
    out: SORTED,
  },
  {
    name: "a file by name, as in a shell",
    steps: [
      step(call("pipe", { cmd: "cat a.csv 2>/dev/null | LC_ALL=C gsort", out_fd: "1" })),
    ],
    out: SORTED,
  },
  {
    name: "egrep, fgrep and gsed",
    steps: [pipe("egrep 'ada|bob' | fgrep -v 7 2>&1 | gsed s/,/:/")],
    out: "ada:9\n",
  },
  { name: "grep without a match, and || true", steps: [pipe("grep zoe || true")], out: "" },
  {
    name: "a key that is not there, then the right one",
    steps: [
      step(call("pipe", { ...SORT, file: "a.csv" })),
      told('Unknown key \\"file\\": pipe takes cmd, in_fd, out_fd', step(call("pipe", SORT))),
    ],
    out: SORTED,
  },
  {
    name: "awk, then what its error names",
    steps: [
      pipe("awk -F, '{print $2}'"),
      told("awk: command not found; take columns with `cut -d , -f 2`", pipe("cut -d , -f 2")),
    ],
    out: "age\n7\n9\n",
  },
  {
    name: "a redirection, then out_fd",
    steps: [
      pipe("sort < a.csv > b.csv"),
      told("there are no redirections: name the input with in_fd", pipe("sort")),
    ],
    out: SORTED,
  },
  {
    name: "a command as a tool, then pipe",
    steps: [
      step(call("sort", { file: "a.csv" })),
      told("sort is a command: call pipe with cmd", step(call("pipe", SORT))),
    ],
    out: SORTED,
  },
  {
    name: "arguments that are no JSON, then better ones",
    steps: [
      raw("pipe", "{cmd: sort}"),
      told(
        '{"success":false,"size":0,"error":"pipe: arguments are not JSON',
        step(call("pipe", SORT)),
      ),
    ],
    out: SORTED,
  },
  {
    name: "a pipe that could not be understood, and an end all the same",
    steps: [
      step(call("pipe", { cmd: "sort", input: 3, output: 1 })),
      told("Unknown keys", step(call("exit"))),
      told("Not ended: pipe failed: Unknown keys", step(call("exit"))),
    ],
    code: 1,
    out: "",
  },
];

Deno.test("The command does what models mean, and tells them the way where that is not clear", async (t) => {
  await using bench = await Bench.open(
    ROWS.map(({ name, steps }, index) => ({
      name,
      trigger: `Task ${index}.`,
      steps: [...steps, step(call("exit", { code: "0" }))],
    })),
  );
  await bench.write("a.csv", FILE);
  const outcomes = await bench.runAll(
    ROWS.map((_, index) => ({ args: [`Task ${index}.`, "a.csv"] })),
  );
  for (const [index, { name, out, code = 0 }] of ROWS.entries()) {
    await t.step(name, () => {
      const run = outcomes[index];
      assert.deepEqual([run?.stdout, run?.code], [out, code], run?.stderr);
      if (code === 0) assert.equal(run?.stderr, "");
    });
  }
});
