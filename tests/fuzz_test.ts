// Tests the parts of the fuzzer. Only `deno task fuzz` compares with tools of the machine.
import assert from "node:assert/strict";
import type { FuzzCase } from "./fuzz/case.ts";
import { readKnown, readKnownFile } from "./fuzz/known.ts";
import { smaller } from "./fuzz/shrink.ts";
import { readTable } from "./fuzz/table.ts";

Deno.test("smaller leaves out words, files and input, first what makes the most difference", () => {
  const data = new TextEncoder().encode("a b\nc d\n");
  const test: FuzzCase = {
    command: "sort",
    parts: [["-u"], ["-k", "1,2"]],
    stdin: data,
    seekable: false,
    files: { f: data },
  };
  const cases = [...smaller(test, false)];
  assert.deepEqual(cases.slice(0, 2).map(({ parts }) => parts), [[["-k", "1,2"]], [["-u"]]]);
  assert.deepEqual(cases[2]?.files, {});
  const inputs = cases.map(({ stdin }) => new TextDecoder().decode(stdin));
  assert.deepEqual(inputs.slice(3, 6), ["", "c d\n", "a b\n"]);
  assert.ok(cases.some(({ seekable }) => seekable));
  // Words are cut only on request.
  const words = (all: readonly FuzzCase[]): string[] => all.flatMap(({ parts }) => parts.flat());
  assert.ok(!words(cases).includes("1,"));
  assert.ok(words([...smaller(test, true)]).includes("1,"));
});

Deno.test("readKnown reads entries and refuses a list that has not their form", () => {
  const entry = {
    id: "one",
    commands: ["a"],
    aspects: ["stdout"],
    word: "^-x",
    reason: "Because.",
  };
  assert.deepEqual(readKnown(JSON.stringify([entry])), [{ ...entry, word: /^-x/s }]);
  const { reason: _, ...withoutReason } = entry;
  const wrong: [unknown, RegExp][] = [
    [{ entries: [] }, /expected array/],
    [[withoutReason], /at \[0\]\.reason/],
    [[{ ...entry, reason: "" }], /at \[0\]\.reason/],
    [[{ ...entry, words: "^-x" }], /"words"/],
    [[{ ...entry, aspects: ["output"] }], /at \[0\]\.aspects\[0\]/],
    [[{ ...entry, word: "(" }], /Invalid regular expression.*\n.*at \[0\]\.word/],
    [[entry, entry], /two entries with the id one/],
  ];
  for (const [list, message] of wrong) {
    assert.throws(() => readKnown(JSON.stringify(list)), { name: "SyntaxError", message });
  }
  assert.throws(() => readKnown("### one"), SyntaxError);
});

Deno.test("readTable reads the rows of a help text", () => {
  const help = "Usage: x [OPTION]...\n\n  -n, --lines=[+]NUM       text --with options\n" +
    "      --color[=WHEN]       text\n  -q, --quiet, --silent    text\n  -C NUM                   text\n" +
    "  -a                       text\n";
  assert.deepEqual(readTable(help), [
    { short: "n", longs: ["lines"], takes: "required", argumentName: "[+]NUM" },
    { short: undefined, longs: ["color"], takes: "optional", argumentName: "WHEN" },
    { short: "q", longs: ["quiet", "silent"], takes: "none", argumentName: "" },
    { short: "C", longs: [], takes: "required", argumentName: "NUM" },
    { short: "a", longs: [], takes: "none", argumentName: "" },
  ]);
});

Deno.test("readKnownFile reads the list of known differences", async () => {
  const known = await readKnownFile();
  assert.ok(known.length > 0);
  assert.ok(known.every(({ commands }) => commands.length > 0));
});
