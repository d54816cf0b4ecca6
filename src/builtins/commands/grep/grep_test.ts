import assert from "node:assert/strict";
import { agree, bytes, latin1, runOurs } from "../../_testing.ts";

const log = bytes(
  Array.from(
    { length: 400 },
    (_, i) =>
      `2026-01-${String(i % 28 + 1).padStart(2, "0")} ${
        ["INFO", "WARN", "ERROR", "DEBUG"][i * 7 % 4]
      } [worker-${i % 5}] request id=${i * 37 % 101} took ${i * 13 % 500}ms\n`,
  ).join(""),
);

Deno.test("grep agrees with GNU on common use", async () => {
  await agree("grep", [
    "the",
    "-i THE",
    "-v the",
    "-c the",
    "-vc the",
    "-n o",
    "-nv o",
    "-in 'the .*x'",
    "-l the",
    "-L the",
    "-q the",
    "-q nosuch",
    "-o 'o[a-z]*'",
    "-on '[0-9]*'",
    "-ob e",
    "-w fox",
    "-wi the",
    "-x three",
    "-xv two",
    "-E '(quick|lazy) [a-z]+'",
    "-E '^[0-9]+ '",
    "-E 'o{2}|p{2}'",
    "-F .",
    "-F 'a\nb'",
    "-e the -e apples",
    "-A1 jumps",
    "-B1 END",
    "-C1 10",
    "-1 lazy",
    "-n -C2 'e'",
    "-m1 o",
    "-m2 -n o",
    "-c -m1 o",
    "-m1 -A2 o",
    "''",
    "-c ''",
    "-v ''",
    "-c '^$'",
    "-n '^$'",
    "-v '^$'",
    "'[[:digit:]]'",
    "'[^[:alpha:] ]'",
    "'^.\\{3\\}$'",
    "'\\(o\\).*\\1'",
    "'\\bt'",
    "'\\<the\\>'",
    "'x$'",
    "-H the",
    "-h the f f",
    "the f g",
    "-c a f g",
    "-l a f g",
    "-L a f g",
    "-n a f g",
    "-o a f - g",
    "-a a",
    "-ac .",
    "-I a",
    "-Ic a",
    "-z a",
    "-zc .",
    "--color=never the",
    "--color=always -n o",
    "--color=always -v o",
    "-HnbT the",
    "-Z -l the f",
    "--label=X -H the",
    "-s the missing",
    "the missing f",
    "-f g",
    "-vf g",
    "-if g f",
    "--nosuch",
    "-k",
    "",
    "-E '(a'",
    "'a\\{1'",
    "'[a'",
    "-A x a",
    "-m x a",
    "--binary-files=foo a",
    "'\\d'",
    "-i 'CAF\u00c9'",
    "-o '.'",
    "-ic '\u65e5'",
  ]);
});

Deno.test("grep agrees with GNU on a log", async () => {
  await agree("grep", [
    "ERROR",
    "-c ERROR",
    "-vc DEBUG",
    "-nE 'took [0-9]{3}ms'",
    "-oE 'id=[0-9]+'",
    "-oE '[0-9]{4}-[0-9]{2}-[0-9]{2}'",
    "-E 'WARN|ERROR'",
    "-A2 -B3 'id=5 '",
    "-nC3 'took 4[0-9]*ms'",
    "-bnC1 'worker-3'",
    "-n -m3 -A4 WARN",
    "-C2 --group-separator=== 'id=7 '",
    "-C2 --no-group-separator 'id=7 '",
    "-c -w 7",
    "-vn -B2 'INFO\\|WARN\\|DEBUG'",
    "-v -A1 -m4 INFO f g",
    "-B500 'id=50 '",
    "-A500 -n 'id=50 '",
    "-o -C1 'id=50 '",
    "-onb -B1 'id=5'",
    "-m0 ERROR",
    "-lm0 ERROR",
    "-Lm0 ERROR f g",
    "-hn worker-1 f f",
    "-HC1 'id=3 ' f g f",
    "-T -nH 'id=3 ' f",
    "-Tn b nine",
    "-Tb b nine",
    "-Tc b nine",
    "--colour=always -nC1 'id=3 '",
  ], { inputs: { log, nine: bytes("a\nb\nb\nb\n.") } });
});

Deno.test("grep agrees with GNU on binary data", async () => {
  const x = "x".repeat(100);
  await agree("grep", [
    "a",
    "-c a",
    "-vc a",
    "-v a",
    "-n a",
    "-o a",
    "-l a",
    "-L a",
    "-q a",
    "-a a",
    "-ao a",
    "-I a",
    "-Il a",
    "-IL a",
    "-Ic a",
    "-Iv a",
    "-z a",
    "-zv a",
    "-zo '.'",
    "-m1 a",
    "-cm2 a",
    "-A1 a",
    "-nA2 a",
    "-B1 b",
    "-C1 -n b",
    "-C1 ''",
    "-s a",
    "'^a'",
    "'a$'",
    "-c '^a$'",
    "-x b",
    ".",
    "-c .",
    "-o .",
    "--color=always .",
    "-H a",
    "--label=L a",
    "a f g",
    "--binary-files=text a",
    "--binary-files=without-match a f g",
  ], {
    inputs: {
      "NUL first": bytes("\0a\nb\nc\n"),
      "NUL last": bytes("a\nb\n\0"),
      "NULs": bytes("a\0a\nb\0\0a\n\0b\na\n"),
      "bad in a line": new Uint8Array([97, 10, 97, 255, 10, 98, 10, 97, 10]),
      "bad before": new Uint8Array([255, 10, 255, 10, 98, 10, 97]),
      "a cut letter": new Uint8Array([195, 10, 97]),
      "many lines behind it": Uint8Array.from(
        { length: 400 },
        (_, i) => i === 0 ? 255 : i % 2 === 1 ? 10 : 97,
      ),
      "bad everywhere": Uint8Array.from({ length: 300 }, (_, i) => i * 31 % 256 || 10),
      "NUL after 200 KiB": bytes(`a ${x}\n`.repeat(2000) + "a\0\nb\na\n"),
      "NUL after 90 KiB": bytes(`a ${x}\n`.repeat(880) + "a\0\nb\na\n" + `a ${x}\n`.repeat(90)),
    },
  });
});

Deno.test("grep agrees with GNU on operands, files of patterns and Perl's patterns", async () => {
  await agree("grep", [
    "-m1 a - -",
    "-c -m1 a - -",
    "-l a - -",
    "-l -m1 a - -",
    "-L -m1 a - -",
    "-lv -m1 zzz - -",
    "-c a .",
    "-L a .",
    "-l a . g",
    "-d skip -c a .",
    "-d s -c a .",
    "-d x a .",
    "-m0 a missing",
    "-f patterns",
    "-vf patterns f",
    "-f wrong",
    "-e '\\(' -f wrong -e x",
    "-f missing a",
    "-f -",
    "-nf long f g",
    "-vcf long f g",
    "-of long f",
    "-Fof long f",
    "-if long f",
    "-xf long f g",
    ["-e", "a\nb", "-e", ""],
    ["-vw", "-e", "", "g"],
    "-u",
    "-E '+a|b*'",
    "-E -G a",
    "-E -E a",
    "-1 -n e",
    "-12n e",
    "-1 -C0 e",
    "-A1 -2 -n e",
    "-oP '[a-z]+?(?=t)'",
    "-oP '\\d+'",
    "-P '(a'",
    "-P -e a -e b",
    "-iwP THE",
    "--no",
    "--l",
  ], {
    inputs: { text: bytes("the cat\nan eel\n\n10 bats\nthe end"), letters: bytes("a\nb\na\nb\n") },
    files: {
      patterns: bytes("eel\n^1\n"),
      wrong: bytes("a\n[\n\\(\n"),
      long: bytes(`${"the".repeat(500)}\neel\n${"eht".repeat(400)}e\n`),
      f: bytes(`x\n${"the".repeat(900)}\nTHE eel\n${"THE".repeat(500)}\n${"eht".repeat(401)}\n`),
    },
  });
});

Deno.test("grep takes each pattern once, and goes on behind -m's last line", async () => {
  const run = async (args: string[], stdin: string, files: Record<string, string> = {}) => {
    const data = Object.entries(files).map(([name, text]) => [name, bytes(text)]);
    const { stdout, stderr, status } = await runOurs("grep", {
      args,
      stdin: bytes(stdin),
      seekable: true,
      files: Object.fromEntries(data),
    });
    return [latin1(stdout), stderr, status];
  };
  assert.deepEqual(await run(["-E", "-f", "g"], "* x\n", { g: "* x\n* x\n" }), [
    "* x\n",
    "grep: warning: * at start of expression\n",
    0,
  ]);
  assert.deepEqual(await run(["-P", "-e", "a", "-e", "a"], "a\n"), ["a\n", "", 0]);
  assert.deepEqual(await run(["-P", "-f", "g"], "a\n", { g: "?\n" }), [
    "",
    "grep: quantifier does not follow a repeatable item\n",
    2,
  ]);
  assert.deepEqual(await run(["-h", "-C4", "-m3", "", "-", "-"], "\n\n\nc"), [
    "\n\n\nc\n--\nc\n",
    "",
    0,
  ]);
});

Deno.test("grep reads files of patterns before it looks at the options behind them", async () => {
  const rows: [string[], string, number][] = [
    [["-fi", "--n"], "grep: i: No such file or directory\n", 2],
    [["-f", "gone", "-E", "-G", "x"], "grep: gone: No such file or directory\n", 2],
    [["-f", "gone", "-u", "x"], "grep: gone: No such file or directory\n", 2],
    [["-f", "p", "-E", "-G", "x"], "grep: conflicting matchers specified\n", 2],
  ];
  for (const [args, stderr, status] of rows) {
    const outcome = await runOurs("grep", { args, stdin: bytes(""), files: { p: bytes("a\n") } });
    assert.deepEqual([outcome.stderr, outcome.status], [stderr, status], args.join(" "));
  }
});

Deno.test("grep takes one line from what -m allows where the first line decides", async () => {
  const stdin = bytes("x\nx\nx\n");
  const again = async (...args: string[]) => {
    const { stdout, status } = await runOurs("grep", { args, stdin, seekable: true });
    return [latin1(stdout), status];
  };
  assert.deepEqual(await again("-m3", "-L", "x", "-", "-"), ["(standard input)\n", 0]);
  assert.deepEqual(await again("-m2", "-l", "x", "-", "-"), ["(standard input)\n", 0]);
  assert.deepEqual(await again("-m2", "x", "-", "-"), [
    "(standard input):x\n(standard input):x\n(standard input):x\n",
    0,
  ]);
  const binary = { args: ["-m2", "x", "-", "-"], stdin: bytes("x\nx\n\0"), seekable: true };
  const { stderr } = await runOurs("grep", binary);
  assert.equal(stderr, "grep: (standard input): binary file matches\n");
});

Deno.test("grep -m0 -L tells that a file cannot be read", async () => {
  const args = ["-m0", "-L", "x", "gone", "-"];
  const { stdout, stderr, status } = await runOurs("grep", { args, stdin: bytes("x\n") });
  assert.deepEqual(
    [latin1(stdout), stderr, status],
    ["(standard input)\n", "grep: gone: No such file or directory\n", 2],
  );
});
