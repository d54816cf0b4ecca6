import assert from "node:assert/strict";
import { type Chunk, LimitError, MemorySink, memorySource } from "../../../streams/mod.ts";
import { agree, bytes, memoryTemp, randomFrom } from "../../_testing.ts";
import { Stage } from "../../run/stage.ts";
import type { BuiltinLimits } from "../../limits.ts";

/** Bytes that a seed repeats. */
function randomBytes(seed: number): (into: Uint8Array) => void {
  const random = randomFrom(seed);
  return (into) => {
    for (let i = 0; i < into.length; i++) into[i] = Math.floor(random() * 256);
  };
}

function noise(size: number): Chunk {
  const data = new Uint8Array(size);
  randomBytes(1)(data);
  return data;
}

interface Run {
  stdin?: string;
  seed?: number;
  limits?: Partial<BuiltinLimits>;
  temp?: boolean;
  seekable?: boolean;
  /** Chunks of output after which the reader leaves. */
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

const files = { random: noise(20_000), short: bytes("ab"), many: bytes(numbers(2000)) };

Deno.test("shuf makes of the same random bytes what GNU's makes", async () => {
  await agree("shuf", [
    "--random-source=random",
    "--random-source=random f",
    "--random-source=random -",
    "-n 3 --random-source=random f",
    "-n3 --random-source=random",
    "-n 1 --random-source=random -z f",
    "-z --random-source=random",
    "-n 5 -z --random-source=random",
    "--head-count=100 --random-source=random",
    "-n 0 --random-source=random missing",
    "-n 5 -n 2 --random-source=random many",
    "-n 100 --random-source=random many",
    "-r -n 20 --random-source=random",
    "--repeat -n 20 --random-source=random g",
    "-rn0 --random-source=random",
    "-e a b c 'd e' '' --random-source=random",
    "-ez a b c --random-source=random",
    "-e --random-source=random",
    "-ren 7 a b --random-source=random",
    "-i 1-20 --random-source=random",
    "-i 1-1000 -n 5 --random-source=random",
    "-i 100000-1100000 -n 9 --random-source=random",
    "-i 1-1000000000 -n 3 --random-source=random",
    "-i 0-9007199254740991 -n 9 --random-source=random",
    "-i 0-4294967295 -r -n 9 --random-source=random",
    "-i 7-7 --random-source=random",
    "-i 2-1 --random-source=random",
    "-z --input-range=5-9 --random-source=random",
    "--random-source=short many",
    "--random-source=missing f",
    "--random-source=. f",
    "-o out --random-source=random",
    "-o f -n 2 --random-source=random f",
  ], { files, compare: ["out", "f"] });
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
    "--random-source=a --random-source=b",
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
  // 19 degrees of freedom, once in a thousand; drawn without putting back the spread is smaller.
  const squares = counts.reduce((sum, count) => sum + (count - 500) ** 2 / 500, 0);
  assert.ok(squares < 43.8, String(squares));
});

Deno.test("shuf goes through temporary storage where the lines do not fit in memory", async () => {
  const stdin = numbers(30_000) + "30001";
  const wanted = linesOf(numbers(30_001));
  // Small enough that the parts are too long, too, and are split again.
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
  // The mean place is 4.5, with a deviation of 2.87 / 20 in 400 runs.
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
  // A sample of a long stream takes no more than itself.
  const sample = await run("-n 3", { stdin, temp: false, limits: { sortBytesWithoutTemp: 100 } });
  assert.equal(linesOf(sample).length, 3);
});
