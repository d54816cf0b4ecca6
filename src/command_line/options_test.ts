import assert from "node:assert/strict";
import { formatHelp } from "./help.ts";
import { type CommandSpec, parseOptions, tryHelp, UsageError } from "./options.ts";

type Name = "lines" | "quiet" | "color" | "null" | "nullData" | "old";

const command: CommandSpec<Name> = {
  name: "demo",
  usage: ["[OPTION]... [FILE]...", "--only"],
  summary: "Does things. ".repeat(10).trim(),
  options: [
    {
      name: "lines",
      short: "n",
      long: "lines",
      argument: "required",
      argumentName: "NUM",
      help: "print NUM lines and so on ".repeat(4).trim(),
    },
    { name: "quiet", short: "q", long: ["quiet", "silent"], help: "say nothing" },
    { name: "color", long: "color", argument: "optional", argumentName: "WHEN", help: "colour" },
    { name: "null", short: "Z", long: "null", help: "NUL" },
    { name: "nullData", long: "null-data" },
  ],
  epilogue: "That is all.",
};

function items(args: string[], spec: CommandSpec<Name> = command): string[] {
  return Array.from(
    parseOptions(args, spec),
    (item) =>
      item.kind === "operand"
        ? `${item.value}@${item.index}${item.afterDashes ? " after --" : ""}`
        : `${item.name}${item.hasValue ? `=${item.value}` : ""} ${item.as}@${item.index}`,
  );
}

function error(args: string[]): string {
  try {
    items(args);
  } catch (caught) {
    if (caught instanceof UsageError) {
      return `${caught.problem} ${caught.option}: ${caught.message}`;
    }
    throw caught;
  }
  return "none";
}

Deno.test("parseOptions gives options and operands in the order of the command line", () => {
  assert.deepEqual(items(["a", "-qn5", "b", "-n", "7", "--lines=8", "--lines", "9", "--", "-q"]), [
    "a@0",
    "quiet -q@1",
    "lines=5 -n@1",
    "b@2",
    "lines=7 -n@3",
    "lines=8 --lines@5",
    "lines=9 --lines@6",
    "-q@9 after --",
  ]);
});

Deno.test("parseOptions takes abbreviations, and synonyms as one option", () => {
  assert.deepEqual(items(["--li=1", "--q", "--s", "--null", "--null-"]), [
    "lines=1 --lines@0",
    "quiet --quiet@1",
    "quiet --silent@2",
    "null --null@3",
    "nullData --null-data@4",
  ]);
});

Deno.test("parseOptions tells an optional argument that is empty from one that is missing", () => {
  assert.deepEqual(items(["--color", "--color=", "--color=x", "y"]), [
    "color --color@0",
    "color= --color@1",
    "color=x --color@2",
    "y@3",
  ]);
});

Deno.test("parseOptions takes a lone dash and what follows as operands or arguments", () => {
  assert.deepEqual(items(["-", "-n", "-", "-n", "--", "x"]), [
    "-@0",
    "lines=- -n@1",
    "lines=-- -n@3",
    "x@5",
  ]);
});

Deno.test("parseOptions stops at the first operand where POSIX demands it", () => {
  assert.deepEqual(items(["-q", "a", "-q"], { ...command, stopAtOperand: true }), [
    "quiet -q@0",
    "a@1",
    "-q@2 after --",
  ]);
});

Deno.test("parseOptions replaces obsolete words, but not arguments or what follows --", () => {
  const spec: CommandSpec<Name> = {
    ...command,
    obsolete: (word, index, args) =>
      word === "+2"
        ? { words: ["-n", args[index + 1] ?? ""], consumed: 2 }
        : /^-\d$/.test(word)
        ? ["-n", word.slice(1), "-q"]
        : undefined,
  };
  assert.deepEqual(items(["-5", "+2", "3", "-n", "-6", "a", "--", "-7"], spec), [
    "lines=5 -n@0",
    "quiet -q@0",
    "lines=3 -n@1",
    "lines=-6 -n@3",
    "a@5",
    "-7@7 after --",
  ]);
});

Deno.test("parseOptions fails in getopt's words", () => {
  assert.equal(error(["-x"]), "unknown -x: invalid option -- 'x'");
  assert.equal(error(["-\u00e9"]), "unknown -\u00e9: invalid option -- '\u00e9'");
  assert.equal(error(["--nope=1"]), "unknown --nope: unrecognized option '--nope=1'");
  assert.equal(
    error(["--nu"]),
    "ambiguous --nu: option '--nu' is ambiguous; possibilities: '--null' '--null-data'",
  );
  assert.equal(error(["-n"]), "missing-argument -n: option requires an argument -- 'n'");
  assert.equal(error(["--li"]), "missing-argument --lines: option '--lines' requires an argument");
  assert.equal(
    error(["--sil=1"]),
    "unexpected-argument --silent: option '--silent' doesn't allow an argument",
  );
  assert.equal(tryHelp("demo"), "Try 'demo --help' for more information.");
});

Deno.test("parseOptions is lazy: what comes before an error is given first", () => {
  const found = parseOptions(["-q", "-x"], command);
  assert.equal(found.next().done, false);
  assert.throws(() => found.next(), UsageError);
});

Deno.test("formatHelp shows the option table within 80 columns", () => {
  const help = formatHelp(command);
  assert.equal(
    help,
    `Usage: demo [OPTION]... [FILE]...
  or:  demo --only
Does things. Does things. Does things. Does things. Does things. Does things.
Does things. Does things. Does things. Does things.

  -n, --lines=NUM          print NUM lines and so on print NUM lines and so on
                           print NUM lines and so on print NUM lines and so on
  -q, --quiet, --silent    say nothing
      --color[=WHEN]       colour
  -Z, --null               NUL

That is all.
`,
  );
  assert.ok(help.split("\n").every((line) => line.length <= 80));
});
