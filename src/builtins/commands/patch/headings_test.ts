import assert from "node:assert/strict";
import { agree, bytes, runOurs } from "../../_testing.ts";

const original = Array.from({ length: 30 }, (_, i) => `${i + 1}\n`).join("");
const results = ["f", "f.orig", "f.rej", "out"];

Deno.test("patch agrees with GNU on headings, wrapped patches and misordered hunks", async () => {
  const hunk = "@@ -5 +5 @@ int f(void)\n-5\n+five\n";
  const wrong = "@@ -5 +5 @@ int f(void)\n-?\n+!\n";
  const heading = "--- f\n+++ f\n";
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
    "--binary -f f",
    "-l -f f",
    "-t -b -o out f",
  ], {
    inputs: {
      "text behind @@": bytes(heading + wrong),
      "added before removed": bytes(`${heading}@@ -5,2 +5,2 @@\n+x\n-5\n+y\n-7\n`),
      "comments": bytes(
        `# one\n${heading}# two\n@@ -5 +5 @@\n# three\n-5\n#\n+?\n# end\n@@ -9 +9 @@\n-9\n+n\n`,
      ),
      "names that are quoted": bytes(`--- "f"\n+++ "\\146"\n${hunk}`),
      "names with spaces": bytes(`--- a b\t2020\n+++ a b\t2020\n${hunk}`),
      "normal diff with tabs": bytes("5c5\n<\t5\n---\n>\tx\n"),
      "normal diff without spaces": bytes("5c5\n< 5\n---\n>x\n"),
      "far behind the end": bytes(`${heading}@@ -900000000000000 +5 @@\n-5\n+x\n`),
      misordered: bytes(heading + hunk.repeat(2) + hunk.replaceAll("5", "2")),
      "misordered insertion": bytes(`${heading}${hunk}@@ -2,0 +2 @@\n+x\n`),
      "CR LF in the patch": bytes(`${heading}${wrong.replaceAll("\n", "\r\n")}`),
      "CR LF in the last heading": bytes(`--- f\n+++ f\r\n${hunk.replaceAll("\n", "\r\n")}`),
      "removed, epoch": bytes(`--- f${time(2020)}\n+++ f${time(1970)}\n@@ -1 +0,0 @@\n-1\n`),
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
    ["", "-p1", "-p1 -b", "-p1 -R", "f", "-p1 -f -s", "-p1 -E", "-t f", "-p1 -t"],
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
    "1969-12-31",
    "1970-01-03",
    "1970-01-01 00:00:00 -1200",
    "1970-01-01 00:00:00.000000000 +0000",
    "1970-01-01 00:00:00.5 -0100",
    "1970-01-01 00:00:00 +0530",
    "1970-02-30 00:00:00",
    "2020-01-01 00:00:00 +0000",
    "1970-01-01T00:00:00",
    "(revision 12)",
    "(working copy)",
    "--",
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
    ["-z", "~", "-b", "f"],
    "-F -1 f",
    "-p x f",
    "-p +1 -F 00 f",
    ["-i", "", "f"],
    ["f", "p", ""],
    ["f", "p", "a b"],
  ], {
    inputs: {
      emptied: bytes(emptied),
      "changed twice": bytes(changed + again),
      "not changed": bytes(again),
    },
    files: { f: bytes("a\nb\n") },
    compare: ["f", "f.orig", "f.rej", "missing", "missing.orig", "missing.rej", "f~"],
  });
});
