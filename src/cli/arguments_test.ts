import assert from "node:assert/strict";
import { parseArguments, type RunArguments } from "./arguments.ts";

function run(...args: string[]): RunArguments {
  const request = parseArguments(args);
  assert.equal(request.kind, "run");
  return request.kind === "run" ? request.run : assert.fail();
}

Deno.test("parseArguments takes the first operand for the instructions, the others for inputs", () => {
  assert.deepEqual(run("Merge", "a", "b"), {
    instructions: "Merge",
    inputs: ["a", "b"],
    verbose: false,
    stats: false,
    dryRun: false,
  });
});

Deno.test("parseArguments numbers -i and operands in the order in which they stand", () => {
  assert.deepEqual(run("-i", "1", "Do", "2", "-i3", "--input=4", "-", "6").inputs, [
    "1",
    "2",
    "3",
    "4",
    "-",
    "6",
  ]);
});

Deno.test("parseArguments takes every operand for an input when -p is given, wherever it stands", () => {
  for (
    const args of [["-p", "Do", "a", "b"], ["a", "-p", "Do", "b"], ["a", "b", "--prompt=Do"]]
  ) {
    const { instructions, inputs } = run(...args);
    assert.deepEqual([instructions, inputs], ["Do", ["a", "b"]]);
  }
});

Deno.test("parseArguments knows combined short options, --, abbreviations and -o -", () => {
  const all = run("-vo", "out", "-mgpt", "--stat", "--dry", "--events=-", "--", "-p", "-x");
  assert.deepEqual(all, {
    instructions: "-p",
    inputs: ["-x"],
    output: "out",
    model: "gpt",
    verbose: true,
    stats: true,
    dryRun: true,
    events: "-",
  });
  assert.equal(run("-o", "-", "Do").output, undefined);
  assert.equal(run("-m", "a", "-m", "b", "Do").model, "b");
});

Deno.test("parseArguments keeps Japanese instructions and names as they are", () => {
  const { instructions, inputs } = run("\u30a8\u30e9\u30fc", "\u8868.csv");
  assert.deepEqual([instructions, inputs], ["\u30a8\u30e9\u30fc", ["\u8868.csv"]]);
});

Deno.test("parseArguments gives what to print, before errors that come later", () => {
  assert.deepEqual(parseArguments(["-h", "--nonsense"]), { kind: "print", what: "help" });
  assert.deepEqual(parseArguments(["-vV"]), { kind: "print", what: "version" });
  assert.deepEqual(parseArguments(["--man"]), { kind: "print", what: "man" });
  assert.deepEqual(parseArguments(["--completions", "fish"]), {
    kind: "print",
    what: "completions",
    shell: "fish",
  });
});

Deno.test("parseArguments says in one line what is wrong", () => {
  const cases: [string[], string][] = [
    [[], "the instructions are missing"],
    [["-i", "a"], "the instructions are missing"],
    [["", "a"], "the instructions are empty"],
    [["-p", " \n"], "the instructions are empty"],
    [["-p", "a", "-p", "b"], "option '-p' was given twice: put all instructions into one"],
    [["--inptu", "a"], "unrecognized option '--inptu'; did you mean '--input'?"],
    [["--frobnicate"], "unrecognized option '--frobnicate'"],
    [["-vx"], "invalid option -- 'x'"],
    [["Do", "-o"], "option requires an argument -- 'o'"],
    [["Do", "--stats=yes"], "option '--stats' doesn't allow an argument"],
    [["Do", "-o", ""], "the name of the output file is empty"],
    [["Do", "--model="], "the argument of '--model' is empty"],
    [["Do", ""], "the name of an input file is empty"],
  ];
  for (const [args, message] of cases) {
    assert.throws(() => parseArguments(args), { name: "UsageError", message }, args.join(" "));
  }
});
