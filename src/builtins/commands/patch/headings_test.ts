import assert from "node:assert/strict";
import { agree, bytes, runOurs } from "../../_testing.ts";

const original = Array.from({ length: 30 }, (_, i) => `${i + 1}\n`).join("");
const results = ["f", "f.orig", "f.rej", "out"];

Deno.test("patch agrees with GNU on headings, wrapped patches and misordered hunks", async () => {
  const hunk = "@@ -5 +5 @@ int f(void)\n-5\n+five\n";
  const wrong = "@@ -5 +5 @@ int f(void)\n-?\n+!\n";
  const heading = "--- f\n+++ f\n";
  const indented = (by: string, text: string): string => text.replace(/^(?=.)/gm, by);
  const time = (year: number): string => `\t${year}-01-01 00:00:00 +0000`;
  await agree("patch", [
    "",
    "f",
    "-p0 -f",
    "-f f",
    "-R -f f",
    "-n",
    "-n -f f",
    "-n -u f",
    "-u -n f",
    "-s -f",
    "-N --verbose f",
    "--verbose -p0",
    "--binary -f f",
    "-l -f f",
    "-t -b -o out f",
  ], {
    inputs: {
      "text behind @@": bytes(heading + wrong),
      "added before removed": bytes(`${heading}@@ -5,2 +5,2 @@\n+x\n-5\n+y\n-7\n`),
      "comments": bytes(
        `# one\n${heading}# two\n@@ -5 +5 @@\n# three\n-5\n#\n+?\n# end\n@@ -9 +9 @@\n-9\n`,
      ),
      indented: bytes(`text\n${indented("  ", heading + hunk)}`),
      "indented by tabs and X": bytes(indented("X\tX", heading + hunk + wrong)),
      "RFC 934": bytes(`- --- f${time(2020)}\n+++ f\n@@ -5 +5 @@\n- -5\n+x\n`),
      "RFC 934, without a time": bytes("- --- f\t\n+++ f\n@@ -5 +5 @@\n- -5\n+x\n"),
      "no space before +0": bytes("--- f\n+++ f\n@@ -1+0,0 @@\n-1\n"),
      "blank lines outside of the file": bytes(
        "--- f\n+++ f\n@@ -1 +0,0 @@\n-1\n@@ -1 +0,0 @@\n-\n@@ -30,2 +30 @@\n 30\n-  \n",
      ),
      "equals signs for context": bytes(`${heading}@@ -4,2 +4,2 @@\n=4\n-5\n+x\n`),
      "names that are quoted": bytes(`--- "f"\n+++ "\\146"\n${hunk}`),
      "names with spaces": bytes(`--- a b\t2020\n+++ a b\t2020\n${hunk}`),
      "a bad name behind a good one": bytes(`Index: f\n--- "x\n+++ "\\x"\n${hunk}`),
      "Index and names": bytes(`Index: g\n${heading}${wrong}`),
      "Index alone": bytes(`Index: f\n${wrong}`),
      "Index with a tab": bytes(`Index: f\tx\n${wrong}`),
      "heading of a normal diff": bytes(`--- a/f\n+++ b/g\n5c5\n< ?\n---\n> x\n`),
      "normal diff with tabs": bytes("5c5\n<\t5\n---\n>\tx\n"),
      "normal diff without spaces": bytes("5c5\n< 5\n---\n>x\n"),
      "normal diff, wrong": bytes("5,3c5\n< 5\n---\n> x\n".replace("5,3", "5") + "7x\n"),
      "normal diff, other forms": bytes("5,6a7\n< 5\n< 6\n> x\n"),
      "a command before text": bytes("3d2\ntext\n< 3\n3d2\n< 3\n"),
      "too great": bytes(`${heading}@@ -5 +${"9".repeat(20)} @@\n-5\n+x\n`),
      "nearly too great": bytes(`${heading}@@ -9223372036854775807 +5 @@\n-5\n+x\n`),
      misordered: bytes(heading + hunk.repeat(2) + hunk.replaceAll("5", "2")),
      "misordered insertion": bytes(`${heading}${hunk}@@ -2,0 +2 @@\n+x\n`),
      "CR LF in the patch": bytes(`${heading}${wrong.replaceAll("\n", "\r\n")}`),
      "CR LF in the last heading": bytes(`--- f\n+++ f\r\n${hunk.replaceAll("\n", "\r\n")}`),
      "removed, epoch": bytes(`--- f${time(2020)}\n+++ f${time(1970)}\n@@ -1 +0,0 @@\n-1\n`),
      "removed, ctime": bytes(
        `--- f\tWed Jan  1 00:00:00 2020\n+++ f\tThu Jan  1 00:00:00 1970\n@@ -1 +0,0 @@\n-1\n`,
      ),
      "removed, a day": bytes("--- f\t69-12-31\n+++ f\t1970-01-01\n@@ -1 +0,0 @@\n-1\n"),
      "NULs": bytes(
        `--- f\\0x\n+++ f\n@@ -5 +5 @@ a\\0b\n-?\n+x\n@@ -\\0 @@\n`.replaceAll("\\0", "\0"),
      ),
      "a folder": bytes(`--- .\n+++ .\n${hunk}`),
    },
    files: { f: bytes(original), g: bytes(original), "a b": bytes(original) },
    compare: [...results, "g", "g.orig", "g.rej", "a b", "a b.orig", "a b.rej"],
  });
  await agree("patch", [".", "-f .", "-o out ."], {
    inputs: { unified: bytes(heading + hunk), empty: bytes("") },
    files: { f: bytes(original) },
    compare: results,
  });
});

Deno.test("patch agrees with GNU on what git writes before hunks, or without any", async () => {
  const git = (...lines: string[]): string => ["diff --git a/f b/f", ...lines, ""].join("\n");
  const hunk = ["--- a/f", "+++ b/f", "@@ -1,2 +1,2 @@", "-a", "+x", " b"];
  await agree(
    "patch",
    ["", "-p1", "-p1 -b", "-p1 -R", "f", "-p1 --verbose", "-p1 -f -s", "-p1 -E", "-t f", "-p1 -t"],
    {
      inputs: {
        "of a new file": bytes(
          git("new file mode 100644", "index 0000000..e69de29").replaceAll("/f", "/n"),
        ),
        "of a new file that is there": bytes(git("new file mode 100644", "index 0000000..e69de29")),
        "of a removed file": bytes(
          git("deleted file mode 100644", "index e69de29..0000000").replaceAll("/f", "/empty"),
        ),
        "of a removed file that is not empty": bytes(
          git("deleted file mode 100755", "index e69de29..0000000"),
        ),
        "of a new file that is there, then of changes": bytes(
          git("new file mode 100644", "index 0000000..e69de29") +
            git("new file mode 100644", ...hunk),
        ),
        "with the mode that stays": bytes(git("index 1234567..89abcde 100755", ...hunk)),
        "with equal modes": bytes(git("old mode 100644", "new mode 100644", ...hunk)),
        "of two files": bytes(git("index 1234567..89abcde 100644") + git(...hunk)),
        "without names": bytes(git("index 1234567..89abcde 100644", ...hunk.slice(2))),
        "without hunks, but a command": bytes(
          "diff --git a/f b/f\nindex 0..9\n c\ndiff --git a/f b/f\n",
        ),
        "with wrong hunks": bytes("diff --git a/f b/f\n@@ -\u05e0\n"),
        "of half a rename": bytes(git("rename from f", ...hunk)),
        "with text only": bytes("rename from f\nnew mode 100755\n" + `${hunk.join("\n")}\n`),
      },
      files: { f: bytes("a\nb\n"), empty: bytes("") },
      compare: ["f", "f.orig", "f.rej", "n", "n.orig", "empty", "empty.orig"],
    },
  );
});

Deno.test("patch agrees with GNU on which times are those of no file", async () => {
  const times = [
    "1970-01-01",
    "1970-01-0",
    "1970-1-1",
    "1970-01-00",
    "1969-12-31",
    "1969-12-32",
    "1970-13-01",
    "1970-00-01",
    "1970-02-30",
    "1970-01-01 24:00:00",
    "1970-01-01 23:59:60",
    "1970-01-01 00:60",
    "1970-01-01 00:00:00 +2500",
    "1970-01-01 00:00:00 +2400",
    "1970-01-01 00:00:00 +0060",
    "1970-01-01 00:00:00 -1400",
    "--",
    "+",
    "- - ",
    "-5",
    "Thu Jan  1 00:00:00 1970",
    "Thu Jan 0 00:00:00 1970",
    "Thu Jan 32 00:00:00 1970",
    "Foo Jan 1 00:00:00 1970",
    "Jan 1 00:00:00 1970",
    "thu jan  1 00:00:00 1970",
    "Thu Jan  1 00:00:00 UTC 1970",
    "Thu January  1 00:00:00 1970",
    "Thu Jan  1 00:00:00 0 1970",
    "1970/01/01",
    "01/01/1970",
    "70-01-01",
    "1 Jan 1970",
    "Jan 1, 1970",
    "1970-01-01T00:00:00Z",
    "1970-01-01 00:00:00.000000000 +0000",
    "1970-01-01 00:00:00.5 -0100",
    "@0",
    "1970-01-01 UTC",
    "1970-01-01 00:00",
    "1970-01-01 00",
    "1970-01-01 0:0:0",
    "1970-01-01 12am",
    "1 Jan 1970 00:00:00 -0000",
    "01-Jan-1970",
    "1-jan-70",
    "1 jan 70 00:00",
    "Thu, 01 Jan 1970 00:00:00 GMT",
    "Thursday, January 1, 1970",
    "Jan 1 1970",
    "1970-01-01 00:00:00 UTC+1",
    "1970-01-01 00:00:00 GMT",
    "1970-01-01 00:00:00 Z",
    "1970-01-01T00:00",
    "1970-01-01t00:00",
    "1970-01-01 1:00pm",
    "1970-01-01 13:00pm",
    "1970-01-01 00:00:00 1970-01-01",
    "1970-01-01 00:00 00:00",
    "19700101",
    "1970-01-01 00:00:00 +01:30",
    "1970-01-01 00:00:00 -1",
    "12:00",
    "Thu",
    "1 Foo 1970",
    "Jan 1970",
    "00:00:00 Jan 1 1970",
    "00:00:00 1 Jan 1970",
    "1970 Jan 1",
    "\t1970-01-01",
    "(revision 12)",
    "(working copy)",
    "1970-01-01 00:00:00 +0000\t1.2",
  ];
  await agree("patch", [""], {
    inputs: Object.fromEntries(times.map((time) => [
      time,
      bytes(`--- f\t2020-01-01\n+++ f\t${time}\n@@ -1 +0,0 @@\n-1\n`),
    ])),
    files: { f: bytes("1\n") },
    compare: ["f"],
  });
});

Deno.test("patch agrees with GNU on Prereq lines", async () => {
  const patch = (word: string, line = 5): string =>
    `Prereq:${word}\n--- f\n+++ f\n@@ -${line} +${line} @@\n-${line}\n+x\n`;
  await agree("patch", ["", "f", "-f f", "-t f", "-s f", "-sf f", "-ft", "--verbose f"], {
    inputs: {
      "that are met": bytes(patch(" 17")),
      "that are not met": bytes(patch(" 2.0")),
      "that are met by a part": bytes(patch(" 8\t").replaceAll("5", "12") + patch(" 0")),
      "of several words": bytes(`text\n# comment\n${patch(" 17 18")}`),
      "of a word and spaces": bytes(patch(" 17  \r")),
      "at the end of a file": bytes(patch(" ab").replaceAll("f\n", "end\n")),
      "near the end of a file": bytes(patch(" a").replaceAll("f\n", "end\n")),
      "that name nothing": bytes(patch("  ")),
      "of the second patch": bytes(patch(" 30") + patch(" 5", 9)),
      "of a patch without file": bytes(patch(" 1").replaceAll("f", "missing")),
    },
    files: { f: bytes(original), "missing": bytes(""), end: bytes(`${original}x ab`) },
    compare: results,
  });
});

Deno.test("patch refuses counts that are too large", async () => {
  const { stderr, status } = await runOurs("patch", { args: ["-p", "99999999999", "f"] });
  assert.deepEqual([stderr, status], ["patch: **** strip count 99999999999 is too large\n", 2]);
});

Deno.test("patch agrees with GNU on backups", async () => {
  const emptied = "--- f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n";
  const changed = "--- f\n+++ f\n@@ -1,2 +1,2 @@\n-a\n+x\n b\n";
  const again = "--- f\n+++ f\n@@ -1,2 +1,2 @@\n-x\n+y\n b\n";
  await agree("patch", [
    "f",
    "-b",
    "-b f",
    "-E f",
    "-bE f",
    "--no-backup-if-mismatch f",
    "--no-backup-if-mismatch --backup-if-mismatch -f f",
    "--backup-if-mismatch --no-backup-if-mismatch -f f",
    "-f f",
    "-b missing",
    "-bE --verbose missing",
    ["-B", "", "f"],
    ["-Y", "", "f"],
    ["-z", "", "f"],
    ["-B", "x-", "-Y", "y-", "-z", "~", "-b", "f"],
    "-F -1 f",
    "-p x f",
    "-p +1 -F 00 f",
    ["-i", "", "f"],
    ["f", "p", ""],
    ["f", "p", "a b"],
  ], {
    inputs: {
      emptied: bytes(emptied),
      "emptied twice": bytes(emptied + emptied),
      "changed, then emptied": bytes(changed + emptied.replace("-a", "-x")),
      "changed twice": bytes(changed + again),
      "changed, then not": bytes(changed + changed + changed),
      "emptied, then changed": bytes(emptied + changed),
      "not changed": bytes(again),
    },
    files: { f: bytes("a\nb\n") },
    compare: ["f", "f.orig", "f.rej", "missing", "missing.orig", "missing.rej", "x-y-f~"],
  });
});
