import assert from "node:assert/strict";
import { DEMO, WATCH } from "./_testing.ts";
import { readCommand, UsageError } from "./mod.ts";

Deno.test("readCommand gives every option's usual value where it is not given", () => {
  const { options, given } = readCommand([], DEMO);
  assert.deepEqual(options, {
    count: 3,
    output: undefined,
    name: undefined,
    kind: "a",
    input: [],
    quiet: false,
    help: false,
  });
  assert.deepEqual(given, []);
});

Deno.test("readCommand reads arguments: the last one counts, but all of an option that repeats", () => {
  const { options } = readCommand(
    ["-n5", "--count=7", "-i", "x", "--kind", "b", "--input=y", "-qo", "out", "--name=n"],
    DEMO,
  );
  const count: number = options.count;
  const kind: "a" | "b" | "c" = options.kind;
  const input: readonly string[] = options.input;
  assert.deepEqual([count, kind, input, options.quiet], [7, "b", ["x", "y"], true]);
  assert.deepEqual([options.output, options.name], ["out", "n"]);
});

Deno.test("readCommand gives options and operands in the order in which they stand", () => {
  const { given } = readCommand(["a", "-i", "b", "--", "-q"], DEMO);
  assert.deepEqual(given.map((item) => [item.kind, item.value]), [
    ["operand", "a"],
    ["option", "b"],
    ["operand", "-q"],
  ]);
});

Deno.test("readCommand looks at nothing behind an option that ends it", () => {
  assert.equal(readCommand(["-h", "--nonsense", "-n", "x"], DEMO).options.help, true);
});

Deno.test("readCommand does not share the arguments of one command line with the next", () => {
  readCommand(["-i", "x"], DEMO);
  assert.deepEqual(readCommand(["-i", "y"], DEMO).options.input, ["y"]);
});

Deno.test("readCommand says what is wrong, and what was meant", () => {
  const cases: [string[], string][] = [
    [["-n", "x"], "-n is 'x'"],
    [["--kind=d"], "no kind 'd': give a, b or c"],
    [["--kind=toString"], "no kind 'toString': give a, b or c"],
    [["-o", ""], "the argument of '-o' is empty"],
    [["--input="], "the argument of '--input' is empty"],
    [["--name=a", "--name=b"], "option '--name' was given twice: join them"],
    [["--ouptut=x"], "unrecognized option '--ouptut=x'; did you mean '--output'?"],
    [["--OUTPUT=x"], "unrecognized option '--OUTPUT=x'; did you mean '--output'?"],
    [["--frobnicate"], "unrecognized option '--frobnicate'"],
    [["-x"], "invalid option -- 'x'"],
    [["-o"], "option requires an argument -- 'o'"],
  ];
  for (const [args, message] of cases) {
    assert.throws(() => readCommand(args, DEMO), { name: "UsageError", message }, args.join(" "));
  }
  assert.throws(
    () => readCommand(["here"], WATCH),
    new UsageError("unexpected operand 'here': give folders with --dir"),
  );
});
