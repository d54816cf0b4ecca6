import assert from "node:assert/strict";
import { LimitError, MemorySink, memorySource } from "../../../streams/mod.ts";
import { agree, bytes, memoryTemp, randomFrom, runOurs } from "../../_testing.ts";
import { Stage } from "../../run/stage.ts";
import type { BuiltinLimits } from "../../limits.ts";

/** Returns a source of bytes that are the same for the same seed. */
function randomBytes(seed: number): (into: Uint8Array) => void {
  const random = randomFrom(seed);
  return (into) => {
    for (let i = 0; i < into.length; i++) into[i] = Math.floor(random() * 256);
  };
}

interface Run {
  stdin?: string;
  seed?: number;
  limits?: Partial<BuiltinLimits>;
  temp?: boolean;
  seekable?: boolean;
  /** Number of chunks of output after which the reader leaves. */
  most?: number;
}

async function run(line: string, options: Run = {}): Promise<string> {
  const { stdin = "", seed = 1, limits, temp = true, seekable = false, most = Infinity } = options;
  const stage = new Stage("shuf", line.split(" ").filter((word) => word !== ""), {
    stdin: memorySource(stdin, { chunkSize: 1000, seekable }),
    warn: (message) => assert.fail(message),
    signal: new AbortController().signal,
    random: randomBytes(seed),
    ...(limits !== undefined && { limits }),
    ...(temp && { temp: () => Promise.resolve(memoryTemp()) }),
  });
  const out = new MemorySink();
  let chunks = 0;
  for await (const chunk of stage) {
    await out.write(chunk);
    if (++chunks >= most) return out.text();
  }
  assert.equal(stage.status, 0);
  return out.text();
}

const linesOf = (text: string): string[] => text.split("\n").slice(0, -1);
const numbers = (count: number): string =>
  Array.from({ length: count }, (_, i) => `${i + 1}\n`).join("");
const inOrder = (lines: readonly string[]): string[] =>
  lines.toSorted((a, b) => Number(a) - Number(b));

Deno.test("shuf gives each line of its input once, or as many as -n wants", async () => {
  const stdin = numbers(2000);
  const all = linesOf(stdin);
  const order = linesOf(await run("", { stdin }));
  assert.notDeepEqual(order, all);
  assert.deepEqual(inOrder(order), all);
  assert.deepEqual(inOrder(linesOf(await run("-n 5000", { stdin }))), all);
  for (const seekable of [false, true]) {
    const some = linesOf(await run("-n 100 -n 300", { stdin, seekable }));
    assert.equal(new Set(some).size, 100);
    assert.ok(some.every((line) => all.includes(line)));
  }
  assert.equal(await run("-n 0", { stdin }), "");
  const cut = await run("", { stdin: "a\nb" });
  assert.deepEqual(linesOf(cut).toSorted(), ["a", "b"]);
});

Deno.test("shuf takes lines from arguments, ranges and NULs", async () => {
  assert.deepEqual(linesOf(await run("-e a b c")).toSorted(), ["a", "b", "c"]);
  assert.equal(await run("-e"), "");
  const nul = await run("-z", { stdin: "a\n\0b\0" });
  assert.deepEqual(nul.split("\0").toSorted(), ["", "a\n", "b"]);
  assert.deepEqual(inOrder(linesOf(await run("-i 1-20"))), linesOf(numbers(20)));
  assert.equal(await run("-i 7-7"), "7\n");
  assert.equal(await run("-i 2-1"), "");
  const ranges: [string, number, number][] = [
    ["-i 100000-1100000 -n 9", 100_000, 1_100_000],
    ["-i 1-1000000000 -n 9", 1, 1e9],
    ["-i 0-9007199254740991 -n 9", 0, Number.MAX_SAFE_INTEGER],
    ["-i 0-4294967295 -r -n 9", 0, 2 ** 32 - 1],
  ];
  for (const [line, low, high] of ranges) {
    const lines = linesOf(await run(line)).map(Number);
    assert.equal(lines.length, 9);
    assert.ok(lines.every((number) => number >= low && number <= high), line);
    assert.ok(lines.some((number) => number > low + (high - low) / 2), line);
  }
});

Deno.test("shuf -r takes each line as often as any other", async () => {
  const lines = linesOf(await run("-r -n 5000 -e a b c d e"));
  const counts = ["a", "b", "c", "d", "e"].map((line) => lines.filter((each) => each === line));
  assert.equal(lines.length, 5000);
  // Chi-square with 4 degrees of freedom: beyond 18.5 once in a thousand seeds.
  const squares = counts.reduce((sum, { length }) => sum + (length - 1000) ** 2 / 1000, 0);
  assert.ok(squares < 18.5, String(squares));
});

Deno.test("shuf -o writes to a file, which may be the input", async () => {
  const { stdout, files } = await runOurs("shuf", {
    args: ["-o", "f", "-n", "2", "f"],
    files: { f: bytes("a\na\na\n") },
    compare: ["f"],
  });
  assert.equal(stdout.length, 0);
  assert.deepEqual(files, { f: bytes("a\na\n") });
});

Deno.test("shuf and sort refuse --random-source", async () => {
  for (const [command, status] of [["shuf", 1], ["sort", 2]] as const) {
    const outcome = await runOurs(command, { args: ["--random-source=f"] });
    assert.equal(
      outcome.stderr,
      `${command}: option '--random-source' is not supported: leave it out for another order each ` +
        "time\n",
    );
    assert.equal(outcome.status, status);
  }
});

Deno.test("shuf agrees with GNU on wrong usage", async () => {
  await agree("shuf", [
    "missing",
    ".",
    "f g",
    "-i 1-2 f",
    "-i 1-2 -e",
    "-i 5-1",
    "-i x",
    "-i 1-x",
    "-i -1-2",
    "-i 1-18446744073709551616",
    "-i 1-3 -i 1-2",
    "-n x",
    "-n -1",
    "-n",
    "-r missing",
    "-o .",
    "-o a -o b",
    "-k",
    "--nosuch",
  ], { seekable: false });
});

Deno.test("shuf gives each order of three lines equally often", async () => {
  const counts = new Map<string, number>();
  for (let seed = 0; seed < 3000; seed++) {
    const order = await run("", { stdin: "a\nb\nc\n", seed });
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  assert.equal(counts.size, 6);
  // Chi-square with 5 degrees of freedom: beyond 20.5 once in a thousand seeds.
  const squares = [...counts.values()].reduce((sum, count) => sum + (count - 500) ** 2 / 500, 0);
  assert.ok(squares < 20.5, String(squares));
});

Deno.test("shuf -n samples a stream so that each line is as likely as any other", async () => {
  const counts = new Array<number>(20).fill(0);
  for (let seed = 0; seed < 2000; seed++) {
    const sample = linesOf(await run("-n 5", { stdin: numbers(20), seed }));
    assert.equal(new Set(sample).size, 5);
    for (const line of sample) (counts[Number(line) - 1] as number)++;
  }
  // Chi-square with 19 degrees of freedom: beyond 43.8 once in a thousand seeds. Draws without
  // replacement vary less.
  const squares = counts.reduce((sum, count) => sum + (count - 500) ** 2 / 500, 0);
  assert.ok(squares < 43.8, String(squares));
});

Deno.test("shuf goes through temporary storage where the lines do not fit in memory", async () => {
  const stdin = numbers(30_000) + "30001";
  const wanted = linesOf(numbers(30_001));
  // The second limit is small enough that the parts are too long as well and are split again.
  for (const sortBytes of [100_000, 8000]) {
    const all = linesOf(await run("", { stdin, limits: { sortBytes } }));
    assert.notDeepEqual(all.slice(0, 50), inOrder(all.slice(0, 50)));
    assert.deepEqual(inOrder(all), wanted);
  }
  const limits = { sortBytes: 20_000 };
  assert.ok(`${stdin}\0` === await run("-z", { stdin, limits }));
  const some = linesOf(await run("-n 1000001", { stdin, limits }));
  assert.deepEqual(inOrder(some), wanted);
});

Deno.test("shuf through temporary storage gives each line each place equally often", async () => {
  const sums = new Array<number>(10).fill(0);
  for (let seed = 0; seed < 400; seed++) {
    const lines = linesOf(await run("", { stdin: numbers(10), seed, limits: { sortBytes: 20 } }));
    assert.equal(lines.length, 10);
    for (const [place, line] of lines.entries()) (sums[Number(line) - 1] as number) += place;
  }
  // The mean position is 4.5, with a standard deviation of 2.87 / 20 in 400 runs.
  for (const sum of sums) assert.ok(Math.abs(sum / 400 - 4.5) < 0.6, String(sums));
});

Deno.test("shuf -r takes lines from temporary storage, long ones too", async () => {
  const long = "x".repeat(40_000);
  const stdin = numbers(3000) + `${long}\n`.repeat(20) + numbers(3000);
  const all = new Set(linesOf(stdin));
  const lines = linesOf(await run("-r -n 8000", { stdin, limits: { sortBytes: 5000 } }));
  assert.equal(lines.length, 8000);
  assert.ok(lines.every((line) => all.has(line)));
  assert.ok(lines.includes(long));
  assert.ok(new Set(lines).size > 2000);
});

Deno.test("shuf -r without -n goes on until its reader leaves", async () => {
  assert.ok((await run("-r -e heads tails", { most: 5 })).length > 100_000);
});

Deno.test("shuf of a range too long for memory goes through temporary storage", async () => {
  const limits = { sortBytes: 50_000 };
  assert.deepEqual(inOrder(linesOf(await run("-i 1-30000", { limits }))), linesOf(numbers(30_000)));
  const some = linesOf(await run("-i 1-30000 -n 20000", { limits }));
  assert.equal(new Set(some).size, 20_000);
});

Deno.test("shuf without temporary storage ends at its limit, and a sample at its own", async () => {
  const stdin = numbers(5000);
  const limited = (limit: string) => (error: unknown) =>
    error instanceof LimitError && error.limit === limit;
  await assert.rejects(
    run("", { stdin, temp: false, limits: { sortBytesWithoutTemp: 10_000 } }),
    limited("sortBytesWithoutTemp"),
  );
  await assert.rejects(
    run("-i 1-3000", { temp: false, limits: { sortBytesWithoutTemp: 10_000 } }),
    limited("sortBytesWithoutTemp"),
  );
  await assert.rejects(
    run("-n 4000", { stdin, limits: { sortBytes: 5000 } }),
    limited("sortBytes"),
  );
  // A sample of a long stream takes memory for the sample only.
  const sample = await run("-n 3", { stdin, temp: false, limits: { sortBytesWithoutTemp: 100 } });
  assert.equal(linesOf(sample).length, 3);
});
