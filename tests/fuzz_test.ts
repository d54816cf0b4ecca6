/**
 * A short run of the fuzzer over every command that the system has, too. `FUZZ_SEED` chooses other
 * cases; `deno run -A tests/fuzz/main.ts` goes on for longer.
 */
import assert from "node:assert/strict";
import { Random } from "../src/regex/_testing.ts";
import { isBuiltinName } from "../src/builtins/mod.ts";
import { commands } from "./fuzz/commands.ts";
import { Fuzzer, report } from "./fuzz/fuzzer.ts";
import { hasTool } from "./fuzz/gnu.ts";
import { readKnown, readKnownFile } from "./fuzz/known.ts";
import { readTable } from "./fuzz/table.ts";

/** Cases of each command. */
const CASES = 25;

const known = await readKnownFile();

Deno.test("random commands do what GNU's do, but for the known differences", async (t) => {
  const seed = Number(Deno.env.get("FUZZ_SEED") ?? 1);
  console.log(`seed ${seed}`);
  for (const command of Object.keys(commands).filter(isBuiltinName)) {
    await t.step(command, async () => {
      await using fuzzer = await Fuzzer.of(command, known, seed);
      if (fuzzer === undefined) {
        console.log(`SKIPPED: there is no ${command} on this machine`);
        return;
      }
      const random = new Random(seed);
      await fuzzer.batch(Array.from({ length: CASES }, () => random.int(2 ** 31)));
      const { findings, runs } = fuzzer.tally;
      assert.equal(runs, CASES);
      assert.equal(findings.map(report).join("\n"), "");
    });
  }
});

Deno.test("Fuzzer finds a difference that is not listed and makes its case small", async () => {
  if (!await hasTool("sort")) {
    console.log("SKIPPED: there is no sort on this machine");
    return;
  }
  await using fuzzer = await Fuzzer.of("sort", [], 1);
  await fuzzer?.check({
    command: "sort",
    parts: [["-u"], ["-k", "1,2"], ["-R"]],
    stdin: new TextEncoder().encode("a b\nc d\nb\n"),
    seekable: true,
    files: { f: new TextEncoder().encode("a b\nc d\nb\n") },
  }, 1);
  const [finding] = fuzzer?.tally.findings ?? [];
  // Ours refuses random order. Nothing else is needed to see it.
  assert.deepEqual(finding?.test.parts.flat(), ["-R"]);
  assert.deepEqual(finding?.test.files, {});
  assert.match(report(finding), /sort -R/);
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
