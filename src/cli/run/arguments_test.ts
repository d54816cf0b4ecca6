import assert from "node:assert/strict";
import type { PathKind } from "../../sys/mod.ts";
import { parseArguments, type RunArguments } from "./arguments.ts";
import type { Instructions } from "./instructions.ts";

function run(...args: string[]): RunArguments {
  const request = parseArguments(args);
  assert.equal(request.kind, "run");
  return request.kind === "run" ? request.run : assert.fail();
}

Deno.test("parseArguments takes the first operand for the instructions, the others for inputs", () => {
  assert.deepEqual(run("Merge", "a", "b"), {
    instructions: { text: "Merge" },
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
    assert.deepEqual([instructions, inputs], [{ text: "Do" }, ["a", "b"]]);
  }
});

Deno.test("parseArguments knows combined short options, --, abbreviations and -o -", () => {
  const all = run(
    "-vo",
    "out",
    "-mgpt",
    "--base=http://h/v1",
    "--stat",
    "--dry",
    "--events=-",
    "--",
    "-p",
    "-x",
  );
  assert.deepEqual(all, {
    instructions: { text: "-p" },
    inputs: ["-x"],
    output: "out",
    baseUrl: "http://h/v1",
    model: "gpt",
    verbose: true,
    stats: true,
    dryRun: true,
    events: "-",
  });
  assert.equal(run("-o", "-", "Do").output, undefined);
  assert.deepEqual(run("Do", "/dev/stdin", "-i", "/dev/fd/0", "/dev/fd/10").inputs, [
    "-",
    "-",
    "/dev/fd/10",
  ]);
  assert.equal(run("-m", "a", "-m", "b", "Do").model, "b");
});

Deno.test("parseArguments keeps Japanese instructions and names as they are", () => {
  const { instructions, inputs } = run("\u30a8\u30e9\u30fc", "\u8868.csv");
  assert.deepEqual([instructions, inputs], [{ text: "\u30a8\u30e9\u30fc" }, ["\u8868.csv"]]);
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
    [["-p", "@"], "the name of the file of instructions is empty"],
    [["-p", "-", "a", "-"], "standard input can't be both the instructions and an input file"],
    [["Do", "--base-url="], "the argument of '--base-url' is empty"],
    [["Do", "--model="], "the argument of '--model' is empty"],
    [["Do", ""], "the name of an input file is empty"],
  ];
  for (const [args, message] of cases) {
    assert.throws(() => parseArguments(args), { name: "UsageError", message }, args.join(" "));
  }
});

Deno.test("parseArguments takes the instructions of -p from a file, from stdin, or as they are", () => {
  const cases: [string, Instructions][] = [
    ["@task.txt", { file: "task.txt" }],
    ["@-", { file: "-" }],
    ["@/dev/stdin", { file: "-" }],
    ["-", { file: "-" }],
    ["@@home", { text: "@home" }],
    ["@@", { text: "@" }],
    ["a@b", { text: "a@b" }],
    ["-x", { text: "-x" }],
  ];
  for (const [argument, instructions] of cases) {
    assert.deepEqual(run("-p", argument, "a").instructions, instructions, argument);
  }
  // Only -p gives these spellings a meaning.
  assert.deepEqual(run("@home", "a").instructions, { text: "@home" });
});

Deno.test("parseArguments says that instructions come first, where a file stands in their place", () => {
  const kinds: Record<string, PathKind> = { "t.txt": "file", "it's": "file", src: "folder" };
  const kindOf = (path: string) => kinds[path] ?? "missing";
  const cases: [string[], string][] = [
    [["t.txt", "Count errors"], "'t.txt' is a file: llmcmd 'Count errors' t.txt"],
    [
      ["-o", "out", "t.txt", "it's", 'Say "it\'s"', "-v"],
      `'t.txt' is a file: llmcmd -o out 'Say "it'\\''s"' t.txt 'it'\\''s' -v`,
    ],
    [["t.txt", "Count", "errors"], "'t.txt' is a file: llmcmd 'Count errors' t.txt"],
    [["-", "Count errors"], "'-' is standard input: llmcmd 'Count errors' -"],
    [["/dev/stdin", "Count"], "'/dev/stdin' is standard input: llmcmd Count /dev/stdin"],
  ];
  for (const [args, message] of cases) {
    assert.throws(() => parseArguments(args, kindOf), {
      name: "UsageError",
      message: `the instructions come first, and ${message}`,
    });
  }
  for (
    const args of [
      ["it's"],
      ["it's", "t.txt"],
      ["src", "missing"],
      ["Count errors", "t.txt"],
      ["Count errors", "missing"],
      ["-p", "Count", "t.txt", "missing"],
      ["-p", "t.txt"],
    ]
  ) {
    assert.equal(parseArguments(args, kindOf).kind, "run", args.join(" "));
  }
});

Deno.test("parseArguments says that the instructions are missing, where all that is there are files", () => {
  const kindOf = (path: string): PathKind => path.endsWith(".txt") ? "file" : "missing";
  for (const args of [["t.txt"], ["t.txt", "-"], ["t.txt", "u.txt"], ["-o", "o", "-v", "t.txt"]]) {
    assert.throws(() => parseArguments(args, kindOf), {
      name: "UsageError",
      message: "the instructions are missing, as 't.txt' is a file: give them first, or with -p",
    });
  }
  for (const args of [["-"], ["-", "t.txt"]]) {
    assert.throws(() => parseArguments(args, kindOf), {
      message:
        "the instructions are missing, as '-' is standard input: give them first, or with -p",
    });
  }
});

Deno.test("parseArguments says that instructions need quotes, where their words stand among the files", () => {
  const kindOf = (path: string): PathKind => path.endsWith(".txt") ? "file" : "missing";
  const cases: [string[], string][] = [
    [
      ["Count", "errors", "t.txt"],
      "'errors' is not a file, .* quotes: llmcmd 'Count errors' t.txt",
    ],
    [
      ["-v", "Say", "it's", "so.", "-m", "m"],
      "'it's' is not a file, .*: llmcmd -v 'Say it'\\\\''s so.' -m m",
    ],
    [["Count", "the", "lines", "u.csv"], "'the' is not a file, .*: llmcmd 'Count the lines' u.csv"],
  ];
  for (const [args, message] of cases) {
    assert.throws(() => parseArguments(args, kindOf), {
      name: "UsageError",
      message: new RegExp(`^${message}$`),
    }, args.join(" "));
  }
  for (
    const args of [
      ["Count", "missing"],
      ["Count", "missing.csv", "t.txt"],
      ["Count", "a/b", "t.txt"],
      ["Count", "-", "t.txt"],
      ["Count it", "all", "of", "t.txt"],
      ["-p", "Count", "the", "lines"],
    ]
  ) {
    assert.equal(parseArguments(args, kindOf).kind, "run", args.join(" "));
  }
});

Deno.test("parseArguments takes the other names of standard input for -", () => {
  for (const name of ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]) {
    assert.deepEqual(run("Do", "a", name, "/dev/fd/3").inputs, ["a", "-", "/dev/fd/3"]);
    assert.deepEqual(run("-p", `@${name}`).instructions, { file: "-" });
  }
});
