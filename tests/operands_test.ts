/**
 * Everyday tasks on several files, in which commands name descriptors, through the whole command.
 */
import assert from "node:assert/strict";
import { Bench, call, step } from "./_cli.ts";

const pipe = (cmd: string, more: Record<string, unknown> = {}) =>
  call("pipe", { cmd, out_fd: 1, ...more });
const exit = (code = 0) => call("exit", { code });

const OLD = "1,ann\n2,bob\n3,cy\n";
const NEW = "1,ann\n2,bea\n3,cy\n";
const AGES = "3,30\n1,41\n";
const DIFF = "--- old.csv\n+++ sub/new.csv\n@@ -1,3 +1,3 @@\n 1,ann\n-2,bob\n+2,bea\n 3,cy\n";

/** The model's calls, and the output; inputs are old.csv, sub/new.csv, ages.csv, the diff. */
const TASKS: readonly [
  name: string,
  calls: readonly ReturnType<typeof call>[],
  stdout: string,
  more?: { code?: number; stderr?: RegExp },
][] = [
  ["compare two files", [pipe("diff -u old.csv sub/new.csv")], DIFF],
  ["join on a key", [
    call("pipe", { cmd: "sort /dev/fd/5" }),
    pipe("join -t, old.csv /dev/fd/8"),
  ], "1,ann,41\n3,cy,30\n"],
  ["lines of one that the other lacks", [pipe("comm -13 old.csv sub/new.csv")], "2,bea\n"],
  [
    "columns side by side",
    [pipe("cut -d, -f2 ages.csv | paste -d, - old.csv")],
    "30,1,ann\n41,2,bob\n,3,cy\n",
  ],
  ["only keys of a list", [
    call("pipe", { cmd: "sed 's/,.*/,/;s/^/^/' ages.csv" }),
    pipe("grep -f /dev/fd/8 new.csv"),
  ], "1,ann\n3,cy\n"],
  ["apply a change", [pipe("patch old.csv", { in_fd: 6 })], NEW],
  [
    "merge without duplicates",
    [pipe("sort -u old.csv new.csv ages.csv")],
    "1,41\n1,ann\n2,bea\n2,bob\n3,30\n3,cy\n",
  ],
  ["align columns", [pipe("column -t -s, old.csv")], "1  ann\n2  bob\n3  cy\n"],
  ["random order", [pipe("shuf old.csv | sort")], OLD],
  ["order by random keys", [pipe("sort -R old.csv old.csv | uniq -c | wc -l")], "3\n"],
  ["a random number", [pipe("shuf -i 7-7 -n 1")], "7\n"],
  ["another encoding", [pipe("iconv -t UTF-16BE old.csv | iconv -f UTF-16BE")], OLD],
  ["a shuffled file to write", [pipe("shuf -o old.csv old.csv")], "", {
    code: 1,
    stderr: /shuf: old\.csv: Commands write no files: what they print goes to out_fd/,
  }],
  ["a file that is not open", [pipe("diff old.csv secret.csv"), pipe("cat secret.csv")], "", {
    code: 1,
    stderr: /cat: secret\.csv: No input has this name, and nothing else can be opened; there are/,
  }],
  ["a file to write", [pipe("sort -o old.csv old.csv")], "", {
    code: 1,
    stderr: /sort: old\.csv: Commands write no files: what they print goes to out_fd/,
  }],
];

Deno.test("llmcmd works on several files that commands name, and on no others", async (t) => {
  await using bench = await Bench.open([
    ...TASKS.map(([name, calls]) => ({
      name,
      trigger: `Do: ${name}`,
      steps: [...calls.map((one) => step(one)), step(exit()), step(exit())],
    })),
  ]);
  await Deno.mkdir(`${bench.folder}/sub`);
  await bench.write("old.csv", OLD);
  await bench.write("sub/new.csv", NEW);
  await bench.write("ages.csv", AGES);
  await bench.write("a diff", DIFF);
  await bench.write("secret.csv", "secret\n");
  const files = ["old.csv", "sub/new.csv", "ages.csv", "a diff"];
  const runs = await bench.runAll(
    TASKS.map(([name]) => ({ args: [`Do: ${name}`, ...files] })),
  );
  for (const [index, [name, , stdout, { code = 0, stderr } = {}]] of TASKS.entries()) {
    await t.step(name, () => {
      const run = runs[index] ?? assert.fail();
      assert.deepEqual([run.code, run.stdout], [code, stdout], run.stderr);
      if (stderr === undefined) assert.equal(run.stderr, "");
      else assert.match(run.stderr, stderr);
    });
  }
  assert.equal(await bench.read("old.csv"), OLD);
  assert.deepEqual(bench.names(), ["a diff", "ages.csv", "old.csv", "secret.csv", "sub"]);
});

Deno.test("llmcmd names standard input and what a shell substitutes, as often as wanted", async () => {
  const steps = [
    step(pipe("diff - /dev/fd/3", { in_fd: 0 }), pipe("comm -12 /dev/fd/0 /dev/fd/3")),
    step(exit()),
  ];
  await using bench = await Bench.open([{ name: "streams", trigger: "Compare", steps }]);
  const run = await bench.sh(
    `printf 'a\\nb\\n' | llmcmd_with --allow-all -- Compare <(printf 'b\\nc\\n')`,
  );
  assert.deepEqual([run.code, run.stdout, run.stderr], [0, "1d0\n< a\n2a2\n> c\nb\n", ""]);
});
