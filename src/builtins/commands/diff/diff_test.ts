import assert from "node:assert/strict";
import {
  agree,
  agreeOn,
  bytes,
  type Case,
  latin1,
  memoryTemp,
  randomFrom,
  runOurs,
} from "../../_testing.ts";
import { drain, MemorySink, memorySource } from "../../../streams/mod.ts";
import { Stage } from "../../run/stage.ts";
import { optional, thorough } from "../../../../tests/_optional.ts";

const before = "one\ntwo\n\nthree  x\nfour\nFive\nsix\n\tseven\neight\nnine\nten\n" +
  "void f(int a)\n{\n  a;\n  b;\n\n  c;\n  d;\n  e;\n}\nlast\n";
const after = "zero\none\ntwo\nthree x\nfour\nfive \nsix\n        seven\neight\n\nnine\n10\n" +
  "void f(int a)\n{\n  a;\n  b;\n\n  c;\n  d;\n  E;\n}\nlast";

const files = {
  a: bytes(before),
  cr1: bytes("a\r"),
  cr2: bytes("\r\r\na\r\r"),
  cr3: bytes("a\r\n\r"),
  b: bytes(after),
  crlf: bytes(before.replaceAll("\n", "\r\n")),
  nul: bytes("a\0b\n"),
  nul2: bytes("a\0c\n"),
  empty: bytes(""),
  x1: bytes("a"),
  x2: bytes("a"),
  x3: bytes("a\n"),
  "late NUL": bytes("x\n".repeat(3000) + "\0\n"),
  "./x y": bytes("1\n2\n"),
};

Deno.test("diff agrees with GNU on common use", async () => {
  await agree("diff", [
    "f g",
    "g f",
    "f f",
    "- g",
    "g -",
    "- -",
    "-s - -",
    "f missing",
    "missing f",
    "missing missing2",
    "-N f missing",
    "-N missing f",
    "-P missing f",
    "-P f missing",
    "-N missing missing2",
    "-q f g",
    "-qs f f",
    "-s f f",
    "-s f g",
    "-q --label X --label Y f g",
    "",
    "f",
    "--label f",
    "f g h",
    "-z f g",
    "--nosuch",
    "--ig f g",
    "--s f g",
    "-U x f g",
    "-U -1 f g",
    "-C '' --label a --label b f g",
    "-u -c f g",
    "--tabsize=0 f g",
    "--tabsize=4 --tabsize=8 f g",
    "--tabsize=4 -t --tabsize=4 f g",
    "-F [a f g",
    ["-F", "\\", "f", "g"],
    ["-F", "a", "-F", "\\(", "f", "g"],
    ["-I", "a\\{2", "f", "g"],
    ["-I", "a\\{2,1\\}", "f", "g"],
    ["-F", "\\(a\\)", "-F", "\\(b\\)\\1", "-u"],
    ["-I", "\\(a\\)", "-I", "\\(b\\)\\1", "f", "g"],
    ["-I", "\\(a\\)", "-I", "\\(a\\)\\2", "f", "g"],
    ["-I", "^a", "-I", "a$", "--label=a", "-I", "", "f", "g"],
    "--label a --label b --label c --nosuch",
    ...[
      "[:a:]",
      "[:alpha:]",
      "x\nal",
      "[\n]",
      "\\\n",
      "^b\n\n^a",
      "[z-a]",
      "[[:x:]]",
      "\\{1\\}a",
      "a.*\n*",
    ].flatMap(
      (pattern) => [
        ["-U0", "-F", pattern, "--label=a", "--label=b", "f", "g"],
        ["-I", pattern, "f", "g"],
      ],
    ),
    "--no f g",
    "--in f g",
    "--b f g",
    "--bin f g",
    "--inh f g",
    "-l",
    "-x a",
    "-D x",
    "-c -C x f g",
    ". missing",
    "missing .",
    "--horizon-lines=x f g",
    "--horizon-lines=-0 f g",
    "--horizon-lines=-1 f g",
    "-U -0 --label=a --label=b f g",
    ["-U", " +1", "--label=a", "--label=b", "f", "g"],
    ["-U", " ", "f", "g"],
    "-U + f g",
    "- .",
    ". -",
    "- missing .",
    "-F [ f g",
    "-I [ f g",
    "--label a --label b --label c f g",
    "--color=bad f g",
    "--color=never f g",
    "--color f g",
    "-r f g",
    "-a f g",
    "-d f g",
    "--label=x --label=y -u f g",
    "--label=x --label=y -c - g",
    "-- f g",
  ]);
});

Deno.test("diff agrees with GNU in every style and with every rule of sameness", async () => {
  const rules = ["", "-i", "-E", "-Z", "-EZ", "-b", "-w", "-B", "-bB", "-wB", "-Bi", "-iZ"];
  const styles = ["", "-u", "-c", "-U0", "-U 1", "-C1", "-C0", "-q"];
  const lines = rules.flatMap((rule) =>
    styles.map((style) => `${rule} ${style} --label=A --label=B a b`)
  );
  await agree("diff", [
    ...lines,
    ...[
      "-u -p",
      "-c -p",
      "-p",
      "-up -U1",
      "-u -F '^[fv]'",
      "-c -F eight",
      "-u -I '^[a-z]'",
      "-I '^[0-9]' -I '^t'",
      "-I F -i",
      "-u -t",
      "-ut",
      "-c -T",
      "-uT",
      "-T",
      "-t --tabsize=4",
      "-u --suppress-blank-empty",
      "-c --suppress-blank-empty",
      "-5 -u",
      "-u -EZ",
      "-u5",
      "-12u",
      "-2",
      "-u -U5",
      "-U5 -U2",
      "-U5 -2",
      "-U1 -2",
      "-u -1 -2",
      "-1u2",
      "-1 --context=2",
      "-c -1",
      "-p -1",
      "--unified",
      "--unified=1",
      "--context",
      "--context=1",
      "--uni=2",
      "--horizon-lines=5",
      "-u --horizon-lines=0",
      "-d",
      "-H",
      "--strip-trailing-cr",
      "--normal -B",
    ].map((line) => `${line} --label=A --label=B a b`),
    "a crlf",
    "-u --label=A --label=B a crlf",
    "--strip-trailing-cr a crlf",
    "--strip-trailing-cr cr1 cr2",
    "--strip-trailing-cr cr2 x1",
    "--strip-trailing-cr -s cr1 x1",
    "--strip-trailing-cr cr3 x3",
    "--strip-trailing-cr -s a crlf",
    "-Z a crlf",
    "-w -s a crlf",
    "nul nul2",
    "nul nul",
    "-s nul nul",
    "-q nul nul2",
    "-a nul nul2",
    "a nul",
    "empty a",
    "a empty",
    "-u --label=A --label=B empty a",
    "-c --label=A --label=B a empty",
    "-u --label=A --label=B empty empty",
    "-s x1 x3",
    "-b x1 x3",
    "'late NUL' a",
    "-u --label=A --label=B b a",
    "-c --label=A --label=B b a",
    "b a",
    "-w -u --label=A --label=B b a",
  ], { files, inputs: { none: bytes("") } });
});

/** Lines of few kinds, so that many are equal, and some changes to them. */
function randomFiles(random: () => number): Record<string, ReturnType<typeof bytes>> {
  const pick = (n: number): number => Math.floor(random() * n);
  const kinds = 2 + pick(random() < 0.3 ? 200 : 12);
  const line = (): string => {
    const kind = pick(kinds);
    if (kind === 0) return "";
    return `line ${kind}${random() < 0.1 ? " " : ""}`;
  };
  const a = Array.from({ length: pick(random() < 0.2 ? 400 : 40) }, line);
  const b = [...a];
  for (let edits = pick(8) + (random() < 0.2 ? 60 : 0); edits > 0; edits--) {
    const at = pick(b.length + 1);
    const size = pick(4);
    if (random() < 0.4) b.splice(at, size);
    else if (random() < 0.6) b.splice(at, 0, ...Array.from({ length: size }, line));
    else b.splice(at, size, ...Array.from({ length: size }, line));
  }
  const text = (lines: readonly string[]): string =>
    lines.join("\n") + (lines.length > 0 && random() < 0.85 ? "\n" : "");
  return { a: bytes(text(a)), b: bytes(text(b)) };
}

Deno.test("diff finds the hunks that GNU finds in random files", async () => {
  // The seed is fixed because these cases are recorded.
  const random = randomFrom(1);
  const options = [
    [],
    ["-u"],
    ["-U0"],
    ["-c"],
    ["-d"],
    ["-b", "-u"],
    ["-B"],
    ["-uB"],
    ["-iw"],
    ["-U1", "-B"],
  ];
  const cases: Case[] = Array.from({ length: 400 }, (_, i) => ({
    args: [...options[i % options.length] ?? [], "--label=A", "--label=B", "a", "b"],
    files: randomFiles(random),
  }));
  await agreeOn("diff", cases);
});

Deno.test("diff -u writes headings of names alone, quoted where they need it", async () => {
  const files = { a: bytes("1\n"), "x y": bytes("2\n") };
  const { stdout, status } = await runOurs("diff", { args: ["-u", "a", "x y"], files });
  assert.equal(latin1(stdout), '--- a\n+++ "x y"\n@@ -1 +1 @@\n-1\n+2\n');
  assert.equal(status, 1);
});

Deno.test("diff refuses what it does not do, with status 2 and the way out", async () => {
  const cases: readonly (readonly [option: string, instead: string, ...more: string[]])[] = [
    ["-e", "use -u"],
    ["--forward-ed", "use -u"],
    ["-n", "use -u"],
    ["-y", "use -u", "-W", "80", "--left-column"],
    ["--side-by-side", "use -u", "--suppress-common-lines"],
    ["-W", "use -u instead of -y", "80"],
    ["-D", "use -u", "NAME"],
    ["--line-format", "use -u or -U 0", "%L"],
    ["--changed-group-format", "use -u or -U 0", "%<"],
    ["-x", "folders are not compared, name two files", "*.o"],
    ["-l", "leave it out"],
    ["--from-file", "name two files", "x"],
    ["--palette", "use --color alone", "rs=0"],
  ];
  for (const [option, instead, ...more] of cases) {
    const args = [option, ...more, "a", "b"];
    const { stdout, stderr, status } = await runOurs("diff", { args, files });
    assert.equal(stderr, `diff: option '${option}' is not supported: ${instead}\n`);
    assert.deepEqual([status, stdout.length], [2, 0]);
  }
});

Deno.test("diff agrees with GNU on files that it reads in several blocks", async () => {
  // The seed is fixed because these cases are recorded.
  const random = randomFrom(1);
  const word = (): string =>
    "void {\n}\n".repeat(random() < 0.01 ? 1 : 0) + "x".repeat(random() * 60);
  const lines = Array.from({ length: 9000 }, (_, i) => `${word()}${i % 700}`);
  lines[4321] = "long".repeat(100_000);
  const edited = lines.flatMap((line) =>
    random() > 0.002 ? [line] : random() < 0.3 ? [] : [`${line}?`, "new"]
  );
  edited.splice(6000, 300);
  const long = { a: bytes(lines.join("\n")), b: bytes(`${edited.join("\n")}\n`) };
  const options = ["", "-u -p", "-c", "-q", "-uw", "--strip-trailing-cr", "-B"];
  const operands = ["a b", "b a", "- b"];
  const tests = options.flatMap((line, i) =>
    // The files are long, so not every option is tested with every operand.
    operands.filter((_, at) => i < 2 || at === i % 3).map((names): Case => ({
      args: [...line.split(" "), "--label=a", "--label=b", ...names.split(" ")]
        .filter((word) => word !== ""),
      files: long,
      ...(names.startsWith("-") && { stdin: long.a }),
    }))
  );
  await agreeOn("diff", tests);
});

Deno.test("diff counts only lines between differences against its limit, and names it", async () => {
  const same = "same\n".repeat(5000);
  const run = async (middle: number, ...args: string[]): Promise<string> => {
    const part = (name: string): string =>
      Array.from({ length: middle }, (_, i) => `${name}${i}\n`).join("");
    const sides = { a: same + part("a") + same, b: same + part("b") + same };
    const stage = new Stage("diff", [...args, "a", "b"], {
      stdin: memorySource(""),
      warn: assert.fail,
      signal: new AbortController().signal,
      limits: { diffLines: 100 },
      open: (name) =>
        Promise.resolve(memorySource(name === "a" ? sides.a : sides.b, { seekable: true })),
    });
    const out = new MemorySink();
    await drain(stage, out);
    return out.text();
  };
  assert.match(await run(50), /^5001,5050c5001,5050\n< a0\n/);
  await assert.rejects(run(51), { name: "LimitError", limit: "diffLines", max: 100 });
  assert.equal(await run(51, "-q"), "Files a and b differ\n");
});

Deno.test(
  optional("diff -d is bounded: by what has a match, and by its limit, which it names", thorough),
  async () => {
    const text = (line: (i: number) => string): string =>
      Array.from({ length: 30_000 }, (_, i) => line(i)).join("");
    const run = async (a: string, b: string, steps: number): Promise<string> => {
      const stage = new Stage("diff", ["-d", "a", "b"], {
        stdin: memorySource(""),
        warn: assert.fail,
        signal: new AbortController().signal,
        limits: { diffSteps: steps },
        open: (name) => Promise.resolve(memorySource(name === "a" ? a : b, { seekable: true })),
      });
      const out = new MemorySink();
      await drain(stage, out);
      return out.text();
    };
    const [a, b] = [text((i) => `a${i}\n`), text((i) => i === 15_000 ? `a${i}\n` : `b${i}\n`)];
    const found = (await run(a, b, 1000)).split("\n").filter((line) => /^\d/.test(line));
    assert.deepEqual(found, ["1,15000c1,15000", "15002,30000c15002,30000"]);
    const backwards = text((i) => `a${30_000 - i}\n`);
    await assert.rejects(run(a, backwards, 4_000_000), { name: "LimitError", limit: "diffSteps" });
  },
);

Deno.test("diff holds long pipes in temporary storage, and names the limit without it", async () => {
  const text = `${"line\n".repeat(20_000)}end\n`;
  const run = async (temp: boolean): Promise<string> => {
    const stage = new Stage("diff", ["-", "f"], {
      stdin: memorySource(text),
      warn: assert.fail,
      signal: new AbortController().signal,
      limits: { heldBytesWithoutTemp: 1000 },
      open: () => Promise.resolve(memorySource(`${text}more\n`)),
      ...(temp && { temp: () => Promise.resolve(memoryTemp()) }),
    });
    const out = new MemorySink();
    await drain(stage, out);
    return out.text();
  };
  assert.equal(await run(true), "20001a20002\n> more\n");
  await assert.rejects(run(false), { name: "LimitError", limit: "heldBytesWithoutTemp" });
});
