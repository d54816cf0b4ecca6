import assert from "node:assert/strict";
import { drain, MemorySink, memorySource } from "../streams/mod.ts";
import { Stage } from "./stage.ts";
import { agree, bytes, latin1, randomFrom, runOurs } from "./_testing.ts";
import { testSeed } from "../streams/_testing.ts";

const seed = testSeed();

Deno.test("sort agrees with GNU on common use", async () => {
  await agree("sort", [
    "-m - -",
    "-m - g -",
    "-mu - -",
    "-u -k 99999999999999999999",
    "-k 1,99999999999999999999.2",
    "-s -k 2,9007199254740993",
    "",
    "-",
    "f",
    "f g",
    "g - f",
    "-r",
    "-n",
    "-nr",
    "-u",
    "-ru",
    "-nu",
    "-f",
    "-fu",
    "-fs",
    "-d",
    "-i",
    "-df",
    "-b",
    "-bf",
    "-g",
    "-gr",
    "-h",
    "-hr",
    "-M",
    "-Mr",
    "-V",
    "-Vr",
    "-s",
    "-rs",
    "-z",
    "-zr",
    "-zu",
    "-k2",
    "-k2,2",
    "-k 2n",
    "-k1,1 -k2n",
    "-k2nr -k1",
    "-k2.2",
    "-k2.2,2.3",
    "-k2b",
    "-k2b,2",
    "-k2,2b",
    "-k1.2b,1.3b",
    "-bk2.2",
    "-k2 -s",
    "-rk2",
    "-k2r -k1,1",
    "-k3,1",
    "-k1f,1",
    "-k1d",
    "-nk2 -k1r",
    "-k2,2 -u",
    "-fk1,1 -u",
    "-k1,1 -k2,2 -u",
    "-t: -k1",
    "-t ' ' -k2",
    "-t ' ' -k2,2 -k1,1r",
    "-t ' ' -k3.2",
    "-t ' ' -k2.2,3.1",
    "-te -k2",
    "-t '\\0' -k2",
    "-t ' ' -k2,2n -k3",
    "-t ' ' -k1,1.0",
    "-t ' ' -k2b",
    "-c",
    "-C",
    "-cu",
    "-cr",
    "-cn",
    "-c f",
    "-c missing",
    "-Cu g",
    "-c g",
    "--check",
    "--check=quiet",
    "--check=silent",
    "--check=diagnose-first",
    "--check=q",
    "-m f g",
    "-m",
    "-mu f g g",
    "-mr f g",
    "-mn g f",
    "-m missing f",
    "-m .",
    "missing",
    "f missing",
    ".",
    "f .",
    "''",
    "--sort=numeric",
    "--sort=n",
    "--sort=month",
    "--sort=version",
    "--sort=general-numeric",
    "--sort=h",
    "--sort=x",
    "--sort=",
    "--reverse",
    "--unique f",
    "--numeric-sort",
    "--key=2,2",
    "--field-separator=: --key=1",
    "--stable",
    "--zero-terminated",
    "--merge g f",
    "--ignore-case",
    "--dictionary-order",
    "--ignore-leading-blanks",
    "--ignore-nonprinting",
    "--human-numeric-sort",
    "--version-sort",
    "--month-sort",
    "--general-numeric-sort",
    "+1",
    "+1 -2",
    "+0 -1",
    "+1n",
    "+1.1 -2.2",
    "+0.2b -1",
    "+1 -1",
    "+x",
    "+1 -2x",
    "+1 f",
    "-r +1 -2 f",
    "-- +1",
    "+0n -1",
    "+1.",
    "+1b -2b",
    "-nd",
    "-nM",
    "-hn",
    "-gV",
    "-k1nM",
    "-k1Vd",
    "-k0",
    "-k1.0",
    "-k1,0",
    "-k1x",
    "-k1.x",
    "-k 1,x",
    "-kx",
    "-k",
    "-k1,2.x",
    "-k 1.2.3",
    "-k -1",
    "-k 99999999999999999999",
    "-k1,99999999999999999999",
    "-txx",
    "-t ''",
    "-ta -tb",
    "-t\u00e9",
    "-cC",
    "-c f g",
    "-c -o x",
    "-o x -o y",
    "-S x",
    "-S 1x",
    "-S 1M",
    "-S 10%",
    "-S 1b",
    "-S 99999999999999999999",
    "--buffer-size=1xx",
    "--parallel=2",
    "--parallel=0",
    "--parallel=x",
    "--batch-size=1",
    "--batch-size=x",
    "--batch-size=2",
    "-T /tmp",
    "-y3",
    "--files0-from=missing",
    "--files0-from=f g",
    "--files0-from=.",
    "--nosuch",
    "-q",
    "--s",
    "--c",
    "--key",
  ]);
});

Deno.test("sort -o agrees with GNU", async () => {
  await agree("sort", [
    "-o out f",
    "-uo out",
    "-o out g f",
    "-o f f",
    "-o f f -m",
    "-mo out g f",
    "-o /nonexistent/x f",
    "-o .",
    "--output=out",
    "-m -o f .",
    "-m -o f . f",
    "-m -o f g .",
    "-m -o f -u . .",
    "-m -o out .",
    "-o f .",
    "-m -o f missing",
    "-m --batch-size=2 -o f . g g",
    "-m --batch-size=2 -o f g g .",
  ], { compare: ["f", "out"] });
});

Deno.test("sort --files0-from agrees with GNU", async () => {
  await agree("sort", [
    "--files0-from=-",
    "--files0-from=list",
    "-r --files0-from=list2",
    "--files0-from=dash",
    "-c --files0-from=-",
    "-C --files0-from=list",
  ], {
    inputs: {
      names: bytes("f\0g"),
      terminated: bytes("g\0g\0"),
      empty: bytes("\0g\0"),
      dash: bytes("g\0-\0"),
      none: bytes(""),
      missing: bytes("missing\0g\0"),
    },
    files: { list: bytes("g\0missing\0"), list2: bytes("g\0list\0"), dash: bytes("g\0-\0") },
  });
});

const KEYS = [
  "-n",
  "-g",
  "-h",
  "-M",
  "-V",
  "-f",
  "-d",
  "-i",
  "-b",
  "-df",
  "-bn",
  "",
  "-k2",
  "-k2n",
  "-k1.2,1.3",
  "-k2V",
  "-k2h -k1M",
  "-k2,2f -k3n",
  "-t, -k2n -k1",
  "-t, -k2,2g",
  "-t, -k3r -k1,1n",
  "-k1,1b -k2bn",
  "-t, -k2.2b,3.1",
  "-k2.1b,2.2b -k1",
];

Deno.test("sort agrees with GNU on random numbers, names and words in random orders", async () => {
  console.log(`seed ${seed}`);
  const random = randomFrom(seed);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const pieces = [
    "0",
    "-0",
    "1",
    "10",
    "9",
    "-5",
    "1.5",
    "1.50",
    "01",
    "-.5",
    ".5",
    "0.05",
    "1e3",
    "1E-2",
    "0x1F",
    "inf",
    "-inf",
    "100000000000000000000.1",
    "0.10000000000000000000001",
    "0.1",
    "0.1000000000000000001",
    "1K",
    "2M",
    "-3k",
    "1.5G",
    "0K",
    "999",
    "1000000000000000000001",
    "1000000000000000000000",
    "5.",
    "-",
    "+1",
    "+",
    "JAN",
    "feb",
    "March",
    "dEc",
    "xyz",
    "ja",
    "a",
    "A",
    "b",
    "B",
    "ab",
    "aB",
    "Ab",
    "a-b",
    "a_b",
    "file1.txt",
    "file10.txt",
    "file2.txt",
    "a.b.c",
    "1.2.3",
    "1.10",
    ".",
    "..",
    ".x",
    "~",
    "a~",
    "a.~1~",
    "x1y2",
    "x01y2",
    "\u00e9",
    "\u00c9",
    "\x01",
    "",
    "\xff",
    "\0",
    "zz.tar.gz",
    "zz.tar.gz~",
    "v1.0",
    "v1.0-rc1",
    "v1.0a",
  ];
  const gaps = [" ", "  ", "\t", ",", ", ", " ,", ""];
  const text = () =>
    bytes(
      Array.from({ length: Math.floor(random() * 60) }, () =>
        (random() < 0.3 ? pick(gaps) : "") +
        Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(pieces)).join(pick(gaps)))
        .join("\n") + pick(["", "\n"]),
    );
  const some = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`random ${i}`, text()]));
  const lines = Array.from(
    { length: 90 },
    (_, i) =>
      `${KEYS[i % KEYS.length]} ${random() < 0.3 ? "-r" : ""} ${random() < 0.25 ? "-s" : ""} ${
        random() < 0.25 ? "-u" : ""
      } ${random() < 0.1 ? "-c" : random() < 0.1 ? "-z" : ""}`,
  );
  await agree("sort", lines, { inputs: some });
});

// GNU 9.1 takes the byte 0x80 for a thousands separator (its NON_CHAR), which this test avoids.
Deno.test("sort of many lines agrees with GNU, in memory and through temporary storage", async () => {
  console.log(`seed ${seed}`);
  const random = randomFrom(seed);
  const line = (i: number) =>
    `2024-01-${10 + i % 20}T${Math.floor(random() * 24)}:00 host${Math.floor(random() * 30)} ${
      Math.floor(random() * 1e6)
    } ${"x".repeat(random() * 40)}`;
  const log = bytes(Array.from({ length: 20_000 }, (_, i) => line(i) + "\n").join(""));
  const few = bytes(
    Array.from({ length: 30_000 }, () => `${Math.floor(random() * 50)}\n`).join(""),
  );
  const binary = Uint8Array.from(
    { length: 200_000 },
    () =>
      random() < 0.2 ? 10 : random() < 0.5 ? 0 : 1 + random() * 127 + (random() < 0.5 ? 128 : 0),
  );
  await agree("sort", [
    "",
    "-r",
    "-u",
    "-k3n",
    "-k3nr -S 64K",
    "-k2,2 -s",
    "-k2,2 -u -S 100K",
    "-S 32K",
    "-S 32K -u",
    "-rs -k2,2 -S 64K",
    "-n",
    "-nu",
    "-n -S 20K --batch-size=2",
    "-V -S 200K",
    "-f -S 64K --batch-size=3",
  ], {
    inputs: { log, few, binary },
  });
});

Deno.test("sort without temporary storage or a way to write says so", async () => {
  const cases = await Promise.all([
    runOurs("sort", { args: ["-R"] }),
    runOurs("sort", { args: ["--debug"] }),
    runOurs("sort", { args: ["--compress-program=gzip"] }),
  ]);
  assert.deepEqual(cases.map(({ status, stderr, stdout }) => [status, stderr, latin1(stdout)]), [
    [2, "sort: random order (-R) is not supported\n", ""],
    [2, "sort: option '--debug' is not supported\n", ""],
    [2, "sort: option '--compress-program' is not supported\n", ""],
  ]);
  const limits = { sortBytesWithoutTemp: 1000 };
  const stage = new Stage("sort", [], {
    stdin: memorySource(Array.from({ length: 500 }, (_, i) => `${i}\n`).join(""), {
      chunkSize: 100,
    }),
    warn: (message) => void warnings.push(message),
    signal: new AbortController().signal,
    limits,
  });
  const warnings: string[] = [];
  for await (const _ of stage) assert.fail("there is output");
  assert.deepEqual([stage.status, warnings], [2, [
    "sort: the input needs more memory than sortBytesWithoutTemp (1000 bytes); raise it or give " +
    "temporary storage",
  ]]);
});

Deno.test("sort agrees with GNU on small units with -f and on sizes beyond 64 bits", async () => {
  await agree("sort", [
    "-f -h",
    "-h",
    "-rh -f",
    "-k1,1fh",
    "-cfh",
    "-S 22337203685477580",
    "-S 18014398509481983",
    "-S 18014398509481984",
    "--buffer-size=99999999999999999999%",
    "-S 99999999999999999999b",
  ], {
    inputs: { units: new TextEncoder().encode("7\n1e\n5m\n3\n2k\n1M\n9y\n-1g\n1G\n0t\n") },
  });
});

Deno.test(`sort agrees with GNU on lines that come often, then seldom (seed ${seed})`, async () => {
  const random = randomFrom(seed ^ 0x50f7);
  const below = (limit: number) => Math.floor(random() * limit);
  const lines = (count: number, line: () => string): string =>
    Array.from({ length: count }, () => `${line()}\n`).join("");
  const word = (): string =>
    ["", "a", "a ", "ab", "a\0", "\0", "caf\u00e9", "B", "10", "9"][below(10)] ?? "";
  const inputs = {
    often: bytes(lines(30_000, word)),
    "often, then seldom": bytes(
      lines(20_000, () => `${below(50)} ${word()}`) + lines(20_000, () => `${word()}${random()}`) +
        lines(5000, () => `${below(50)} ${word()}`),
    ),
    "more and more": bytes(lines(40_000, () => String(below(3000)))),
    "long and often": bytes(lines(60, () => "x".repeat(33_000 + below(2)))),
    "no newline at its end": bytes(lines(9000, word) + "ab"),
  };
  await agree("sort", [
    "",
    "-u",
    "-r",
    "-n",
    "-s -k1,1",
    "-u -n",
    "-k2,2 -u",
    "-k2r",
    "-V",
    "-z",
    "-S 20k",
    "-S 20k -u",
    "-f -u -S 40k",
  ], { inputs });
});

Deno.test("sort holds one of lines that are the same: a limit for all of them is not met", async () => {
  const stage = new Stage("sort", [], {
    stdin: memorySource("b\na\n".repeat(100_000)),
    warn: assert.fail,
    signal: new AbortController().signal,
    limits: { sortBytesWithoutTemp: 100_000 },
  });
  const out = new MemorySink();
  await drain(stage, out);
  assert.equal(out.text(), "a\n".repeat(100_000) + "b\n".repeat(100_000));
});

Deno.test("sort takes no more time for lines whose hashes are made to be the same", async () => {
  // Of 2^16 lines those that share a hash's last bits fill one place of the table.
  const chosen: string[] = [];
  for (let i = 0; chosen.length < 3000; i++) {
    const text = i.toString(36).padStart(6, "0");
    let hash = 0x811c9dc5;
    for (const byte of bytes(text)) hash = Math.imul(hash ^ byte, 0x01000193);
    if (((hash ^ (hash >>> 15)) & 0xff) === 0) chosen.push(text);
  }
  const { stdout, status } = await runOurs("sort", {
    args: [],
    stdin: bytes(`${[...chosen, ...chosen].reverse().join("\n")}\n`),
  });
  assert.equal(status, 0);
  assert.equal(latin1(stdout), chosen.flatMap((line) => [`${line}\n`, `${line}\n`]).join(""));
});
