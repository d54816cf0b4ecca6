import assert from "node:assert/strict";
import { bytes, latin1, runOurs } from "../../_testing.ts";

/** Arguments, standard input, and the expected standard output, standard error and status. */
type Row = readonly [readonly string[], string, string, string?, number?];

async function check(
  rows: readonly Row[],
  files: Readonly<Record<string, string>> = {},
): Promise<void> {
  for (const [args, input, stdout, stderr = "", status = 0] of rows) {
    const test = {
      args: [...args],
      stdin: bytes(input),
      files: Object.fromEntries(Object.entries(files).map(([name, text]) => [name, bytes(text)])),
    };
    const outcome = await runOurs("sed", test);
    assert.deepEqual(
      [latin1(outcome.stdout), outcome.stderr, outcome.status],
      [stdout, stderr && `sed: ${stderr}\n`, status],
      `sed ${args.join(" ")}`,
    );
  }
}

const CLASS = "character class syntax is [[:space:]], not [:space:]";

Deno.test("sed tells a missing sub-expression before a class outside of brackets", async () => {
  const missing = (group: number, char: number) =>
    `-e expression #1, char ${char}: invalid reference \\${group} on \`s' command's RHS`;
  await check([
    [["s/[:e:]/\\2/"], "a\n", "", missing(2, 11), 1],
    [["s/a\\{1\\,2\\}/\\1/"], "a\n", "", missing(1, 15), 1],
    [["s/[:e:]/x/"], "a\n", "", CLASS, 4],
    [["s/\\([:e:]\\)/\\1/"], "a\n", "", CLASS, 4],
    [["/[:e:]/d"], "a\n", "", CLASS, 4],
    [["s/a\\{1\\,2\\}/x/"], "a\n", "", "invalid content of \\{\\}", 4],
    [["s/[:e:]\\(/x/"], "a\n", "", "-e expression #1, char 12: Unmatched ( or \\(", 1],
    [["--posix", "s/[:e:]/\\2/"], "a\n", "", CLASS, 4],
  ]);
});

Deno.test("sed asks for sub-expressions where s is the first to use the last pattern", async () => {
  const missing = "-e expression #1, char 0: invalid reference \\1 on `s' command's RHS";
  await check([
    [["/b/s//[\\1]/"], "b\n", "", missing, 1],
    [["--posix", "/b/s//[\\1]/"], "b\n", "[]\n"],
    [["s/b/b/;s//[\\1]/"], "b\n", "[]\n"],
    [["/b/s//b/;s//[\\1]/"], "b\n", "[]\n"],
    [["s/\\(a\\)b/x&/;s//<\\1\\2>/"], "ab\n", "x<a>\n"],
    [["/\\(b\\)/s//[\\1]/"], "b\n", "[b]\n"],
  ]);
});

Deno.test("sed --posix refuses commands first, then a second address of a = i l r", async () => {
  const place = "-e expression #1, char 4: ";
  const rows: Row[] = ["a", "i", "=", "l", "r f"].map((
    command,
  ) => [["--posix", `5,4${command}`], "a\n", "", `${place}command only uses one address`, 1]);
  for (const name of "eFvzLQTRW") {
    rows.push([["--posix", `5,4${name}`], "a\n", "", `${place}unknown command: \`${name}'`, 1]);
  }
  await check([
    ...rows,
    [["5,4l"], "a\n", "a\n"],
    [["--posix", "1l"], "a\n", "a$\na\n"],
    [["--posix", "1,2q"], "a\n", "", `${place}command only uses one address`, 1],
  ]);
});

Deno.test("sed --posix takes an unmatched parenthesis for itself, escapes in brackets too", async () => {
  await check([
    [["--posix", "s/a\\)/x/"], "a)\n", "x\n"],
    [["--posix", "-E", "s/a)/x/"], "a)\n", "x\n"],
    [["--posix", "s/[\\n]/x/g"], "an\\b\n", "axxb\n"],
    [["--posix", "s/[[:digit:]\\t]/x/g"], "1t\\b\n", "xxxb\n"],
    [["--posix", "s/\\t/x/g"], "a\tb\n", "axb\n"],
    [["s/[\\t]/x/g"], "at\\\t\n", "at\\x\n"],
    [["--posix", "s/a/[\\2]/"], "a\n", "[]\n"],
    [["s/a\\)/x/"], "a)\n", "", "-e expression #1, char 8: Unmatched ) or \\)", 1],
  ]);
});

Deno.test("sed --posix refuses text that the end of a piece leaves unfinished", async () => {
  const unfinished = (char: number) => `-e expression #1, char ${char}: incomplete command`;
  await check([
    [["--posix", "2a\\\nx\\"], "a\n", "", unfinished(6), 1],
    [["--posix", "-e", "2a\\", "-e", "x"], "a\n", "", unfinished(3), 1],
    [["--posix", "1a\\\nx\\\ny"], "a\n", "a\nx\ny\n"],
    [["-e", "a\\\nx\\", "-e", "y"], "a\n", "a\nx\ny\n"],
  ]);
});

Deno.test("sed takes + and ~ without a number for every line", async () => {
  await check([
    [["+p"], "a\nb\n", "a\na\nb\nb\n"],
    [["~!p"], "a\nb\n", "a\nb\n"],
    [["+{p;}"], "a\n", "a\na\n"],
    [["2,+p"], "a\nb\nc\n", "a\nb\nb\nc\n"],
    [["-n", "+,2p"], "a\nb\nc\n", "a\nb\nc\n"],
    [["+:a"], "a\n", "", "-e expression #1, char 2: : doesn't want any addresses", 1],
    [
      ["+1p"],
      "a\n",
      "",
      "-e expression #1, char 2: invalid usage of +N or ~N as first address",
      1,
    ],
  ]);
});

Deno.test("sed -z: the flag M matches in each line of the pattern space by itself", async () => {
  const two = "ab\ncd\0ef\0";
  await check([
    [["-z", "N;s/^./X/Mg"], two, "Xb\ncd\0Xf\0"],
    [["-z", "N;s/.$/X/Mg"], two, "ab\ncX\0eX\0"],
    [["-z", "N;s/$/X/Mg"], two, "ab\ncdX\0efX\0"],
    [["-z", "N;s/^/X/Mg"], two, "Xab\ncd\0Xef\0"],
    [["-z", "N;s/\\`./X/Mg"], two, "Xb\ncd\0Xf\0"],
    [["-z", "N;s/d.e/X/M"], two, two],
    [["-z", "N;s/d\\x00e/X/M"], two, two],
    [["-z", "N;s/b.c/X/M"], two, two],
    [["-z", "N;s/b[^x]c/X/M"], two, two],
    [["-z", "N;s/b\\nc/X/M"], two, "aXd\0ef\0"],
    [["-z", "N;s/\\(e\\)\\(.\\)/\\2\\1/M"], two, "ab\ncd\0fe\0"],
    [["-z", "N;s/a*/X/Mg"], "ab\0\0", "XbX\0X\0"],
    [["-z", "N;/^e/Md"], two, ""],
    [["-z", "N;/^c/M!d"], two, ""],
    [["-z", "s/^c/X/M"], two, two],
  ]);
});

Deno.test("sed fails where r or R reads a folder, w writes to standard input", async () => {
  await check([
    [["r ."], "a\nb\n", "a\n", "read error on .: Is a directory", 4],
    [["R ."], "a\nb\n", "", "read error on .: Is a directory", 4],
    [["/x/r ."], "a\nb\n", "a\nb\n"],
    [["R /dev/stdout"], "a\n", "", "read error on stdout: Bad file descriptor", 4],
    [["w /dev/stdin"], "ab\n", "", "couldn't write 2 items to stdin: Bad file descriptor", 4],
    [["w /dev/stdin"], "\n", "", "couldn't write 1 item to stdin: Bad file descriptor", 4],
  ]);
});

Deno.test("sed --follow-symlinks ends at a missing file when it looks for a line, n puts its out", async () => {
  const gone = "couldn't readlink gone: No such file or directory";
  const files = { f: "1\n2" };
  await check([
    [["--follow-symlinks", "n", "f", "gone"], "", "1\n2", gone, 4],
    [["--follow-symlinks", "3,0n", "f", "gone"], "", "1\n2", gone, 4],
    [["--follow-symlinks", "$l", "f", "gone"], "", "1\n", gone, 4],
    [["--follow-symlinks", "N;N", "f", "gone"], "", "", gone, 4],
    [["--follow-symlinks", "n;n", "f", "gone", "f"], "", "1\n2", gone, 4],
    [["--follow-symlinks", "2q", "f", "gone"], "", "1\n2\n"],
  ], files);
});

Deno.test("sed gets on with a line of 14 MB, one command after the other", async () => {
  const line = "ab ".repeat(14_000_000 / 3);
  const script = ["/b/s/^a/X/;s/b $/Y/"];
  const outcome = await runOurs("sed", { args: script, stdin: bytes(`${line}\nz\n`) });
  assert.equal(outcome.status, 0);
  assert.equal(latin1(outcome.stdout.subarray(0, 4)), "Xb a");
  assert.equal(latin1(outcome.stdout.subarray(-8)), "ab aY\nz\n");
});

Deno.test("sed takes the first lines of a long pattern space off without looking at the rest", async () => {
  const outcome = await runOurs("sed", {
    args: ["s/./&\\n/2;P;D"],
    stdin: bytes(`${"abc".repeat(20_000)}\n`),
  });
  assert.equal(latin1(outcome.stdout), `${"ab\nca\nbc\n".repeat(10_000)}\n`);
});

Deno.test("sed: \\u and \\l go on behind one empty piece, and no further", () =>
  check([
    [["s/$/\\u&x/"], "a\n", "aX\n"],
    [["s/$/\\u&&x/"], "a\n", "ax\n"],
    [["s/$/\\l&&X/"], "a\n", "aX\n"],
    [["s/\\(\\)\\(a\\)/\\u\\1\\1\\2/"], "a\n", "a\n"],
    [["s/\\(\\)\\(a\\)/\\u\\1\\2\\2/"], "a\n", "Aa\n"],
    [["s/$/\\Uq&\\u&&x/"], "a\n", "aQX\n"],
    [["s/$/\\u&\\l&x/"], "a\n", "ax\n"],
    [["s/$/\\u\\E&x/"], "a\n", "ax\n"],
  ]));

Deno.test("sed -s forgets what is held at a new file, but not whether it had a newline", () =>
  check([
    [["-s", "x", "f", "-"], "\n", "\n"],
    [["-s", "x;p;x", "f", "-"], "\n", "\n.\n\n\n"],
    [["-s", "G", "f", "-"], "b\n", ".\n\nb\n\n"],
  ], { f: "." }));

Deno.test("sed writes what is for w before a rename of -i that fails ends it", async () => {
  const args = ["-id/*", "w2\nq", "f"];
  const files = { f: bytes("a\nb\n") };
  const { stderr, status, files: left } = await runOurs("sed", { args, files, compare: ["2"] });
  assert.deepEqual([stderr, status], ["sed: cannot rename f: No such file or directory\n", 4]);
  assert.equal(latin1(left["2"] ?? new Uint8Array(0)), "a\n");
});

Deno.test("sed counts the lines that pass unseen where a number stands within a block", () => {
  const input = "a\nb\nc\nd\n";
  return check([
    [["-n", "${1p}"], input, ""],
    [["-n", "${4p}"], input, "d\n"],
    [["-n", "/c/{3p}"], input, "c\n"],
    [["-n", "/c/{1p}"], input, ""],
    [["-n", "/c/{1!p}"], input, "c\n"],
    [["-n", "/d/{0~4p}"], input, "d\n"],
    [["-n", "/d/{2~3p}"], input, ""],
    [["-n", "/[bd]/{2{p}}"], input, "b\n"],
    [["-n", "/b/{/b/{2s/b/B/p}}"], input, "B\n"],
    [["${1a\\\nfoo\n}"], input, input],
    [["-n", "/d/{3,4p}"], input, "d\n"],
    [["-n", "/d/{=}"], input, "4\n"],
  ]);
});
