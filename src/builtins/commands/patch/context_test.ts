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
const compare = Object.keys(files).flatMap((name) => [name, `${name}.rej`, `${name}.orig`]);
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
    "-f --reject-format=unified far",
    "-f --reject-format=context far",
    "--verbose f",
    "-o - f",
    "-f",
  ], {
    inputs: encoded({
      change,
      insertion,
      deletion,
      "all of them": change + insertion.slice(head.length - 15) + deletion,
      "old style": change.replace(" ****\n", "\n").replace("---- ", "--- "),
      "old style, sides left out": insertion.replace(" ****\n", "\n"),
      "to nothing": `${head}\n*** 1,2 ****\n- 1\n- 2\n--- 0 ----\n`,
      "from nothing": `*** /dev/null\n--- g\n***************\n*** 0 ****\n--- 1,2 ----\n+ a\n+ b\n`,
      "from nothing, in words": `${head}\n*** 0,0 ****\n--- 1 ----\n+ a\n`,
      "blank line between the sides": change.replace("--- 2,8", "\n--- 2,8"),
      "two blank lines": change.replace("--- 2,8", "\n\n--- 2,8"),
      "too few lines": change.replace("! 5\n", ""),
      "too many lines": change.replace("! 5\n", "! 5\n! 5.5\n"),
      "range without end": change.replace("2,8 ****", "2, ****"),
      "range backwards": change.replace("2,8 ****", "8,2 ****"),
      "no numbers": change.replace("2,8 ****", "****"),
      "sides that differ": change.replace("  7\n  8\n---", "  7\n! 8\n---"),
      "sides that differ, as many": change.replace("! five", "+ five"),
      "cut behind the old side": change.slice(0, change.indexOf("--- 2,8")),
      "cut in the new side": change.slice(0, change.indexOf("! five")),
      "cut in its last lines": change.slice(0, -12),
      "blank lines cut": `${head}\n*** 1,2 ****\n  1\n! 2\n--- 1,4 ----\n  1\n! two\n`,
      "stars within": change.replace("! five", "***************"),
      "a heading twice": change.replace("! five", "--- 2,8 ----"),
      "a mark for nothing": change.replaceAll("  4\n", "? 4\n"),
      "no space behind marks": change.replaceAll("! ", "!"),
      "tabs behind marks": change.replaceAll("! ", "!\t"),
      "spaces eaten": `${head}\n*** 1,3 ****\n  1\n\n! 3\n--- 1,3 ----\n  1\n\n! x\n`,
      "a number too large": change.replace("2,8 ****", "2,9223372036854775807 ****"),
      "expected, not there": `${head}\n*** 5 ****\n--- 6 ----\n+ new\n`,
      indented: change.replaceAll(/^/gm, "  ").slice(0, -2),
      "carriage returns": change.replaceAll("\n", "\r\n"),
      comments: change.replaceAll("  3\n", "# c\n  3\n"),
      "quoted in a mail": change.replaceAll(/^-/gm, "- -"),
      "two files": change + change.replace("*** f", "*** done").replace("--- g", "--- done"),
      "garbage behind": `${change}garbage\n`,
    }),
    files,
    compare,
  });
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

Deno.test("patch agrees with GNU on rejects in the style that is asked for", async () => {
  const unified = "--- f\n+++ f\n@@ -3,4 +3,5 @@ f()\n 3\n-4.\n+four\n+4\n 5\n 6.\n";
  await agree("patch", [
    "-f --reject-format=unified f",
    "-f --reject-format=context f",
    "-f --reject-format=c f",
    "-f --reject-format f",
    "-fR --reject-format=context f",
  ], {
    inputs: encoded({
      unified,
      "unified, several": `${unified}@@ -8,3 +9,2 @@\n 8\n-9.\n 10\n@@ -10 +11,2 @@\n 10.\n+11\n`,
      normal: "4c4\n< 4.\n---\n> four\n6d5\n< 6.\n7.a8\n> 8\n",
      context: change.replaceAll("  6\n", "  6.\n").replaceAll("  4\n", "  4.\n"),
    }),
    files,
    compare,
  });
});

Deno.test("patch applies ed scripts as ed does", async () => {
  await agree("patch", [
    "f",
    "-e f",
    "-u f",
    "-R f",
    "-b f",
    "--dry-run f",
    "--verbose f",
    "-o - f",
    "-o out f",
    "-s cut",
    "-s binary",
    "empty",
    "-E f",
    "new",
    "-f",
  ], {
    inputs: encoded({
      change: "5c\nfive\n.\n",
      "several, from the end": "9,10d\n5c\nfive\n5.5\n.\n2a\nb\n.\n0a\nfirst\n.\n",
      "a dot": "5c\n..\n.\ns/.//\na\nsix\n.\n",
      "without addresses": "a\nx\n.\n3d\nd\ni\ny\n.\n",
      "nothing put in": "2c\n.\nd\n2i\n.\nd\n2a\n.\nd\n",
      all: "1,10d\n",
      "beyond the end": "11d\n",
      "line 0": "0d\n",
      "before line 0": "0i\nx\n.\n",
      "instead of line 0": "0c\nx\n.\n",
      backwards: "3,2d\n",
      "characters of lines": "1,3s/.//\nd\n",
      "characters of empty lines": "1s/.//\ns/.//\n",
      "characters of more": "1a\n\u00e9\n.\ns/.//\n2a\n\xff\n.\n",
      "an end that is missing": "2a\nx\n",
      "a command that ed knows": "2d\nw other\n3d\n",
      "a shell's": "2a\nx\n.\n!touch x\n",
      "comments in the text": "2a\n# x\n.\n# y\n1d\n",
      "and a diff": "2d\n--- f\n+++ f\n@@ -1 +1 @@\n-1\n+x\n",
      "with a heading": "Index: f\n2d\n",
      "carriage returns": "2a\r\nx\r\n.\r\n",
    }),
    files: {
      f: bytes(ten),
      cut: bytes("1\n2\n3\n4\n5"),
      binary: bytes("a\0\n2\n3"),
      empty: bytes(""),
    },
    compare: ["f", "f.orig", "cut", "binary", "empty", "new", "out"],
  });
});

Deno.test("patch has a limit for the commands of an ed script, and names it", async () => {
  const run = runOurs("patch", { args: ["f"], stdin: bytes("1d\n".repeat(500_001)), files });
  await assert.rejects(run, {
    name: "LimitError",
    message: /more than 500000 commands; make a unified diff instead/,
  });
});

Deno.test("patch ends an ed script that goes back and forth with a limit that it names", async () => {
  const pairs = Array.from({ length: 30_000 }, (_, i) => `0a\nx\n.\n${2 * i + 3}a\ny\n.\n`);
  const stdin = bytes(pairs.join(""));
  await assert.rejects(runOurs("patch", { args: ["f"], stdin, files }), {
    name: "LimitError",
    message: /more than 50000000 steps between distant lines; make a unified diff instead/,
  });
});

Deno.test("patch ends where what looks like an ed script begins with no command of one", async () => {
  for (const heading of ["", "Index: f\n"]) {
    const stdin = bytes(`${heading}3d2\n0a\nb\n.\n`);
    const { stderr, status } = await runOurs("patch", { args: ["f"], stdin, files });
    const line = heading === "" ? 1 : 2;
    assert.deepEqual([stderr, status], [`patch: **** malformed patch at line ${line}: 3d2\n\n`, 2]);
  }
});

Deno.test("patch -e that meets no command of ed goes on behind the heading, as GNU's does", async () => {
  const { stdout, stderr, status, files: left } = await runOurs("patch", {
    args: ["-e"],
    stdin: bytes("3d2\n--- f\n1d\n.\n"),
    files: { f: bytes("a\nb\n") },
    compare: ["f"],
  });
  assert.deepEqual([latin1(stdout), stderr, status], ["", "", 0]);
  assert.equal(latin1(left["f"] ?? bytes("")), "b\n");
});

Deno.test("patch makes with the ed script of diff what diff compared with", async () => {
  const cases = [
    ["a\nb\nc\nd\ne\n", "a\n.\n..\nc\ne\nf\n"],
    ["a\nb\n", "b\nb\nb\n.\n.\na\n"],
    ["x\n".repeat(3000), "x\ny\n".repeat(2000)],
  ];
  for (const [a = "", b = ""] of cases) {
    const { stdout } = await runOurs("diff", {
      args: ["-e", "f", "g"],
      files: { f: bytes(a), g: bytes(b) },
    });
    const { files: after, status } = await runOurs("patch", {
      args: ["f"],
      stdin: stdout,
      files: { f: bytes(a) },
      compare: ["f"],
    });
    assert.deepEqual([status, latin1(after["f"] ?? bytes(""))], [0, b]);
  }
});
