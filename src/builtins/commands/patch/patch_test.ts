import assert from "node:assert/strict";
import {
  agree,
  agreeOn,
  bytes,
  type Case,
  latin1,
  type Outcome,
  randomFrom,
  runOurs,
} from "../../_testing.ts";
import { testSeed } from "../../../streams/_testing.ts";
import { drain, MemorySink, memorySource } from "../../../streams/mod.ts";
import { Stage } from "../../run/stage.ts";

const seq = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => String(from + i));
const text = (lines: readonly string[]): ReturnType<typeof bytes> => bytes(lines.join("\n") + "\n");
const edit = (lines: readonly string[], changes: Readonly<Record<number, string>>): string[] =>
  lines.map((line, i) => changes[i + 1] ?? line);

const original = seq(1, 30);
const changed = edit(original, { 5: "five", 20: "twenty" });

async function diffOf(a: string, b: string, ...args: string[]): Promise<string> {
  const { stdout } = await runOurs("diff", {
    args: [...args, "f", "g"],
    files: { f: bytes(a), g: bytes(b) },
  });
  return latin1(stdout);
}

const before = original.join("\n") + "\n";
const after = changed.join("\n") + "\n";
const unified = await diffOf(before, after, "-u", "--label", "f", "--label", "g");
const dated = unified.replace("--- f", "--- f\t2026-01-02 03:04:05.000000000 +0000")
  .replace("+++ g", "+++ g\t2026-01-02 03:04:06.000000000 +0000");

const files = {
  f: text(original),
  g: text(["alpha"]),
  done: text(changed),
  shifted: text(["x", "y", ...original]),
  cut: text(original.slice(2)),
  "near 1": text(edit(original, { 2: "two", 23: "23." })),
  "near 2": text(edit(original, { 2: "two", 3: "three", 18: "18.", 22: "22." })),
  far: text(edit(original, { 4: "four", 6: "six" })),
  spaced: text(original.map((line) => `${line}  `)),
  twice: text([...original, ...original]),
  empty: bytes(""),
  open: bytes(before.slice(0, -1)),
  "a b": text(original),
};

const results = ["f", "f.orig", "f.rej", "out", "rejects", "done", "done.rej", "done.orig", "f~"];

Deno.test("patch agrees with GNU on common use", async () => {
  const inputs = {
    unified: bytes(unified),
    dated: bytes(dated),
    CRLF: bytes(unified.replaceAll("\n", "\r\n")),
    "with a mail around it": bytes(`Hello,\n\ndiff -u f g\n${unified}-- \nBye\n`),
    "names with folders": bytes(
      unified.replace("--- f", "--- a/f\tx").replace("+++ g", "+++ b/f\tx"),
    ),
    garbage: bytes("hello\n"),
    nothing: bytes(""),
    "cut short": bytes(unified.split("\n").slice(0, 6).join("\n") + "\n"),
    "blank lines lost": bytes(unified.split("\n").slice(0, 9).join("\n") + "\n"),
    malformed: bytes(unified.replace(" 6\n", "?6\n")),
  };
  await agree("patch", [
    "-f",
    "-p0 -f",
    "-p1 -f",
    "-f f",
    "-R -f f",
    "-N f",
    "-t f",
    "-s -f f",
    "--dry-run -f",
    "-f -o - f",
    "-f -r rejects done",
    "-N -r - done",
    "-N done",
    "-f done",
    "-t done",
    "-R -f done",
    "-R done",
    "-b -f f",
    "-b -z '~' -f f",
    "-p1 -t --dry-run",
    "-u -f f",
  ], { inputs, files, compare: results });
});

Deno.test("patch agrees with GNU on offsets, fuzz, rejects and wrong usage", async () => {
  const lines = [
    "shifted",
    "cut",
    "'near 1'",
    "'near 2'",
    "far",
    "spaced",
    "twice",
    "empty",
    "open",
    "'a b'",
    "g",
    "missing",
  ];
  await agree("patch", [
    ...lines.flatMap((file) => [`-f ${file}`, `-f -F0 ${file}`, `-f -F3 ${file}`]),
    "-l -f spaced",
    "-f -F1 'near 2'",
    "-f --no-backup-if-mismatch shifted",
    "--dry-run -f far",
    "-R -f -F3 far",
    "-s -f far",
    "-i p",
    "-i missing",
    "-o - 'a b' p",
    "-o f -f f p",
    "-b -f f p",
    "--backup .x f p",
    "f p -b .x",
    "-b -- f p",
    "f p",
    "f g h",
    "--nosuch",
    "-p x",
    "-F x f",
    "-p",
    "--re",
    "--fuzz=0 -f 'near 1'",
    "-E -f f",
    "-f --output=out shifted",
    "-f --reject-file=rejects far",
  ], {
    inputs: { dated: bytes(dated) },
    files: { ...files, p: bytes(unified) },
    compare: [
      ...results,
      ...Object.keys(files).flatMap((name) => [name, `${name}.orig`, `${name}.rej`]),
    ],
  });
});

Deno.test("patch creates files, and agrees with GNU about those that are there already", async () => {
  const create = "--- /dev/null\n+++ new\n@@ -0,0 +1,2 @@\n+a\n+b\n";
  const inputs = {
    create: bytes(create),
    "create two": bytes(create + create.replace("new", "new2")),
    "create and change": bytes(create + unified),
    "for an empty file": bytes(create.replace("/dev/null", "new")),
  };
  const compare = ["new", "new2", "new.orig", "new.rej", "f", "f.orig"];
  const lines = ["-f", "-t", "-N", "-p0 -f", "-f -o out", "-f --dry-run"];
  await agree("patch", lines, { inputs, compare, files: { f: text(original) } });
  await agree("patch", lines, { inputs, compare, files: { new: bytes("x\n"), f: text(original) } });
  await agree("patch", lines, { inputs, compare, files: { new: bytes(""), f: text(original) } });
});

Deno.test("patch asks nobody: it answers as GNU does without a terminal", async () => {
  const run = async (...args: string[]) => {
    const { stdout, stderr, status } = await runOurs("patch", {
      args,
      stdin: bytes(unified),
      files: { done: text(changed) },
    });
    return [latin1(stdout), stderr, status];
  };
  assert.deepEqual(await run("done"), [
    "patching file done\nReversed (or previously applied) patch detected!  Assume -R? [n] \n" +
    "Apply anyway? [n] \nSkipping patch.\n" +
    "2 out of 2 hunks ignored -- saving rejects to file done.rej\n",
    "",
    1,
  ]);
  assert.deepEqual(await run(), [
    "can't find file to patch at input line 3\n" +
    "Perhaps you should have used the -p or --strip option?\n" +
    "The text leading up to this was:\n--------------------------\n|--- f\n|+++ g\n" +
    "--------------------------\nFile to patch: \nSkip this patch? [y] \nSkipping patch.\n" +
    "2 out of 2 hunks ignored\n",
    "",
    1,
  ]);
});

Deno.test("patch leaves files alone that a patch names outside of the folder", async () => {
  for (const name of ["/f", "../f", "a/../f"]) {
    const { stdout, status, files } = await runOurs("patch", {
      args: ["-p0", "-f"],
      stdin: bytes(`--- ${name}\n+++ ${name}\n@@ -1 +1 @@\n-a\n+b\n`),
      files: { [name]: bytes("a\n") },
      compare: [name],
    });
    const told = `Ignoring potentially dangerous file name ${name}\n`;
    assert.equal(latin1(stdout).startsWith(`${told}can't find file to patch`), true, name);
    assert.equal(status, 1);
    assert.equal(latin1(files[name] ?? bytes("")), "a\n");
  }
});

Deno.test("patch removes what it empties, and agrees with GNU about when", async () => {
  const removal = "--- f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n";
  const creation = "--- /dev/null\n+++ n\n@@ -0,0 +1,2 @@\n+a\n+b\n";
  const emptying = removal.replace("/dev/null", "f");
  const time = (year: number) => `\t${year}-01-01 00:00:00.000000000 +0000\n`;
  const dated = emptying.replace("--- f\n", `--- f${time(2020)}`)
    .replace("+++ f\n", `+++ f${time(1970)}`);
  await agree("patch", [
    "",
    "f",
    "-b",
    "-b -z .bak",
    "-E",
    "-E -b -s",
    "-R",
    "-R -b",
    "-f",
    "-f -R -b",
    "-t",
    "-N",
    "--dry-run",
    "--dry-run -o out",
    "-o out",
    "-o - -E",
    "-F0",
  ], {
    inputs: {
      removal: bytes(removal),
      emptying: bytes(emptying),
      dated: bytes(dated),
      creation: bytes(creation),
      "and creation": bytes(`${removal}--- f\n+++ f\n@@ -0,0 +1 @@\n+z\n`),
      "creation and removal": bytes(creation.replace("+++ n", "+++ m") + removal),
      "of a part": bytes("--- f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n"),
      "of something else": bytes(removal.replace("-b", "-c")),
      elsewhere: bytes(removal.replace("-1,2", "-2,2")),
    },
    files: { f: bytes("a\nb\n"), n: bytes("a\nb\n") },
    compare: ["f", "f.orig", "f.bak", "f.rej", "n", "n.orig", "n.rej", "m", "m.orig", "out"],
  });
});

Deno.test("patch leaves an emptied file where files cannot be removed, and says so", async () => {
  const files = new Map([["f", "a\n"]]);
  const warnings: string[] = [];
  const stage = new Stage("patch", ["-s"], {
    stdin: memorySource("--- f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"),
    signal: new AbortController().signal,
    warn: (message) => void warnings.push(message),
    open: (name) => Promise.resolve(memorySource(files.get(name) ?? "")),
    create: (name) => {
      const sink = new MemorySink();
      files.set(name, "");
      return Promise.resolve({
        write: async (chunk) => {
          await sink.write(chunk);
          files.set(name, sink.text());
        },
        close: () => Promise.resolve(),
      });
    },
  });
  await drain(stage, new MemorySink());
  assert.deepEqual(warnings, ["patch: f: Files cannot be removed here; it is left empty"]);
  assert.equal(await stage.finished, 2);
  assert.equal(files.get("f"), "");
});

Deno.test("patch agrees with GNU on hunks without lines and on empty patches", async () => {
  const hunk = (heading: string, ...rest: string[]): string =>
    ["--- f", "+++ f", `@@ ${heading} @@`, ...rest, ""].join("\n");
  await agree("patch", ["-f", "-f f", "-o out f", "-o out", "-o - g", "-s -o out g"], {
    inputs: {
      "-1,0 +1,0": bytes(hunk("-1,0 +1,0")),
      "-0,0 +0,0": bytes(hunk("-0,0 +0,0")),
      "-0,0 +1,0": bytes(hunk("-0,0 +1,0", "text")),
      "-7,0 +12,0": bytes(hunk("-7,0 +12,0", "@@ -1 +1 @@", "-1", "+x")),
      "of context only": bytes(hunk("-1 +1", " 1")),
      empty: bytes(""),
    },
    files: { f: text(original) },
    compare: ["f", "f.orig", "f.rej", "out"],
    // For a hunk without changes, GNU patch shows a line that is not in the patch.
    normalise: (stderr) => stderr.replace(/(malformed patch at line \d+: )[^\n]*/, "$1"),
  });
});

Deno.test("patch agrees with GNU on patches that end in the middle of a line, and on -n and -u", async () => {
  const heading = "--- f\n+++ f\n";
  await agree("patch", [
    "-f f",
    "f",
    "-n f",
    "-u f",
    "-o - f",
    "-f missing",
    "-i nosuch='x'",
    "-f",
    "-o out -i nosuch",
  ], {
    inputs: {
      "normal, cut": bytes("1a2\n> x"),
      "normal, cut in its second part": bytes("1c1\n< 1\n---\n> x"),
      "normal, cut behind a hunk": bytes("1a2\n> x\n1a2"),
      "unified, cut": bytes(`${heading}@@ -1 +1 @@\n-1\n+x`),
      "unified, cut in its mark": bytes(`${heading}@@ -30 +30 @@\n-30\n+x\n\\ No`),
      "unified, cut in its blank lines": bytes(`${heading}@@ -1,3 +1,3 @@\n 1\n-2`),
      both: bytes(`${heading}@@ -1 +1 @@\n-1\n+x\n2a3\n> y\n`),
    },
    files: { f: text(original) },
    compare: ["f", "f.orig", "f.rej", "missing", "missing.orig", "out"],
    // GNU patch does not count the incomplete line.
    normalise: (stderr) => stderr.replace(/ at line \d+/, ""),
  });
});

Deno.test("patch says what it does not do", async () => {
  const run = async (patch: string, ...args: string[]) => {
    const { stderr, status } = await runOurs("patch", {
      args,
      stdin: bytes(patch),
      files: { f: bytes("a\n") },
    });
    return [stderr, status];
  };
  const git = "diff --git a/f b/f\nold mode 100644\nnew mode 100755\n";
  assert.deepEqual(await run(`${git}--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n`), [
    "patch: **** File modes are not supported (line 3): new mode 100755\n",
    2,
  ]);
  const deleted = "diff --git a/n b/n\ndeleted file mode 100755\nindex 1234567..0000000\n";
  assert.deepEqual(await run(`${deleted}--- a/n\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n`, "-R"), [
    "patch: **** File modes are not supported (line 2): deleted file mode 100755\n",
    2,
  ]);
  assert.deepEqual(await run("diff --git a/l b/l\nnew file mode 120000\n"), [
    "patch: **** Symbolic links and submodules are not supported (line 2): new file mode 120000\n",
    2,
  ]);
  for (const option of ["--merge", "-Dx", "-Bx", "-Yx", "-Vt", "--reject-format=context"]) {
    const name = /^--[a-z-]+|^-./.exec(option)?.[0];
    assert.deepEqual(await run("", option), [
      `patch: option '${name}' is not supported\n`,
      2,
    ]);
  }
  assert.deepEqual(await run("", "-b", ".x", "f", "p"), [
    "patch: p: extra operand\npatch: Try 'patch --help' for more information.\n",
    2,
  ]);
  assert.deepEqual(await run("Prereq: 17\n--- f\n+++ f\n@@ -1 +1 @@\n-a\n+b\n"), [
    "patch: **** Prereq: is not supported (line 1); compare the file's version yourself and remove " +
    "the line\n",
    2,
  ]);
  assert.deepEqual(await run("  --- f\n  +++ f\n  @@ -1 +1 @@\n  -a\n  +b\n", "f"), [
    "patch: **** Only garbage was found in the patch input.\n",
    2,
  ]);
});

/** Random files and an edited copy, as input for `diff`. */
function randomPair(random: () => number): [string, string, string] {
  const pick = (n: number): number => Math.floor(random() * n);
  const kinds = 2 + pick(30);
  const line = (): string => `line ${pick(kinds)}`;
  const mutate = (lines: readonly string[], edits: number): string[] => {
    const result = [...lines];
    for (; edits > 0; edits--) {
      result.splice(
        pick(result.length + 1),
        random() < 0.6 ? pick(3) : 0,
        ...Array.from({ length: pick(3) }, line),
      );
    }
    return result;
  };
  const a = Array.from({ length: 1 + pick(40) }, line);
  const join = (lines: readonly string[]): string =>
    lines.join("\n") + (lines.length > 0 && random() < 0.9 ? "\n" : "");
  return [join(a), join(mutate(a, 1 + pick(5))), join(mutate(a, pick(4)))];
}

Deno.test("patch makes of a file what diff compared it with, and back", async () => {
  const seed = testSeed();
  const random = randomFrom(seed);
  for (let i = 0; i < 150; i++) {
    const [a, b] = randomPair(random);
    const style = ["-u", "", "-U0", "-C0", "-c", "-C1"][i % 6] ?? "";
    const difference = await diffOf(a, b, ...style === "" ? [] : [style]);
    if (difference === "" || b === "" || a === "") continue;
    const there = await runOurs("patch", {
      args: ["-s", "f"],
      stdin: bytes(difference),
      files: { f: bytes(a) },
      compare: ["f"],
    }, random);
    const what = `seed ${seed}, case ${i}`;
    assert.deepEqual([there.stderr, there.status], ["", 0], what);
    assert.equal(latin1(there.files["f"] ?? bytes("")), b, what);
    const back = await runOurs("patch", {
      args: ["-sR", "f"],
      stdin: bytes(difference),
      files: { f: bytes(b) },
      compare: ["f"],
    }, random);
    assert.equal(latin1(back.files["f"] ?? bytes("")), a, what);
  }
});

Deno.test("patch keeps apart a last line without newline and what is inserted after it", async () => {
  const { stdout, status, files } = await runOurs("patch", {
    args: ["-f", "f"],
    stdin: bytes("--- f\n+++ g\n@@ -1,2 +1,3 @@\n a\n b\n+c\n"),
    files: { f: bytes("a\nb") },
    compare: ["f"],
  });
  assert.deepEqual(
    [latin1(stdout), status],
    ["patching file f\nHunk #1 succeeded at 1 with fuzz 2.\n", 0],
  );
  assert.equal(latin1(files["f"] ?? bytes("")), "a\nb\nc\n");
});

Deno.test("patch does to changed files what GNU does", async () => {
  // The seed is fixed because these cases are recorded.
  const random = randomFrom(1);
  const cases: Case[] = [];
  for (let i = 0; i < 280; i++) {
    const [a, b, c] = randomPair(random);
    const style = [["-u"], [], ["-U1"], ["-c"], ["-U0"], ["-C1"], ["-C2"]][i % 7] ?? [];
    const isUnified = style[0]?.startsWith("-u") === true || style[0]?.startsWith("-U") === true;
    const difference = await diffOf(a, b, ...style, "--label", "f", "--label", "g");
    cases.push({
      args: [["-f"], ["-fR"], ["-f", "-F0"], ["-t"], ["-N"], ["-f", "-l"]][i % 6] ?? [],
      stdin: bytes(difference),
      files: { f: bytes(c) },
      // Rejects of other styles are unified, too.
      compare: ["f", "f.orig", ...isUnified ? ["f.rej"] : []],
    });
  }
  for (const test of cases) (test.args as string[]).push("f");
  // Our rejects note a missing newline, GNU's don't.
  const except = ({ files }: Outcome): boolean =>
    latin1(files["f.rej"] ?? bytes("")).includes("\\ No newline");
  await agreeOn("patch", cases, { except });
});
