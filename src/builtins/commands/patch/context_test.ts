import assert from "node:assert/strict";
import { agree, bytes, latin1, runOurs } from "../../_testing.ts";

const ten = Array.from({ length: 10 }, (_, i) => `${i + 1}\n`).join("");
const files = {
  f: bytes(ten),
  done: bytes(ten.replace("5", "five")),
  shifted: bytes(`x\ny\n${ten}`),
  near: bytes(ten.replace("3", "three")),
  far: bytes(ten.replace("4", "four").replace("6", "six")),
  cut: bytes("4\n5\n"),
  empty: bytes(""),
  crlf: bytes(ten.replaceAll("\n", "\r\n")),
};
const compare = Object.keys(files).flatMap((name) => [name, `${name}.orig`]);
const encoded = (
  texts: Readonly<Record<string, string>>,
): Record<string, ReturnType<typeof bytes>> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, bytes(text)]));
const head = "*** f\n--- g\n***************";
const change = `${head}
*** 2,8 ****
  2
  3
  4
! 5
  6
  7
  8
--- 2,8 ----
  2
  3
  4
! five
  6
  7
  8
`;
const insertion = `${head} f()
*** 4,6 ****
--- 4,7 ----
  4
  5
+ new
  6
`;
const deletion = `${head}
*** 4,6 ****
  4
- 5
  6
--- 4,5 ----
`;

Deno.test("patch agrees with GNU on context diffs", async () => {
  await agree("patch", [
    "f",
    "-R f",
    "-c f",
    "-n f",
    "-u f",
    "-f done",
    "-N done",
    "-t done",
    "shifted",
    "-f near",
    "-f -F0 near",
    "-f far",
    "-f cut",
    "-f empty",
    "-f -l f",
    "-f crlf",
    "-f --binary crlf",
    "-f missing",
    "-o - f",
    "-f",
  ], {
    inputs: encoded({
      change,
      insertion,
      deletion,
      "old style": change.replace(" ****\n", "\n").replace("---- ", "--- "),
      "old style, sides left out": insertion.replace(" ****\n", "\n"),
      "to nothing": `${head}\n*** 1,2 ****\n- 1\n- 2\n--- 0 ----\n`,
      "from nothing": `*** /dev/null\n--- g\n***************\n*** 0 ****\n--- 1,2 ----\n+ a\n+ b\n`,
      "tabs behind marks": change.replaceAll("! ", "!\t"),
      "spaces eaten": `${head}\n*** 1,3 ****\n  1\n\n! 3\n--- 1,3 ----\n  1\n\n! x\n`,
      "expected, not there": `${head}\n*** 5 ****\n--- 6 ----\n+ new\n`,
      "carriage returns": change.replaceAll("\n", "\r\n"),
      comments: change.replaceAll("  3\n", "# c\n  3\n"),
      "garbage behind": `${change}garbage\n`,
    }),
    files,
    compare,
  });
});

Deno.test("patch refuses context diffs that are malformed, and changes nothing", async () => {
  const malformed = {
    "too few lines": change.replace("! 5\n", ""),
    "too many lines": change.replace("! 5\n", "! 5\n! 5.5\n"),
    "two blank lines between the sides": change.replace("--- 2,8", "\n\n--- 2,8"),
    "no space behind marks": change.replaceAll("! ", "!"),
    "range backwards": change.replace("2,8 ****", "8,2 ****"),
    "no numbers": change.replace("2,8 ****", "****"),
    "sides that differ": change.replace("  7\n  8\n---", "  7\n! 8\n---"),
    "sides that differ, as many": change.replace("! five", "+ five"),
    "cut behind the old side": change.slice(0, change.indexOf("--- 2,8")),
    "cut in the new side": change.slice(0, change.indexOf("! five")),
    "stars within": change.replace("! five", "***************"),
    "a heading twice": change.replace("! five", "--- 2,8 ----"),
    "a mark for nothing": change.replaceAll("  4\n", "? 4\n"),
    "a number too large": change.replace("2,8 ****", "2,9223372036854775807 ****"),
  };
  for (const [name, patch] of Object.entries(malformed)) {
    const { stderr, status, files: after } = await runOurs("patch", {
      args: ["f"],
      stdin: bytes(patch),
      files,
      compare: ["f"],
    });
    assert.match(stderr, /^patch: \*{4} [^]*line \d+|end of file/, name);
    assert.deepEqual([status, latin1(after["f"] ?? bytes(""))], [2, ten], name);
  }
});

Deno.test("patch reads of a context diff that a last line lacks its newline", async () => {
  await agree("patch", ["f", "-c f", "-f missing", "--dry-run f"], {
    inputs: encoded({
      "last line without newline": `${head}
*** 9,10 ****
  9
! 10
--- 9,10 ----
  9
! ten
\\ No newline at end of file
`,
    }),
    files,
    compare: ["f", "missing"],
  });
});

Deno.test("patch rejects hunks as a unified diff, whatever the style of the patch is", async () => {
  const rejects = async (patch: string, ...args: string[]): Promise<string> => {
    const { files: after, status } = await runOurs("patch", {
      args: ["-f", ...args, "f"],
      stdin: bytes(patch),
      files,
      compare: ["f", "f.rej"],
    });
    assert.deepEqual([status, latin1(after["f"] ?? bytes(""))], [1, ten]);
    return latin1(after["f.rej"] ?? bytes(""));
  };
  assert.equal(
    await rejects(change.replaceAll("  4\n", "  4.\n").replaceAll("  6\n", "  6.\n")),
    "--- f\n+++ g\n@@ -2,7 +2,7 @@\n 2\n 3\n 4.\n-5\n+five\n 6.\n 7\n 8\n",
  );
  assert.equal(
    await rejects("4c4\n< 4.\n---\n> four\n6d5\n< 6.\n"),
    "--- /dev/null\n+++ /dev/null\n@@ -4 +4 @@\n-4.\n+four\n@@ -6 +5,0 @@\n-6.\n",
  );
  const heading = "--- f\n+++ f\n";
  const unified = "@@ -9,2 +9,3 @@ f()\n 9\n-ten\n\\ No newline at end of file\n+10.\n+11\n";
  assert.equal(await rejects(heading + unified), heading + unified);
  assert.equal(
    await rejects(heading + unified, "-R"),
    `${heading}@@ -9,3 +9,2 @@ f()\n 9\n-10.\n-11\n+ten\n\\ No newline at end of file\n`,
  );
});

Deno.test("patch refuses ed scripts, and changes nothing", async () => {
  const run = async (patch: string, ...args: string[]): Promise<readonly unknown[]> => {
    const { stdout, stderr, status, files: after } = await runOurs("patch", {
      args,
      stdin: bytes(patch),
      files,
      compare: ["f"],
    });
    assert.equal(latin1(after["f"] ?? bytes("")), ten);
    return [latin1(stdout), stderr, status];
  };
  const refused = (line: number): readonly unknown[] => [
    "",
    `patch: **** ed scripts are not supported (line ${line}); use a unified, context or git diff\n`,
    2,
  ];
  assert.deepEqual(await run("5c\nfive\n.\n", "f"), refused(1));
  assert.deepEqual(await run("9,10d\n", "f"), refused(1));
  assert.deepEqual(await run("1,3s/.//\n", "f"), refused(1));
  assert.deepEqual(await run("text\n0a\r\nfirst\r\n.\r\n", "f"), refused(2));
  assert.deepEqual(await run("--- f\n+++ f\n5c\nfive\n.\n"), refused(3));
  assert.deepEqual(await run("3d2\n0a\nb\n.\n", "f"), refused(2));
  assert.deepEqual(await run("5c\nfive\n.\n"), [
    "",
    "patch: **** Only garbage was found in the patch input.\n",
    2,
  ]);
  assert.deepEqual(await run("5c\nfive\n.\n", "-e", "f"), [
    "",
    "patch: option '-e' is not supported: use a unified, context or git diff\n",
    2,
  ]);
});

Deno.test("patch refuses an ed script behind a diff, which it has applied", async () => {
  const { stdout, stderr, status } = await runOurs("patch", {
    args: ["f"],
    stdin: bytes(`${change}9d\n`),
    files,
  });
  assert.deepEqual([latin1(stdout), stderr, status], [
    "patching file f\n",
    "patch: **** ed scripts are not supported (line 20); use a unified, context or git diff\n",
    2,
  ]);
});
