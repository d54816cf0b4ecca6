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
import { readKnown } from "./fuzz/known.ts";
import { readTable } from "./fuzz/table.ts";

/** Cases of each command. */
const CASES = 25;

const known = readKnown(
  await Deno.readTextFile(new URL("../KNOWN_DIFFERENCES.md", import.meta.url)),
);

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

Deno.test("readKnown reads each entry and refuses what has not their form", () => {
  const ids = known.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  const entry = (json: string, reason: string): string =>
    `### one\n\n\`\`\`json\n${json}\n\`\`\`\n\n${reason}\n`;
  const whole = '{ "commands": ["a"], "aspects": ["stdout"], "word": "^-x" }';
  const [one] = readKnown(entry(whole, "Because."));
  assert.deepEqual(one, {
    id: "one",
    commands: ["a"],
    aspects: ["stdout"],
    word: /^-x/s,
    reason: "Because.",
  });
  assert.throws(() => readKnown(entry(whole, "")), SyntaxError);
  assert.throws(() => readKnown(entry('{ "commands": ["a"] }', "Because.")), SyntaxError);
  assert.throws(
    () => readKnown(entry('{ "commands": [], "aspects": [], "words": "x" }', "Because.")),
    /words is no condition/,
  );
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
